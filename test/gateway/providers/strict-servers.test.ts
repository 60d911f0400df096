import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { LoopbackServer, bodyOf } from "../../support/loopback-server.ts";
import { KEY } from "../../support/running-gateway.ts";
import { useGateway } from "../../support/use-gateway.ts";
import { chatClient, messagesClient, responsesClient } from "./strict/clients.ts";
import type { StrictClient, Expected } from "./strict/clients.ts";
import { hasCalls, messagesOf } from "./strict/rules.ts";
import type { Json } from "./strict/rules.ts";
import { HOSTS } from "./strict/hosts.ts";
import { HOUSES } from "./strict/houses.ts";
import { PROGRAMS } from "./strict/programs.ts";
import { refusalsOf } from "./strict/server.ts";
import type { StrictServer } from "./strict/server.ts";

/** Houses whose connections have a kind of their own, with the base URL of that kind. */
const KINDS: ReadonlyMap<string, readonly [provider: string, baseUrl?: string]> = new Map([
  ["deepseek", ["deepseek"]],
  ["mistral", ["mistral"]],
  ["xai", ["xai"]],
  ["ark", ["ark"]],
  ["dashscope", ["dashscope", "https://dashscope-intl.aliyuncs.com"]],
  ["google", ["gemini", "https://generativelanguage.googleapis.com/v1beta"]],
]);
const COMPATIBLE = [...HOUSES, ...HOSTS, ...PROGRAMS];
/** The same servers by their own kind: the same row, so one model is enough. */
const OWN = COMPATIBLE.flatMap((server) => {
  const [kind, baseUrl = server.baseUrl] = KINDS.get(server.name) ?? [];
  return kind === undefined
    ? []
    : [{ ...server, name: `${server.name}-own`, kind, baseUrl, models: server.models.slice(0, 1) }];
});
const SERVERS: readonly (StrictServer & { readonly kind?: string })[] = [...COMPATIBLE, ...OWN];
const fake = vi.hoisted(() => ({ port: 0 }));

// Connections keep the base URLs of the real hosts, which choose their rows; what connects goes to the fakes.
vi.mock(import("undici"), async (original) => {
  const undici = await original();
  const buildConnector: typeof undici.buildConnector = (options) => {
    const connect = undici.buildConnector(options);
    return (request, callback) =>
      connect(
        { ...request, protocol: "http:", hostname: "127.0.0.1", host: "127.0.0.1", port: String(fake.port) },
        callback,
      );
  };
  return { ...undici, buildConnector };
});

/** All servers behind one port: which one is asked, the Host header says. */
class StrictFakes extends LoopbackServer {
  /** What the fakes refused since the last look. */
  refusals: string[] = [];
  /** What one showed of its thinking in this conversation. */
  shown: string[] = [];
  isThinking = false;

  protected async serve(...[incoming, outgoing]: Parameters<LoopbackServer["serve"]>): Promise<void> {
    const body = await bodyOf(incoming);
    const server = COMPATIBLE.find(({ baseUrl }) => new URL(baseUrl).host === incoming.headers.host);
    const answer = (status: number, reply: unknown): void =>
      void outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(reply));
    if (server === undefined) return answer(404, { error: { message: `no fake ${incoming.headers.host}` } });
    if (incoming.url?.endsWith("/models") === true)
      return answer(200, { object: "list", data: server.models.map((id) => ({ id, object: "model" })) });
    const path = `${new URL(server.baseUrl).pathname.replace(/\/$/, "")}/chat/completions`;
    if (incoming.url !== path) return answer(404, { error: { message: `no ${incoming.url}` } });
    const request = JSON.parse(body.toString()) as Json;
    const model = String(request["model"]);
    this.isThinking = server.thinks?.(request, model) ?? true;
    const refusals = refusalsOf(server, {
      body: request,
      model,
      headers: incoming.headers,
      isThinking: this.isThinking,
      shown: this.shown,
    });
    if (refusals.length > 0) {
      this.refusals.push(...refusals);
      return answer(server.status ?? 400, { error: { message: refusals[0], type: "invalid_request_error" } });
    }
    const message = this.#message(server, request);
    const whole = { id: "chatcmpl-1", object: "chat.completion", created: 1, model };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const finish_reason = hasCalls(message) ? "tool_calls" : "stop";
    if (request["stream"] !== true)
      return answer(200, { ...whole, choices: [{ index: 0, message, finish_reason }], usage });
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of [
      ...piecesOf(message).map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
      { choices: [{ index: 0, delta: {}, finish_reason }] },
      { choices: [], usage },
    ])
      outgoing.write(`data: ${JSON.stringify({ ...whole, object: "chat.completion.chunk", ...chunk })}\n\n`);
    outgoing.end("data: [DONE]\n\n");
  }

  /** A call at the first question, words once its result is there; before them what was thought. */
  #message(server: StrictServer, request: Json): Json {
    const messages = messagesOf({ body: request });
    const isCalling = "tools" in request && messages.at(-1)?.["role"] !== "tool" && this.shown.length === 0;
    const thought = `Thought number ${this.shown.length}.`;
    const id = server.id?.(0) ?? `call_${"0123456789abcdef".slice(0, 8)}`;
    const call = { id, type: "function", function: { name: "Bash", arguments: '{"command":"ls"}' } };
    const text = isCalling ? null : "One file.";
    const calls = isCalling ? { tool_calls: [call] } : {};
    const plain = { role: "assistant", content: text, ...calls };
    if (!this.isThinking || server.shows === null) return plain;
    this.shown.push(server.shows === "signature" ? btoa(thought) : thought);
    switch (server.shows) {
      case "reasoning_content":
      case "reasoning":
        return { ...plain, [server.shows]: thought };
      case "reasoning_details":
        return {
          ...plain,
          reasoning: "In short.",
          reasoning_details: [
            {
              type: "reasoning.text",
              text: "In short.",
              format: "google-gemini-v1",
              index: 0,
              signature: `signed ${thought}`,
            },
            ...(isCalling
              ? [{ type: "reasoning.encrypted", data: `sealed ${thought}`, id, format: "google-gemini-v1", index: 0 }]
              : []),
          ],
        };
      case "in content":
        return { ...plain, content: `<think>${thought}</think>${text ?? ""}` };
      case "parts":
        return {
          ...plain,
          content: [
            { type: "thinking", thinking: [{ type: "text", text: thought }], closed: true },
            ...(text === null ? [] : [{ type: "text", text }]),
          ],
        };
      // Base64, as Google's are.
      case "signature":
        return isCalling
          ? { ...plain, tool_calls: [{ ...call, extra_content: { google: { thought_signature: btoa(thought) } } }] }
          : (this.shown.pop(), plain);
    }
  }
}

/** A message as the deltas of its stream: what was thought first, then words, then calls. */
function piecesOf({ tool_calls, content, role, ...thoughts }: Json): readonly Json[] {
  const calls = (tool_calls ?? []) as readonly Json[];
  return [
    { role, content: "" },
    ...Object.entries(thoughts).map(([name, value]) => ({ [name]: value })),
    ...(content === null || content === "" ? [] : [{ content }]),
    ...calls.map((call, index) => ({ tool_calls: [{ index, ...call }] })),
  ];
}

const fakes = new StrictFakes();
beforeAll(async () => {
  await fakes.listen();
  fake.port = fakes.port;
});
afterAll(() => fakes.close());
const gateway = useGateway();
beforeAll(async () => {
  for (const { name, baseUrl, kind = "openai-compatible" } of SERVERS)
    await gateway.ask("POST", "/connections", {
      provider: kind,
      name: `at-${name}`,
      base_url: baseUrl,
      keys: ["sk-1"],
    });
});

/** Asks once, and says what went wrong: what the fake refused, or what came back instead of a response. */
async function ask(client: StrictClient, body: Json): Promise<Json> {
  const response = await gateway.post(client.path, body, KEY, { "anthropic-version": "2023-06-01" });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  if (body["stream"] !== true) return JSON.parse(text) as Json;
  const events = text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)) as Json);
  return client.gather(events);
}

const CLIENTS = [chatClient, messagesClient, responsesClient];
/** Conversations: a question, the result of its call, and one question more. */
const TALKS: readonly Expected[] = [{ stream: true }, { stream: false }, { stream: true, thinking: "off" }];
const QUESTIONS: readonly Expected[] = [
  { stream: false, thinking: "high" },
  { stream: true, before: "open" },
  { stream: true, before: "over", thinking: "off" },
  { stream: false, before: "late system" },
  { stream: true, choice: "named" },
  { stream: false, choice: "required" },
  { stream: true, isJson: true, tools: false },
];

/** What goes wrong in one conversation; empty where nothing does. */
async function talk(server: StrictServer, client: StrictClient, model: string, expected: Expected): Promise<string[]> {
  const isTalk = TALKS.includes(expected);
  const wrong: string[] = [];
  // Who writes an effort itself for a model without any gets that server's own refusal.
  if (client.name === "chat" && expected.thinking !== undefined && server.effortless?.test(model) === true)
    return wrong;
  fakes.shown = [];
  let body = client.first(`at-${server.name}/${model}`, server.isToolless ? { ...expected, tools: false } : expected);
  const steps = isTalk ? (expected === TALKS[0] ? 3 : 2) : 1;
  for (const step of ["question", "result", "second question"].slice(0, steps)) {
    fakes.refusals = [];
    const problem = (what: string): void =>
      void wrong.push(`${server.name} ${model} ${client.name} ${JSON.stringify(expected)} ${step}: ${what}`);
    const response = await ask(client, body).catch((error: unknown) => error as Error);
    for (const refusal of fakes.refusals) problem(refusal);
    if (expected.thinking === "off" && fakes.isThinking && server.thinks !== null && server.fixed?.test(model) !== true)
      problem("it was to answer without thinking, and thinks");
    // Efforts that the catalog does not have for a model are refused before anybody is asked.
    if (response instanceof Error && /Supported values are/.test(response.message)) return wrong;
    if (response instanceof Error) {
      if (fakes.refusals.length === 0) problem(response.message);
      return wrong;
    }
    if (isTalk) body = client.next(body, response);
  }
  return wrong;
}

/** Whether a case tells more of a server than its earlier ones: whole responses and schemas are as with its first model. */
function isNew(expected: Expected, { isToolless }: StrictServer, at: number): boolean {
  const isOfTools = expected.choice !== undefined || expected.before === "open" || expected.before === "over";
  if (isToolless && isOfTools) return false;
  return at === 0 || (expected !== TALKS[1] && expected.isJson !== true);
}

describe("strict servers take what every client sends", () => {
  it.each(SERVERS.flatMap((server) => CLIENTS.map((client) => [server.name, client.name, server, client] as const)))(
    "%s, asked in %s",
    async (_server, _client, server, client) => {
      const wrong: string[] = [];
      for (const [at, model] of server.models.entries()) {
        for (const expected of [...TALKS, ...QUESTIONS].filter((each) => isNew(each, server, at)))
          wrong.push(...(await talk(server, client, model, expected)));
      }
      expect(wrong).toEqual([]);
    },
  );
});
