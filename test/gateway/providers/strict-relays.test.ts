import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { LoopbackServer, bodyOf } from "../../support/loopback-server.ts";
import { KEY } from "../../support/running-gateway.ts";
import { useGateway } from "../../support/use-gateway.ts";
import { chatClient, messagesClient, responsesClient } from "./strict/clients.ts";
import type { StrictClient, Expected } from "./strict/clients.ts";
import { RELAYS } from "./strict/relays.ts";
import type { StrictRelay } from "./strict/relays.ts";
import { recordsOf } from "./strict/rules.ts";
import type { Json } from "./strict/rules.ts";

const fake = vi.hoisted(() => ({ port: 0 }));

// As in strict-servers.test.ts: the real base URLs, and the fakes behind them.
vi.mock(import("undici"), async (original) => {
  const undici = await original();
  const buildConnector: typeof undici.buildConnector = (options) => {
    const connect = undici.buildConnector(options);
    const here = { protocol: "http:", hostname: "127.0.0.1", host: "127.0.0.1" };
    return (request, callback) => connect({ ...request, ...here, port: String(fake.port) }, callback);
  };
  return { ...undici, buildConnector };
});

class StrictRelays extends LoopbackServer {
  refusals: string[] = [];
  shown: string[] = [];
  isThinking = false;

  protected async serve(...[incoming, outgoing]: Parameters<LoopbackServer["serve"]>): Promise<void> {
    const text = (await bodyOf(incoming)).toString();
    const relay = RELAYS.find(({ baseUrl }) => new URL(baseUrl).host === incoming.headers.host);
    const answer = (status: number, reply: unknown): void =>
      void outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(reply));
    if (relay === undefined || incoming.url?.includes("/models") === true) return answer(200, { data: [] });
    const body = JSON.parse(text) as Json;
    const { thinking } = body as { thinking?: { type?: string } };
    this.isThinking = thinking?.type === "adaptive" || thinking?.type === "enabled";
    const request = {
      body,
      model: relay.model,
      headers: incoming.headers,
      isThinking: this.isThinking,
      shown: this.shown,
    };
    const refusals = relay.rules.map((rule) => rule(request)).filter((word) => word !== null);
    if (refusals.length > 0) {
      this.refusals.push(...refusals);
      return answer(400, { type: "error", error: { type: "invalid_request_error", message: refusals[0] } });
    }
    const content = this.#content(relay, body);
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: relay.model,
      content,
      stop_reason: content.at(-1)?.["type"] === "tool_use" ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 5 },
    };
    if (body["stream"] !== true) return answer(200, message);
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of eventsOf(message))
      outgoing.write(`event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`);
    outgoing.end();
  }

  #content({ signature }: StrictRelay, body: Json): readonly Json[] {
    const last = recordsOf(body["messages"]).at(-1);
    const hasResult = recordsOf(last?.["content"]).some(({ type }) => type === "tool_result");
    const isCalling = "tools" in body && !hasResult && this.shown.length === 0;
    const message = isCalling
      ? { type: "tool_use", id: "toolu_01abc", name: "Bash", input: { command: "ls" } }
      : { type: "text", text: "One file." };
    if (!this.isThinking) return [message];
    const thinking = `Thought number ${this.shown.length}.`;
    // An answer without calls need not come back with its thinking.
    if (isCalling) this.shown.push(thinking);
    return [{ type: "thinking", thinking, ...(signature === null ? {} : { signature }) }, message];
  }
}

function eventsOf(message: { readonly content: readonly Json[]; readonly stop_reason: string }): readonly Json[] {
  const blocks = message.content.flatMap(({ thinking, signature, text, input, ...start }, index) => {
    const empty = { thinking: "", signature: "" };
    const shell = { ...start, ...(thinking === undefined ? {} : empty), ...(text === undefined ? {} : { text: "" }) };
    const deltas = [
      ...(thinking === undefined ? [] : [{ type: "thinking_delta", thinking }]),
      ...(signature === undefined || signature === "" ? [] : [{ type: "signature_delta", signature }]),
      ...(text === undefined ? [] : [{ type: "text_delta", text }]),
      ...(input === undefined ? [] : [{ type: "input_json_delta", partial_json: JSON.stringify(input) }]),
    ];
    return [
      {
        type: "content_block_start",
        index,
        content_block: { ...shell, ...(input === undefined ? {} : { input: {} }) },
      },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ];
  });
  const { stop_reason } = message;
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...blocks,
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
}

const fakes = new StrictRelays();
beforeAll(async () => {
  await fakes.listen();
  fake.port = fakes.port;
});
afterAll(() => fakes.close());
const gateway = useGateway();
beforeAll(async () => {
  for (const { name, baseUrl } of RELAYS)
    await gateway.ask("POST", "/connections", {
      provider: "anthropic",
      name: `at-${name}`,
      base_url: baseUrl,
      keys: ["sk-1"],
    });
});

async function ask(client: StrictClient, body: Json): Promise<Json> {
  const response = await gateway.post(client.path, body, KEY, { "anthropic-version": "2023-06-01" });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  if (body["stream"] !== true) return JSON.parse(text) as Json;
  const lines = text.split("\n").filter((line) => line.startsWith("data: {"));
  return client.gather(lines.map((line) => JSON.parse(line.slice(6)) as Json));
}

const CASES: readonly Expected[] = [
  { stream: true, thinking: "high" },
  { stream: false, thinking: "high" },
  { stream: true, thinking: "off" },
  { stream: false },
  { stream: true, before: "open" },
  { stream: false, before: "over", thinking: "high" },
  { stream: true, before: "over", thinking: "off" },
  { stream: false, before: "late system" },
  { stream: true, choice: "named" },
  { stream: false, choice: "required" },
];

async function talk(relay: StrictRelay, client: StrictClient, expected: Expected): Promise<string[]> {
  // Anthropic refuses that, and Claude Code knows.
  if (client.name === "messages" && expected.choice !== undefined) return [];
  const wrong: string[] = [];
  fakes.shown = [];
  let body = client.first(`at-${relay.name}/${relay.model}`, expected);
  const isTalk = expected.before === undefined && expected.choice === undefined;
  for (const step of isTalk ? ["question", "result", "second question"] : ["question"]) {
    fakes.refusals = [];
    const problem = (what: string): void =>
      void wrong.push(`${relay.name} ${relay.model} ${client.name} ${JSON.stringify(expected)} ${step}: ${what}`);
    const response = await ask(client, body).catch((error: unknown) => error as Error);
    for (const refusal of fakes.refusals) problem(refusal);
    if (expected.thinking === "off" && fakes.isThinking) problem("it was to answer without thinking, and thinks");
    if (response instanceof Error) {
      if (fakes.refusals.length === 0) problem(response.message);
      return wrong;
    }
    if (isTalk) body = client.next(body, response);
  }
  return wrong;
}

it.each(
  RELAYS.flatMap((relay) =>
    [chatClient, messagesClient, responsesClient].map((client) => [relay.name, client.name, relay, client] as const),
  ),
)("%s takes what is sent there of %s", async (_relay, _client, relay, client) => {
  const wrong: string[] = [];
  for (const expected of CASES) wrong.push(...(await talk(relay, client, expected)));
  expect(wrong).toEqual([]);
});
