import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { KEY } from "../../support/running-gateway.ts";
import {
  CALLS,
  SIGNATURE,
  WORDS,
  arkChat,
  chatSimulator,
  dashscopeChat,
  geminiChat,
  xaiChat,
} from "./simulators/chat-providers.ts";
import { Simulated } from "./simulators/simulated.ts";
import { CLIENT_HEADERS } from "./simulators/strict.ts";

/** Chat against simulators of the providers that refuse whatever docs/providers does not have, in the three dialects. */

const simulated = new Simulated();
beforeAll(() => simulated.start());
beforeEach(() => {
  chatSimulator(simulated.providers.dashscope, simulated.deviations, dashscopeChat);
  chatSimulator(simulated.providers.gemini, simulated.deviations, geminiChat);
  chatSimulator(simulated.providers.ark, simulated.deviations, arkChat);
  chatSimulator(simulated.providers.xai, simulated.deviations, xaiChat);
});
afterEach(() => expect(simulated.deviations.splice(0).join("\n")).toBe(""));
afterAll(() => simulated.close());

const MODELS = [
  ["qwen-plus", { input: 20, output: 7, reasoning: 5 }],
  ["qwen3-max", { input: 20, output: 7, reasoning: 5 }],
  ["gemini-3-pro-preview", { input: 9, output: 28, reasoning: 244 }],
  ["gemini-2.5-flash", { input: 9, output: 28, reasoning: 244 }],
  ["doubao-seed-1-6", { input: 20, output: 7, reasoning: 5 }],
  ["grok-4.3", { input: 12, output: 1, reasoning: 228 }],
  ["grok-code-fast-1", { input: 12, output: 1, reasoning: 228 }],
] as const;

const QUESTION = "What is the weather in Paris and Rome?";
const PARAMETERS = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const CHAT_TOOL: OpenAI.ChatCompletionTool = {
  type: "function",
  function: { name: "weather", description: "Tells the weather.", parameters: PARAMETERS },
};

function sdk(): OpenAI {
  const { url } = simulated.gateway;
  return new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0, defaultHeaders: CLIENT_HEADERS });
}

/** What a receipt counted, cached and uncached input together. */
async function counted(): Promise<Record<string, number>> {
  const { terms } = await simulated.gateway.receipt();
  const sums: Record<string, number> = {};
  for (const { unit, quantity } of terms ?? []) {
    const name = unit === "cached_input" ? "input" : unit;
    sums[name] = (sums[name] ?? 0) + quantity;
  }
  return sums;
}

const post = (path: string, body: unknown): Promise<Response> =>
  simulated.gateway.post(path, body, KEY, CLIENT_HEADERS);
/** Google gets back the very signature that it gave. */
function expectSignatures(model: string): void {
  if (!model.startsWith("gemini-")) return;
  const { json } = simulated.providers.gemini.seen.at(-1) ?? { json: null };
  expect(JSON.stringify(json).match(/"thought_signature":"([^"]*)"/)?.[1]).toBe(SIGNATURE);
}
/** A call as a client keeps it: what the dialect has, and Google's signature beside it. */
const kept = (call: OpenAI.ChatCompletionMessageFunctionToolCall & { extra_content?: unknown }) => ({
  id: call.id,
  type: call.type,
  function: { name: call.function.name, arguments: call.function.arguments },
  ...(call.extra_content === undefined ? {} : { extra_content: call.extra_content }),
});
const called = (calls: readonly { function: { name: string; arguments: string } }[]): unknown =>
  calls.map((call) => ({ name: call.function.name, arguments: call.function.arguments }));

describe.each(MODELS)("%s", (model, usage) => {
  it.each([false, true])("chat completions, streamed: %s › words, then usage on the receipt", async (stream) => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: "system", content: "Be short." },
      { role: "user", content: [{ type: "text", text: QUESTION }] },
    ];
    if (stream) {
      const runner = sdk().chat.completions.stream({ model, messages, max_tokens: 100, temperature: 0.5 });
      expect((await runner.finalChatCompletion()).choices[0]?.message.content).toBe(WORDS);
    } else {
      const response = await sdk().chat.completions.create({ model, messages, max_tokens: 100, temperature: 0.5 });
      expect(response.choices[0]?.message.content).toBe(WORDS);
    }
    expect(await counted()).toEqual(usage);
  });

  it.each([false, true])("chat completions, streamed: %s › two calls of a tool, and their results", async (stream) => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: QUESTION }];
    const asked: OpenAI.ChatCompletionCreateParamsNonStreaming = {
      model,
      messages,
      tools: [CHAT_TOOL],
      tool_choice: "auto",
      parallel_tool_calls: true,
    };
    const { choices } = stream
      ? await sdk()
          .chat.completions.stream({ ...asked, stream: true })
          .finalChatCompletion()
      : await sdk().chat.completions.create(asked);
    const response = choices[0]?.message;
    if (response === undefined) throw new Error("no answer");
    const calls = (response.tool_calls ?? []).filter((call) => call.type === "function");
    expect([choices[0]?.finish_reason, called(calls)]).toEqual(["tool_calls", CALLS]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    messages.push({ role: "assistant", content: null, tool_calls: calls.map(kept) });
    for (const { id } of calls) messages.push({ role: "tool", tool_call_id: id, content: "15 C" });
    const second = await sdk().chat.completions.create({ model, messages, tools: [CHAT_TOOL] });
    expect(second.choices[0]?.message.content).toBe(WORDS);
    expectSignatures(model);
  });

  it.each([false, true])(
    "messages, streamed: %s › as an agent asks, with thinking, tools and results",
    async (stream) => {
      const tools = [{ name: "weather", description: "Tells the weather.", input_schema: PARAMETERS }];
      const base = {
        model,
        max_tokens: 4_096,
        system: [{ type: "text", text: "Be short.", cache_control: { type: "ephemeral" } }],
        thinking: { type: "enabled", budget_tokens: 1_024 },
        metadata: { user_id: "opaque" },
        tools,
      };
      const messages: unknown[] = [{ role: "user", content: [{ type: "text", text: QUESTION }] }];
      const first = await post("/messages", { ...base, messages, stream });
      const { content, stop_reason: reason } = await messageOf(first, stream);
      const uses = content.filter(({ type }) => type === "tool_use");
      expect([reason, uses.map(({ input }) => input)]).toEqual(["tool_use", [{ city: "Paris" }, { city: "Rome" }]]);
      messages.push({ role: "assistant", content });
      messages.push({
        role: "user",
        content: uses.map(({ id }) => ({
          type: "tool_result",
          tool_use_id: id,
          content: [{ type: "text", text: "15 C" }],
        })),
      });
      const second = await post("/messages", { ...base, messages, stream });
      const said = (await messageOf(second, stream)).content.filter(({ type }) => type === "text");
      expect(said.map(({ text }) => text).join("")).toBe(WORDS);
      expectSignatures(model);
      expect(await counted()).toEqual(usage);
    },
  );

  it("responses › developer messages, calls, their outputs, and words", async () => {
    const tools = [
      { type: "function", name: "weather", description: "x", parameters: PARAMETERS, strict: false },
    ] as const;
    const input: OpenAI.Responses.ResponseInput = [
      { type: "message", role: "developer", content: [{ type: "input_text", text: "Be short." }] },
      { type: "message", role: "user", content: [{ type: "input_text", text: QUESTION }] },
    ];
    const asked = { model, input, store: false, reasoning: { effort: "medium" }, instructions: "Be kind." } as const;
    const first = await sdk().responses.create({ ...asked, tools: [...tools] });
    const calls = first.output.filter((item) => item.type === "function_call");
    expect(calls.map(({ name, arguments: given }) => ({ name, arguments: given }))).toEqual(CALLS);
    input.push(...(first.output as OpenAI.Responses.ResponseInput));
    for (const { call_id: id } of calls) input.push({ type: "function_call_output", call_id: id, output: "15 C" });
    const second = await sdk().responses.create({ ...asked, tools: [...tools] });
    expect(second.output_text).toBe(WORDS);
    expectSignatures(model);
  });
});

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly text?: string;
  readonly input?: unknown;
}
interface Message {
  readonly content: readonly Block[];
  readonly stop_reason: string;
}

/** A message, also from its events. */
async function messageOf(response: Response, stream: boolean): Promise<Message> {
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${body}`);
  if (!stream) return JSON.parse(body) as Message;
  const events = [...body.matchAll(/^data: (.+)$/gm)].map((match) => JSON.parse(match[1] ?? "") as StreamEvent);
  const blocks: { start: Block & { signature?: string }; words: string }[] = [];
  let reason = "";
  for (const { type, index = 0, content_block: block, delta } of events) {
    if (type === "content_block_start" && block !== undefined) blocks[index] = { start: block, words: "" };
    const known = blocks[index];
    if (type === "content_block_delta" && known !== undefined) {
      known.words += delta?.text ?? delta?.partial_json ?? delta?.thinking ?? "";
      if (delta?.signature !== undefined) known.start = { ...known.start, signature: delta.signature };
    }
    if (type === "message_delta") reason = delta?.stop_reason ?? "";
  }
  const content = blocks.map(({ start, words }) =>
    start.type === "tool_use"
      ? { ...start, input: JSON.parse(words === "" ? "{}" : words) as unknown }
      : { ...start, [start.type]: words },
  );
  return { content, stop_reason: reason };
}

interface StreamEvent {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: Block;
  readonly delta?: {
    readonly text?: string;
    readonly partial_json?: string;
    readonly thinking?: string;
    readonly signature?: string;
    readonly stop_reason?: string;
  };
}
