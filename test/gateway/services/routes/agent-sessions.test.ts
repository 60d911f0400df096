import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startGateway, type TestGateway, providersAt } from "../../../support/running-gateway.ts";
import { WireProvider, reply, type WireAct, type WireSeen } from "../../../support/wire-provider.ts";
import { thin } from "../../../support/dose.ts";

/**
 * An agent's session of three turns (a thought and a call of a tool, two calls side by side, a last word), in each dialect
 * of clients, along chains over six providers that refuse what the real ones refuse: foreign signatures, unknown fields,
 * calls without results. One provider fails at one turn, the next serves it, and the session goes on where it was.
 */

type Json = Readonly<Record<string, unknown>>;
const MODELS = [
  "claude-sonnet-5-5",
  "gpt-5",
  "gemini-3.7-flash",
  "mistral-large-latest",
  "house-model",
  "deepseek-v4-flash",
] as const;
type Model = (typeof MODELS)[number];
const TOOL = { name: "read_file", schema: { type: "object", properties: { path: { type: "string" } } } };
/** Calls of the tool by the number of results that are there already. */
const SCRIPT: Readonly<Record<number, readonly string[]>> = { 0: ["a.txt"], 1: ["b.txt", "c.txt"] };

const wires = Object.fromEntries(MODELS.map((model) => [model, new WireProvider()])) as Record<Model, WireProvider>;
let postern: TestGateway;
/** What a strict provider would have refused. */
const deviations: string[] = [];
/** Who fails at which turn, and how. */
let failing: { readonly model: Model; readonly results: number; readonly act: WireAct } | null = null;
let made = 0;

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function refuse(model: Model, why: string): void {
  deviations.push(`${model}: ${why}`);
}

/** Calls and results of a request in the chat dialect, each call answered right behind its turn. */
function chatResults(model: Model, messages: readonly Json[], fields: readonly string[]): number {
  let open = new Set<string>();
  let results = 0;
  let before: unknown = null;
  for (const message of messages) {
    const { role } = message;
    if (model === "mistral-large-latest" && role === "user" && before === "tool")
      refuse(model, "Unexpected role 'user' after role 'tool'");
    before = role;
    for (const field of Object.keys(message)) if (!fields.includes(field)) refuse(model, `messages have no ${field}`);
    if (message["role"] === "tool") {
      results += 1;
      if (!open.delete(text(message["tool_call_id"]))) refuse(model, "a result without its call");
      continue;
    }
    if (open.size > 0) refuse(model, "a call without its result");
    open = new Set();
    const calls = list(message["tool_calls"]);
    if (model === "deepseek-v4-flash" && calls.length > 0 && text(message["reasoning_content"] ?? "") === "")
      refuse(model, "The reasoning_content in the thinking mode must be passed back");
    for (const call of calls) {
      const id = text(call["id"]);
      if (model === "mistral-large-latest" && !/^[a-zA-Z0-9]{9}$/.test(id)) refuse(model, `the id ${id}`);
      if (id.length > 40) refuse(model, `the long id ${id}`);
      if (model !== "gemini-3.7-flash" && "extra_content" in call) refuse(model, "extra_content");
      if (model === "gemini-3.7-flash" && !("extra_content" in call) && call === list(message["tool_calls"])[0])
        refuse(model, "a call without a thought signature");
      open.add(id);
    }
  }
  return results;
}

function chatAct(model: Model, fields: readonly string[]): WireAct {
  return (seen, outgoing) => {
    const messages = list((seen.json as Json)["messages"]);
    const results = chatResults(model, messages, fields);
    if (failing?.model === model && failing.results === results) return failing.act(seen, outgoing);
    const paths = SCRIPT[results];
    const calls = paths?.map((path, index) => ({
      id: model === "mistral-large-latest" ? `m${String((made += 1)).padStart(8, "0")}` : `call_${(made += 1)}`,
      type: "function",
      function: { name: TOOL.name, arguments: JSON.stringify({ path }) },
      ...(model === "gemini-3.7-flash" && index === 0
        ? { extra_content: { google: { thought_signature: "QUJD" } } }
        : {}),
    }));
    const thought =
      model === "house-model" || model === "deepseek-v4-flash" ? { reasoning_content: "Thinking of it." } : {};
    const message = { role: "assistant", content: calls === undefined ? `${model} is done.` : null, ...thought };
    return reply(200, {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model,
      choices: [
        {
          index: 0,
          message: calls === undefined ? message : { ...message, tool_calls: calls },
          finish_reason: calls === undefined ? "stop" : "tool_calls",
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    })(seen, outgoing);
  };
}

const SIGNED = "c2lnbmVkIGJ5IGNsYXVkZQ==";

function claudeAct(seen: WireSeen, outgoing: Parameters<WireAct>[1]): void | Promise<void> {
  const model = "claude-sonnet-5-5";
  const messages = list((seen.json as Json)["messages"]);
  const open = new Set<string>();
  let results = 0;
  for (const { role, content } of messages) {
    const blocks = list(content);
    if (role === "user") {
      for (const block of blocks.filter(({ type }) => type === "tool_result")) {
        results += 1;
        if (!open.delete(text(block["tool_use_id"]))) refuse(model, "a result without its call");
      }
      if (open.size > 0) refuse(model, "a call without its result");
      continue;
    }
    if (Array.isArray(content) && content.length === 0) refuse(model, "an empty turn");
    for (const block of blocks) {
      if (block["type"] === "thinking" && block["signature"] !== SIGNED) refuse(model, "an invalid signature");
      if (block["type"] !== "tool_use") continue;
      if (!/^[a-zA-Z0-9_-]+$/.test(text(block["id"]))) refuse(model, `the id ${text(block["id"])}`);
      open.add(text(block["id"]));
    }
  }
  if (failing?.model === model && failing.results === results) return failing.act(seen, outgoing);
  const paths = SCRIPT[results];
  const content = [
    { type: "thinking", thinking: "Let me see.", signature: SIGNED },
    ...(paths?.map((path) => ({ type: "tool_use", id: `toolu_${(made += 1)}`, name: TOOL.name, input: { path } })) ?? [
      { type: "text", text: `${model} is done.` },
    ]),
  ];
  return reply(200, {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: paths === undefined ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  })(seen, outgoing);
}

/** OpenAI's own reasoning, which it knows by what is encrypted in it. */
const ENCRYPTED = "Z3B0J3MgdGhvdWdodHM=";

function gptResponses(seen: WireSeen, outgoing: Parameters<WireAct>[1]): void | Promise<void> {
  const model = "gpt-5";
  const open = new Set<string>();
  let results = 0;
  for (const item of list((seen.json as Json)["input"])) {
    if (item["type"] === "reasoning" && item["encrypted_content"] !== ENCRYPTED)
      refuse(model, `Item ${text(item["id"])} not found`);
    if (item["type"] === "function_call") open.add(text(item["call_id"]));
    if (item["type"] !== "function_call_output") continue;
    results += 1;
    if (!open.delete(text(item["call_id"]))) refuse(model, "a result without its call");
  }
  if (open.size > 0) refuse(model, "a call without its result");
  if (failing?.model === model && failing.results === results) return failing.act(seen, outgoing);
  const paths = SCRIPT[results];
  const output = [
    { type: "reasoning", id: `rs_${"0".repeat(48)}${(made += 1)}`, summary: [], encrypted_content: ENCRYPTED },
    ...(paths?.map((path) => ({
      type: "function_call",
      id: `fc_${made}`,
      call_id: `call_${(made += 1)}`,
      name: TOOL.name,
      arguments: JSON.stringify({ path }),
      status: "completed",
    })) ?? [
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: `${model} is done.`, annotations: [] }],
      },
    ]),
  ];
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  return reply(200, {
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    model,
    output,
    usage,
  })(seen, outgoing);
}

beforeAll(async () => {
  await Promise.all(MODELS.map((model) => wires[model].listen()));
  const data = [{ id: "house-model", object: "model" }];
  wires["house-model"].on("GET /v1/models", reply(200, { object: "list", data }));
  const plain = ["role", "content", "tool_calls", "tool_call_id", "name"];
  wires["claude-sonnet-5-5"].on("POST /v1/messages", claudeAct);
  wires["gpt-5"].on("POST /v1/responses", gptResponses);
  wires["gpt-5"].on("POST /v1/chat/completions", chatAct("gpt-5", [...plain, "refusal", "annotations"]));
  wires["gemini-3.7-flash"].on("POST /v1beta/openai/chat/completions", chatAct("gemini-3.7-flash", plain));
  wires["mistral-large-latest"].on("POST /v1/chat/completions", chatAct("mistral-large-latest", plain));
  wires["house-model"].on(
    "POST /v1/chat/completions",
    chatAct("house-model", [...plain, "reasoning_content", "refusal", "annotations"]),
  );
  wires["deepseek-v4-flash"].on(
    "POST /v1/chat/completions",
    chatAct("deepseek-v4-flash", [...plain, "reasoning_content", "refusal", "annotations"]),
  );
  postern = await startGateway({
    env: {
      ...providersAt({
        ANTHROPIC: wires["claude-sonnet-5-5"].origin,
        OPENAI: `${wires["gpt-5"].origin}/v1`,
        GEMINI: `${wires["gemini-3.7-flash"].origin}/v1beta`,
        MISTRAL: `${wires["mistral-large-latest"].origin}/v1`,
        DEEPSEEK: `${wires["deepseek-v4-flash"].origin}/v1`,
      }),
      POSTERN_COMPATIBLE_BASE_URL: `${wires["house-model"].origin}/v1`,
    },
  });
});
beforeEach(() => {
  deviations.length = 0;
  failing = null;
});
afterAll(async () => {
  await postern.close();
  await Promise.all(MODELS.map((model) => wires[model].close()));
});

async function stated(path: string, body: Json): Promise<Json> {
  const response = await postern.post(path, { model: "agent", ...body });
  const document = (await response.json()) as Json;
  if (response.status !== 200) throw new Error(JSON.stringify(document));
  return document;
}

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PICTURE = { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } };
const SEEN = [
  { type: "input_text", text: "contents" },
  { type: "input_image", image_url: `data:image/png;base64,${PIXEL}` },
];

/** A client that gives back what it got, as the SDKs do. @returns its last word */
const CLIENTS: Readonly<Record<string, () => Promise<string>>> = {
  async messages() {
    const messages: Json[] = [{ role: "user", content: "Read the files." }];
    const tools = [{ name: TOOL.name, input_schema: TOOL.schema }];
    for (;;) {
      const { content } = await stated("/messages", { max_tokens: 1_000, messages, tools });
      messages.push({ role: "assistant", content });
      const calls = list(content).filter(({ type }) => type === "tool_use");
      if (calls.length === 0) return text(list(content).at(-1)?.["text"]);
      messages.push({
        role: "user",
        content: calls.map(({ id, input }) => ({
          type: "tool_result",
          tool_use_id: id,
          content: [{ type: "text", text: text(input) }, PICTURE],
        })),
      });
    }
  },
  async chat() {
    const messages: Json[] = [{ role: "user", content: "Read the files." }];
    const tools = [{ type: "function", function: { name: TOOL.name, parameters: TOOL.schema } }];
    for (;;) {
      const { choices } = await stated("/chat/completions", { messages, tools });
      const message = (list(choices)[0]?.["message"] ?? {}) as Json;
      messages.push(message);
      const calls = list(message["tool_calls"]);
      if (calls.length === 0) return text(message["content"]);
      for (const { id } of calls) messages.push({ role: "tool", tool_call_id: id, content: "contents" });
    }
  },
  async responses() {
    const input: Json[] = [{ role: "user", content: "Read the files." }];
    const tools = [{ type: "function", name: TOOL.name, parameters: TOOL.schema, strict: false }];
    for (;;) {
      const include = ["reasoning.encrypted_content"];
      const { output } = await stated("/responses", { input, tools, store: false, include });
      input.push(...list(output));
      const calls = list(output).filter(({ type }) => type === "function_call");
      if (calls.length === 0) return text(list(list(output).at(-1)?.["content"])[0]?.["text"]);
      for (const { call_id } of calls) input.push({ type: "function_call_output", call_id, output: SEEN });
    }
  },
};

const FAILURES: readonly (readonly [string, WireAct])[] = [
  ["fails", reply(500, { error: { message: "down", type: "server_error" } })],
  ["breaks off", (_seen, outgoing) => void outgoing.destroy()],
];
const TURNS = [0, 1, 3];
/** Each provider first and each other one second. */
const CHAINS = MODELS.flatMap((first) =>
  MODELS.filter((second) => second !== first).map((second) => [first, second] as const),
);
const CASES = Object.keys(CLIENTS).flatMap((client) => CHAINS.map((chain) => [client, ...chain] as const));

it.each(thin(CASES, 7))(
  "%s: %s fails at any turn, %s serves it, and no turn is lost",
  async (client, first, second) => {
    await postern.ask("POST", "/routes", { name: "agent", models: [first, second] });
    for (const results of TURNS) {
      for (const [how, act] of FAILURES) {
        failing = { model: first, results, act };
        const before = (await postern.receipts(500)).length;
        const lastWord = await CLIENTS[client]?.();
        expect(lastWord, `${how} at ${results}`).toBe(`${results === 3 ? second : first} is done.`);
        expect(deviations, `${how} at ${results}`).toEqual([]);
        const receipts = (await postern.receipts(500)).slice(0, 3).toReversed();
        expect((await postern.receipts(500)).length).toBe(Math.min(500, before + 3));
        expect(receipts.map(({ outcome }) => outcome)).toEqual(["completed", "completed", "completed"]);
        expect(receipts.map(({ model }) => model)).toEqual(TURNS.map((turn) => (turn === results ? second : first)));
        await Promise.all(
          ["env_anthropic", "env_openai", "env_gemini", "env_mistral", "env_openai-compatible", "env_deepseek"].map(
            (id) => postern.control("POST", `/connections/${id}/test`).then((response) => response.text()),
          ),
        );
      }
    }
  },
);
