import { Agent, request } from "undici";
import { ChildGateway } from "../support/child-gateway.ts";
import { KEY, temporaryFolder } from "../support/running-gateway.ts";

/**
 * What the tool server adds to a call: p50 of the same thing asked over /v1 and over /mcp, in both eras, turn by turn
 * in one run, from a gateway in a process of its own. `node test/bench/mcp.ts [turns]`. Bar: 2 ms.
 */
const TURNS = Number(process.argv[2] ?? 400);
const WARM = 60;
const PROMPT = "Say hello.";
const MODEL = "gpt-4.1";

const child = new ChildGateway(["--headless", "--port", "0", "--json", "--data-dir", await temporaryFolder()], {
  POSTERN_SANDBOX: "on",
  POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "bench" }]),
});
const { url } = await child.ready();
const dispatcher = new Agent({ connections: 1, pipelining: 1 });
const headers = {
  authorization: `Bearer ${KEY}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

async function ask(method: "GET" | "POST", path: string, body?: object, more: Record<string, string> = {}) {
  const response = await request(url + path, {
    method,
    dispatcher,
    headers: { ...headers, ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${path}: ${response.statusCode} ${text.slice(0, 300)}`);
  return { text, session: response.headers["mcp-session-id"] as string | undefined };
}

let id = 0;
const message = (method: string, params: object): object => ({ jsonrpc: "2.0", id: (id += 1), method, params });
const opened = await ask(
  "POST",
  "/mcp",
  message("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  }),
);
const session = { "mcp-session-id": opened.session ?? "", "mcp-protocol-version": "2025-11-25" };
const call = { name: "chat", arguments: { model: MODEL, prompt: PROMPT } };

/** A request of the newer era brings what a session would know. */
const alone = (method: string, params: object, name?: string) =>
  ask(
    "POST",
    "/mcp",
    message(method, {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    }),
    { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...(name === undefined ? {} : { "mcp-name": name }) },
  );

const asks: Readonly<Record<string, () => Promise<unknown>>> = {
  "list, /v1/models": () => ask("GET", "/v1/models"),
  "list, tools/list, session": () => ask("POST", "/mcp", message("tools/list", {}), session),
  "list, tools/list, 2026-07-28": () => alone("tools/list", {}),
  "chat, /v1/chat/completions": () =>
    ask("POST", "/v1/chat/completions", { model: MODEL, messages: [{ role: "user", content: PROMPT }] }),
  "chat, tools/call, session": () => ask("POST", "/mcp", message("tools/call", call), session),
  "chat, tools/call, 2026-07-28": () => alone("tools/call", call, "chat"),
};

const times = new Map(Object.keys(asks).map((name) => [name, [] as number[]]));
for (let turn = -WARM; turn < TURNS; turn += 1) {
  for (const [name, run] of Object.entries(asks)) {
    const from = performance.now();
    await run();
    if (turn >= 0) times.get(name)?.push(performance.now() - from);
  }
}
const middle = (name: string): number => times.get(name)?.toSorted((a, b) => a - b)[Math.floor(TURNS / 2)] ?? 0;
const bases: Readonly<Record<string, string>> = { list: "list, /v1/models", chat: "chat, /v1/chat/completions" };
for (const name of Object.keys(asks)) {
  const added = middle(name) - middle(bases[name.slice(0, 4)] ?? "");
  console.log(`${name.padEnd(32)} p50 ${middle(name).toFixed(2)} ms, adds ${added.toFixed(2)} ms`);
}
await dispatcher.close();
child.kill("SIGTERM");
await child.exited;
