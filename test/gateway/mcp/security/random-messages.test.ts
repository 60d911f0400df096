import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { dose } from "../../../support/dose.ts";
import { ERAS, NEW, OLD, begin, headersFor, post, rpc } from "./wire.ts";
import { useGateway } from "../../../support/use-gateway.ts";

/** Random messages: each is answered, soon, by something that is no mistake of ours. */

const logged: string[] = [];
const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => void rejections.push(reason);
beforeAll(async () => {
  process.on("unhandledRejection", onRejection);
});
const gateway = useGateway(() => ({ logged, env: { POSTERN_SANDBOX: "on" } }));
afterEach(() => {
  expect(rejections).toEqual([]);
  expect(logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});
afterAll(async () => {
  process.off("unhandledRejection", onRejection);
});

const METHODS = [
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "resources/subscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "server/discover",
  "subscriptions/listen",
  "sampling/createMessage",
  "elicitation/create",
  "roots/list",
  "tasks/get",
  "tasks/cancel",
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
  "notifications/roots/list_changed",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "",
];
/** As often as all others together: there is most behind it. */
const CALLED = Array.from({ length: METHODS.length }, () => "tools/call");
const NAMES = [
  "get_quota",
  "list_models",
  "quote",
  "get_video_task",
  "cancel_video_task",
  "chat",
  "__proto__",
  "constructor",
  "valueOf",
  "",
];

const json = fc.jsonValue({ maxDepth: 4 });
const odd = fc.oneof(
  json,
  fc.constantFrom(null, 0, -1, 1.5, 1e308, "", "__proto__", "\u0000", "\ud800", true, [], {}, [[]]),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const meta = fc.record(
  {
    progressToken: odd,
    "io.modelcontextprotocol/protocolVersion": fc.oneof(fc.constantFrom(NEW, OLD, "2099-01-01"), odd),
    "io.modelcontextprotocol/clientInfo": fc.oneof(fc.constant({ name: "a", version: "1" }), odd),
    "io.modelcontextprotocol/clientCapabilities": fc.oneof(fc.constant({}), odd),
    __proto__: odd,
  },
  { requiredKeys: [] },
);
const params = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      {
        name: fc.oneof(fc.constantFrom(...NAMES), odd),
        arguments: fc.oneof(
          fc.record(
            {
              model: fc.oneof(fc.constantFrom("no-such-model", "__proto__"), odd),
              prompt: odd,
              id: odd,
              tool: fc.oneof(fc.constantFrom(...NAMES), odd),
              arguments: odd,
              limit: odd,
              wait_seconds: fc.constantFrom(0, -1, "1", null),
              capability: odd,
            },
            { requiredKeys: [] },
          ),
          odd,
        ),
        uri: fc.oneof(
          fc.constantFrom("postern://models", "postern://media/x", "postern://tasks/x", "file:///etc/passwd"),
          odd,
        ),
        cursor: odd,
        protocolVersion: odd,
        capabilities: odd,
        clientInfo: odd,
        requestId: odd,
        notifications: odd,
        ref: odd,
        argument: odd,
        level: odd,
        requestState: odd,
        inputResponses: odd,
        _meta: fc.oneof(
          { weight: 6, arbitrary: fc.record({ progressToken: fc.oneof(fc.nat(), fc.string()) }, { requiredKeys: [] }) },
          { weight: 1, arbitrary: meta },
          { weight: 1, arbitrary: odd },
        ),
      },
      { requiredKeys: [] },
    ),
  },
  odd,
);
/** A message that is one in JSON-RPC, whatever its method makes of the rest. */
const tame = fc
  .record({
    jsonrpc: fc.constant("2.0"),
    id: fc.oneof(fc.nat(), fc.uuid()),
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...METHODS, ...CALLED) }, fc.string()),
    params,
  })
  .map(({ id, ...rest }) => (rest.method.startsWith("notifications/") ? rest : { ...rest, id }));
const wild = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant("2.0") }, odd),
    id: odd,
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...METHODS) }, odd),
    params,
    result: odd,
    error: odd,
  },
  { requiredKeys: ["jsonrpc"], noNullPrototype: true },
);
const message = fc.oneof({ weight: 6, arbitrary: tame }, { weight: 2, arbitrary: wild }, { weight: 1, arbitrary: odd });
/** In which era's clothes it comes, and how well they fit. */
const clothes = fc.constantFrom("old", "old without session", "new", "new, other method", "new, in a session", "none");

async function headersOf(kind: string, body: unknown, session: string): Promise<Record<string, string>> {
  const reply = headerSafe(headersFor(NEW, typeof body === "object" && body !== null ? body : {}));
  switch (kind) {
    case "old":
      return { ...headersFor(OLD, body), "mcp-session-id": session };
    case "old without session":
      return headersFor(OLD, body);
    case "new":
      return reply;
    case "new, other method":
      return { ...reply, "mcp-method": "tools/list", "mcp-name": "chat" };
    case "new, in a session":
      return { ...reply, "mcp-session-id": session };
    default:
      return {};
  }
}

/** With what the newer revision wants in a request, where there is room for it; what was made goes before it. */
function claimed(made: unknown): unknown {
  if (typeof made !== "object" || made === null || !("params" in made) || !("method" in made)) return made;
  const { params: given } = made;
  if (typeof given !== "object" || given === null || Array.isArray(given)) return made;
  const { params: whole } = rpc(NEW, 1, "", given as Record<string, unknown>) as { params: object };
  return { ...made, params: whole };
}

/** What cannot stand in a header is left out of it. */
function headerSafe(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([, value]) => typeof value === "string" && /^[\x21-\x7e]*$/.test(value)),
  );
}

const SLOWEST_MS = 10_000;
/** Of 25 messages: the whole suite asks fewer than `POSTERN_TEST_BATCHES=400`, which is ten thousand messages. */
const BATCHES = Number(process.env["POSTERN_TEST_BATCHES"] ?? dose(40, 60));
/** How often each was the response. */
const statuses = new Map<number, number>();

/** Reads a response to its end; a stream of news, which has none, to its beginning. */
async function outcome(text: string, headers: Readonly<Record<string, string>>): Promise<string | null> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), SLOWEST_MS);
  try {
    const response = await post(gateway, text, { headers, signal: stop.signal });
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    if (response.status >= 500) return `HTTP ${response.status}: ${await response.text()}`;
    if (text.includes("subscriptions/listen")) {
      await response.body?.getReader().read();
      return null;
    }
    const body = await response.text();
    if (/ {4}at |node_modules/.test(body)) return `a stack: ${body}`;
    return null;
  } catch (error) {
    return `no answer within ${SLOWEST_MS} ms: ${String(error)}`;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

it("random messages are each answered, and none by a mistake", { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(message, clothes), { minLength: 25, maxLength: 25 }), async (batch) => {
      const session = await begin(gateway);
      const problems = await Promise.all(
        batch.map(async ([made, kind]) => {
          const body = kind.startsWith("new") ? claimed(made) : made;
          const text = JSON.stringify(body);
          const problem = await outcome(text, await headersOf(kind, body, session));
          return problem === null ? null : `${kind} ${text}: ${problem}`;
        }),
      );
      expect(problems.filter((problem) => problem !== null)).toEqual([]);
    }),
    { numRuns: BATCHES },
  );
  // They came as far as that: to tools and lists, and to each kind of refusal.
  for (const status of [200, 202, 400, 404]) expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(5);
});

it("bytes that are no JSON are refused as such", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), fc.constantFrom(...ERAS), async (text, era) => {
      const whole = `{"jsonrpc":"2.0","id":1,"method":"${text}`;
      const response = await post(gateway, whole, { headers: { "mcp-protocol-version": era } });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32_700 } });
    }),
    { numRuns: 200 },
  );
});
