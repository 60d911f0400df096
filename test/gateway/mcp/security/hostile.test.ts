import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { KEY, startGateway } from "../../../support/running-gateway.ts";
import type { TestGateway } from "../../../support/running-gateway.ts";
import {
  ERAS,
  INITIALIZE,
  NEW,
  OLD,
  begin,
  codeOf,
  headersFor,
  messagesOf,
  post,
  rpc,
  send,
  toolCall,
} from "./wire.ts";
import type { Era } from "./wire.ts";

/** Messages that no honest client sends: each is answered, soon, by something that is no mistake of ours. */

let gateway: TestGateway;
const logged: string[] = [];
const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => void rejections.push(reason);
beforeAll(async () => {
  process.on("unhandledRejection", onRejection);
  gateway = await startGateway({ logged, env: { POSTERN_SANDBOX: "on" } });
});
afterEach(() => {
  expect(rejections).toEqual([]);
  expect(logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});
afterAll(async () => {
  await gateway.close();
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
  const said = headerSafe(headersFor(NEW, typeof body === "object" && body !== null ? body : {}));
  switch (kind) {
    case "old":
      return { ...headersFor(OLD, body), "mcp-session-id": session };
    case "old without session":
      return headersFor(OLD, body);
    case "new":
      return said;
    case "new, other method":
      return { ...said, "mcp-method": "tools/list", "mcp-name": "chat" };
    case "new, in a session":
      return { ...said, "mcp-session-id": session };
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
/** How often each was the answer. */
const statuses = new Map<number, number>();

/** Reads an answer to its end; a stream of news, which has none, to its beginning. */
async function outcome(text: string, headers: Readonly<Record<string, string>>): Promise<string | null> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), SLOWEST_MS);
  try {
    const answer = await post(gateway, text, { headers, signal: stop.signal });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500) return `HTTP ${answer.status}: ${await answer.text()}`;
    if (text.includes("subscriptions/listen")) {
      await answer.body?.getReader().read();
      return null;
    }
    const body = await answer.text();
    if (/ {4}at |node_modules/.test(body)) return `a stack: ${body}`;
    return null;
  } catch (error) {
    return `no answer within ${SLOWEST_MS} ms: ${String(error)}`;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

it("ten thousand random messages are each answered, and none by a mistake", { timeout: 600_000 }, async () => {
  let sent = 0;
  const begun = performance.now();
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
      sent += batch.length;
      expect(problems.filter((problem) => problem !== null)).toEqual([]);
    }),
    { numRuns: 400 },
  );
  console.log(`${sent} messages: ${Math.round(performance.now() - begun)} ms`, Object.fromEntries(statuses));
  // They came as far as that: to tools and lists, and to each kind of refusal.
  for (const status of [200, 202, 400, 404]) expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(50);
  expect(sent).toBeGreaterThanOrEqual(10_000);
});

it("bytes that are no JSON are refused as such", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), fc.constantFrom(...ERAS), async (text, era) => {
      const whole = `{"jsonrpc":"2.0","id":1,"method":"${text}`;
      const answer = await post(gateway, whole, { headers: { "mcp-protocol-version": era } });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32_700 } });
    }),
    { numRuns: 200 },
  );
});

describe.each(ERAS)("in %s", (era: Era) => {
  const ask = async (body: object, headers?: Readonly<Record<string, string>>): Promise<Response> => {
    const session = era === OLD ? { session: await begin(gateway) } : {};
    return send(gateway, era, body, { ...session, ...(headers === undefined ? {} : { headers }) });
  };

  it.each([0, -1, 9_007_199_254_740_991, "", "text", "\u0000\n", "__proto__", "x".repeat(100_000)])(
    "the id %j comes back as it was",
    async (id) => {
      const answers = await messagesOf(await ask(rpc(era, id, "tools/list")));
      expect(answers.filter((one) => one.id === id && one.result !== undefined)).toHaveLength(1);
    },
  );

  it.each([null, true, 1.5, [], {}, [1], { id: 1 }])("the id %j is refused, or taken for none", async (id) => {
    const answer = await ask(rpc(era, id, "tools/list"));
    expect([200, 202, 400]).toContain(answer.status);
    for (const one of await messagesOf(answer)) expect([null, undefined, id]).toContainEqual(one.id);
  });

  it.each(["__proto__", "constructor", "toString", "tools/call\u0000", "TOOLS/LIST", "tools/list ", "rpc.discover"])(
    "the method %j is not found",
    async (method) => {
      const answer = await ask(rpc(era, 1, method), { "mcp-method": method.replace(/[^ -~]/g, "").trim() });
      const [said] = await messagesOf(answer);
      // A method that cannot stand in the header is one that the header does not name.
      expect([-32_601, -32_020]).toContain(said?.error?.code);
    },
  );

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "", "CHAT", "chat ", "../chat"])(
    "the tool %j is none",
    async (name) => {
      const [said] = await messagesOf(await ask(toolCall(era, name, {}), { "mcp-name": name.trim() }));
      expect([-32_602, -32_020]).toContain(said?.error?.code);
      const quoted = await messagesOf(await ask(toolCall(era, "quote", { tool: name, arguments: {} })));
      expect(codeOf(quoted.at(-1)?.result ?? { content: [] })).toBe("invalid_value");
    },
  );

  it.each<[string, unknown]>([
    ["null", null],
    ["a list", []],
    ["a text", "model"],
    ["a number", 1],
    ["true", true],
    ["an empty object", {}],
    ["prototypes", JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')],
    ["a model that is an object", { model: { toString: "x" }, prompt: "x" }],
    ["names of functions", { model: "gpt-4.1", prompt: "x", toString: "x", hasOwnProperty: 1 }],
  ])("arguments that are %s are refused in words", async (_what, args) => {
    for (const name of [
      "chat",
      "generate_image",
      "edit_image",
      "generate_video",
      "synthesize_speech",
      "embed_text",
      "quote",
    ]) {
      const answer = await ask(toolCall(era, name, args));
      const [said] = (await messagesOf(answer)).slice(-1);
      const refusal = said?.error?.message ?? said?.result?.content[0]?.text;
      expect(said?.error !== undefined || said?.result?.isError === true, `${name}: ${JSON.stringify(said)}`).toBe(
        true,
      );
      expect(refusal?.length).toBeGreaterThan(10);
      expect(codeOf(said?.result ?? { content: [] }) ?? "").not.toBe("internal_error");
    }
  });

  it("prototypes anywhere in a message change nothing", async () => {
    const evil = JSON.parse('{"__proto__":{"polluted":true}}') as object;
    for (const body of [
      { ...rpc(era, 1, "tools/list"), ...JSON.parse('{"__proto__":{"polluted":true}}') },
      rpc(era, 1, "tools/call", { name: "get_quota", arguments: {}, _meta: evil }),
      toolCall(era, "generate_video", { model: "alpha2.6-t2v", prompt: "x", parameters: evil }),
      toolCall(era, "chat", {
        model: "gpt-4.1",
        prompt: "x",
        response_format: { type: "json_schema", json_schema: evil },
      }),
      toolCall(era, "quote", { tool: "chat", arguments: evil }),
      {
        ...INITIALIZE,
        params: {
          ...INITIALIZE.params,
          capabilities: { experimental: evil, ...evil },
          clientInfo: { ...INITIALIZE.params.clientInfo, ...evil },
        },
      },
    ])
      expect((await ask(body)).status).toBeLessThan(500);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it.each([[0], [""], ["t"], [-1], [2.5]])("the progress token %j comes back with each step", async (progressToken) => {
    const said = await messagesOf(
      await ask(toolCall(era, "chat", { model: "gpt-4.1", prompt: "Say hello." }, { progressToken })),
    );
    const steps = said.filter(({ method }) => method === "notifications/progress");
    expect(steps.every(({ params: step }) => step?.["progressToken"] === progressToken)).toBe(true);
    expect(said.at(-1)?.result ?? said.at(-1)?.error).toBeDefined();
  });

  it.each([[null], [true], [{}], [[]], [{ __proto__: 1 }], ["x".repeat(1_000_000)]])(
    "an odd progress token stops nobody (%#)",
    async (progressToken) => {
      const answer = await ask(toolCall(era, "get_quota", {}, { progressToken }));
      expect(answer.status).toBeLessThan(500);
      expect((await messagesOf(answer)).length).toBeGreaterThan(0);
    },
  );

  it("JSON that is too deep is refused, and none is too long up to 32 MiB", { timeout: 120_000 }, async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const text = JSON.stringify(toolCall(era, "chat", "DEEP")).replace('"DEEP"', deep);
    const answer = await post(gateway, text, { headers: headersFor(era, toolCall(era, "chat", {})) });
    expect(answer.status).toBe(400);
    const long = "x".repeat(31 * 1024 * 1024);
    const session = era === OLD ? { session: await begin(gateway) } : {};
    for (const body of [
      toolCall(era, "chat", { model: "no-such-model", prompt: long }),
      toolCall(era, "chat", { model: long, prompt: "x" }),
      toolCall(era, "get_video_task", { id: long }),
      toolCall(era, "chat", { [long]: 1 }),
    ]) {
      const [said] = (await messagesOf(await send(gateway, era, body, session))).slice(-1);
      expect(said?.result?.isError).toBe(true);
      // A refusal does not give megabytes back.
      expect(JSON.stringify(said).length).toBeLessThan(10_000);
    }
    const larger = JSON.stringify(toolCall(era, "chat", { model: "x", prompt: "x".repeat(33 * 1024 * 1024) }));
    const refused = await post(gateway, larger, { headers: headersFor(era, toolCall(era, "chat", {})) }).catch(
      () => null,
    );
    if (refused !== null) expect(refused.status).toBe(413);
  });
});

describe("headers that say something else than the body", () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ["another method", { "mcp-method": "tools/list" }],
    ["no method", { "mcp-method": "" }],
    ["another tool", { "mcp-name": "list_models" }],
    ["another revision", { "mcp-protocol-version": OLD }],
    ["a tool in other letters", { "mcp-name": "GET_QUOTA" }],
    ["an unknown revision", { "mcp-protocol-version": "2099-01-01" }],
  ])("%s: 400, and no tool runs", async (_what, headers) => {
    const before = (await gateway.ask<{ calls: unknown[] }>("GET", "/mcp")).calls.length;
    const answer = await send(gateway, NEW, toolCall(NEW, "get_quota", {}), { headers });
    expect(answer.status).toBe(400);
    expect((await messagesOf(answer))[0]?.error?.code).toBeLessThan(-32_000);
    expect((await gateway.ask<{ calls: unknown[] }>("GET", "/mcp")).calls.length).toBe(before);
  });

  it("a revision in the header that the older era does not have is refused in a session", async () => {
    const session = await begin(gateway);
    for (const version of ["2099-01-01", "1", "x".repeat(1_000), "__proto__"]) {
      const answer = await post(gateway, rpc(OLD, 1, "ping"), {
        session,
        headers: { "mcp-protocol-version": version },
      });
      expect(answer.status).toBe(400);
    }
  });

  it("one session's messages at once, with one id, are answered or refused one by one", async () => {
    const session = await begin(gateway);
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const call = toolCall(OLD, "chat", { model: "gpt-4.1", prompt: `Say ${n}.` }, { id: 5 });
        const answer = await send(gateway, OLD, call, { session });
        const said = await messagesOf(answer);
        return [answer.status, said.filter(({ id }) => id === 5).length];
      }),
    );
    const answered = answers.filter(([status]) => status === 200);
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.every(([, count]) => count === 1)).toBe(true);
    expect(answers.every(([status]) => status === 200 || status === 400)).toBe(true);
  });
});

it("the endpoint still works after all that", async () => {
  const [said] = await messagesOf(await send(gateway, NEW, toolCall(NEW, "get_quota", {}), { key: KEY }));
  expect(said?.result?.isError).toBeUndefined();
});
