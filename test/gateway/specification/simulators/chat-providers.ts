import * as z from "zod";
import { reply, replyEvents } from "../../../support/wire-provider.ts";
import type { WireAct, WireSeen, WireProvider } from "../../../support/wire-provider.ts";
import { chatSchema, chunksOf, messagesSchema, strictly } from "./strict.ts";
import type { Deviations } from "./strict.ts";

/** Chat of DashScope, Gemini, Ark and xAI, each as its page of docs/providers/README.md shows its responses. */

export const KEYS = {
  dashscope: "sk-dashscope-sim",
  gemini: "AIza-sim",
  ark: "ark-sim",
  xai: "xai-sim",
} as const;

interface ChatAsked {
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages: readonly { readonly role: string; readonly tool_calls?: readonly object[] }[];
}

/** A provider's answers in its own manner: the words, the calls of its tools, both whole and in chunks. */
interface Manner {
  readonly route: string;
  readonly key: string;
  readonly body: z.ZodType;
  readonly words: object;
  readonly calls: object;
  readonly wordChunks: readonly string[];
  readonly callChunks: readonly string[];
}

/** Calls of tools come when there are tools and no result is there yet. */
function answering({ words, calls, wordChunks, callChunks }: Manner): WireAct {
  return (seen: WireSeen, outgoing) => {
    const { stream, tools, messages } = seen.json as ChatAsked;
    const wants = tools !== undefined && messages.at(-1)?.role === "user";
    if (stream === true) return replyEvents(...(wants ? callChunks : wordChunks))(seen, outgoing);
    return reply(200, wants ? calls : words)(seen, outgoing);
  };
}

export function chatSimulator(provider: WireProvider, deviations: Deviations, manner: Manner): void {
  const { route, key, body } = manner;
  provider.on(route, strictly(deviations, { auth: ["authorization", `Bearer ${key}`], body }, answering(manner)));
}

export const THOUGHT = "Let me think.";
export const WORDS = "It is sunny.";
export const CALLS = [
  { name: "weather", arguments: '{"city":"Paris"}' },
  { name: "weather", arguments: '{"city":"Rome"}' },
] as const;

const choice = (message: object, finish: string): object => ({ index: 0, message, finish_reason: finish });
const delta = (value: object, finish: string | null = null): object => ({
  choices: [{ delta: value, finish_reason: finish, index: 0, logprobs: null }],
  usage: null,
});

const thinking = z.strictObject({ type: z.enum(["enabled", "disabled", "auto"]) }).optional();
const reasoning = { reasoning_content: z.string().optional() };

const qwenUsage = {
  prompt_tokens: 20,
  completion_tokens: 12,
  total_tokens: 32,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 5 },
};
const qwenHead = {
  object: "chat.completion.chunk",
  created: 1_770_000_000,
  id: "chatcmpl-q",
  model: "qwen-plus",
  system_fingerprint: null,
};

/**
 * Continuations of a call carry an empty id; the finishing chunk may carry empty arguments
 * (docs/providers/dashscope.md#chat).
 */
export const dashscopeChat: Manner = {
  route: "POST /compatible-mode/v1/chat/completions",
  key: KEYS.dashscope,
  body: chatSchema({
    messages: messagesSchema(reasoning),
    enable_thinking: z.boolean().optional(),
    thinking_budget: z.int().min(0).optional(),
    enable_search: z.boolean().optional(),
    top_k: z.int().optional(),
    logprobs: z.boolean().optional(),
    top_logprobs: z.int().optional(),
  }),
  words: {
    choices: [choice({ content: WORDS, reasoning_content: THOUGHT, role: "assistant" }, "stop")],
    object: "chat.completion",
    usage: qwenUsage,
    created: 1_770_000_000,
    system_fingerprint: null,
    model: "qwen-plus",
    id: "chatcmpl-q",
  },
  calls: {
    choices: [
      choice(
        {
          content: "",
          role: "assistant",
          tool_calls: CALLS.map((one, index) => ({ function: one, id: `call_q${index}`, index, type: "function" })),
        },
        "tool_calls",
      ),
    ],
    object: "chat.completion",
    usage: qwenUsage,
    created: 1_770_000_000,
    model: "qwen-plus",
    id: "chatcmpl-q",
  },
  wordChunks: chunksOf(qwenHead, [
    delta({ content: "", role: "assistant" }),
    delta({ content: null, reasoning_content: THOUGHT }),
    delta({ content: "It is ", reasoning_content: null }),
    delta({ content: "sunny." }),
    delta({ content: "" }, "stop"),
    { choices: [], usage: qwenUsage },
  ]),
  callChunks: chunksOf(qwenHead, [
    delta({ content: "", role: "assistant" }),
    ...CALLS.flatMap(({ name, arguments: whole }, index) => [
      delta({ tool_calls: [{ function: { name, arguments: "" }, id: `call_q${index}`, index, type: "function" }] }),
      delta({ tool_calls: [{ function: { arguments: whole.slice(0, 5) }, id: "", index, type: "function" }] }),
      delta({ tool_calls: [{ function: { arguments: whole.slice(5) }, id: "", index, type: "function" }] }),
    ]),
    delta({ tool_calls: [{ function: { arguments: "" }, id: "", index: 1, type: "function" }] }, "tool_calls"),
    { choices: [], usage: qwenUsage },
  ]),
};

const arkUsage = {
  prompt_tokens: 20,
  completion_tokens: 12,
  total_tokens: 32,
  prompt_tokens_details: { cached_tokens: 3 },
  completion_tokens_details: { reasoning_tokens: 5 },
};
const whole = (model: string, usage: object, message: object, finish: string): object => ({
  id: "c-1",
  object: "chat.completion",
  created: 1_770_000_000,
  model,
  choices: [choice({ role: "assistant", ...message }, finish)],
  usage,
});
const callsOf = (id: string, extra: (index: number) => object = () => ({})): object[] =>
  CALLS.map((one, index) => ({ id: `${id}${index}`, type: "function", function: one, ...extra(index) }));
const chunkHead = (model: string): Record<string, unknown> => ({
  id: "c-1",
  object: "chat.completion.chunk",
  created: 1_770_000_000,
  model,
});

export const arkChat: Manner = {
  route: "POST /api/v3/chat/completions",
  key: KEYS.ark,
  body: chatSchema({
    messages: messagesSchema(reasoning),
    thinking,
    reasoning_effort: z.enum(["minimal", "low", "medium", "high"]).optional(),
  }),
  words: whole("doubao-seed-1-6", arkUsage, { content: WORDS, reasoning_content: THOUGHT }, "stop"),
  calls: whole("doubao-seed-1-6", arkUsage, { content: "", tool_calls: callsOf("call_a") }, "tool_calls"),
  wordChunks: chunksOf(chunkHead("doubao-seed-1-6"), [
    delta({ role: "assistant", content: "", reasoning_content: THOUGHT }),
    delta({ content: WORDS }),
    delta({ content: "" }, "stop"),
    { choices: [], usage: arkUsage },
  ]),
  callChunks: chunksOf(chunkHead("doubao-seed-1-6"), [
    ...callsOf("call_a").map((one, index) =>
      delta({ role: "assistant", content: "", tool_calls: [{ ...one, index }] }),
    ),
    delta({ content: "" }, "tool_calls"),
    { choices: [], usage: arkUsage },
  ]),
};

/** `completion_tokens` excludes reasoning: 12 + 1 + 228 = 241 (docs/providers/xai.md#chat). */
const grokUsage = {
  prompt_tokens: 12,
  completion_tokens: 1,
  total_tokens: 241,
  prompt_tokens_details: { text_tokens: 12, audio_tokens: 0, image_tokens: 0, cached_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 228, audio_tokens: 0 },
  num_sources_used: 0,
  cost_in_usd_ticks: 1_176_500,
};

export const xaiChat: Manner = {
  route: "POST /v1/chat/completions",
  key: KEYS.xai,
  body: chatSchema({
    messages: messagesSchema(reasoning),
    reasoning_effort: z.enum(["none", "low", "medium", "high", "xhigh"]).optional(),
    max_completion_tokens: z.int().min(1).optional(),
    deferred: z.boolean().optional(),
    logprobs: z.boolean().optional(),
    top_logprobs: z.int().optional(),
  }),
  words: whole("grok-4.3", grokUsage, { content: WORDS, reasoning_content: THOUGHT, refusal: null }, "stop"),
  calls: whole("grok-4.3", grokUsage, { content: "", tool_calls: callsOf("call_x") }, "tool_calls"),
  wordChunks: chunksOf(chunkHead("grok-4.3"), [
    delta({ role: "assistant", reasoning_content: THOUGHT }),
    delta({ content: WORDS }),
    delta({}, "stop"),
    { choices: [], usage: grokUsage },
  ]),
  callChunks: chunksOf(chunkHead("grok-4.3"), [
    delta({ role: "assistant", content: "", tool_calls: callsOf("call_x").map((one, index) => ({ ...one, index })) }),
    delta({}, "tool_calls"),
    { choices: [], usage: grokUsage },
  ]),
};

const geminiUsage = { prompt_tokens: 9, completion_tokens: 28, total_tokens: 281 };
export const SIGNATURE = "c2lnbmF0dXJl";
/**
 * What Google takes for the signature of a call that another model made
 * (docs/providers/gemini.md#layer-for-openai-clients).
 */
const STAND_IN = "skip_thought_signature_validator";
/** The signature of a call, which must come back with it (docs/providers/gemini.md#layer-for-openai-clients). */
const signature = (index: number): object =>
  index === 0 ? { extra_content: { google: { thought_signature: SIGNATURE } } } : {};
const signed = z.strictObject({ google: z.strictObject({ thought_signature: z.enum([SIGNATURE, STAND_IN]) }) });

export const geminiChat: Manner = {
  route: "POST /v1beta/openai/chat/completions",
  key: KEYS.gemini,
  body: chatSchema({
    messages: messagesSchema({}, signed),
    reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high"]).optional(),
    max_completion_tokens: z.int().min(1).optional(),
    extra_body: z
      .strictObject({
        google: z.strictObject({
          thinking_config: z
            .strictObject({
              thinking_budget: z.int().optional(),
              thinking_level: z.string().optional(),
              include_thoughts: z.boolean().optional(),
            })
            .optional(),
          cached_content: z.string().optional(),
        }),
      })
      .optional(),
  }).superRefine((body, context) => {
    const { model, messages, reasoning_effort, extra_body } = body as {
      model: string;
      messages?: { tool_calls?: { extra_content?: unknown }[] }[];
      reasoning_effort?: string;
      extra_body?: unknown;
    };
    for (const { tool_calls: calls } of model.includes("gemini-3") ? (messages ?? []) : []) {
      if (calls !== undefined && calls[0]?.extra_content === undefined)
        context.addIssue("a thought signature is missing");
    }
    if (reasoning_effort !== undefined && JSON.stringify(extra_body ?? "").includes("thinking_config")) {
      context.addIssue("reasoning_effort and thinking_config at once");
    }
  }),
  words: whole("gemini-3-pro-preview", geminiUsage, { content: WORDS }, "stop"),
  calls: whole("gemini-3-pro-preview", geminiUsage, { tool_calls: callsOf("call_g", signature) }, "tool_calls"),
  wordChunks: chunksOf(chunkHead("gemini-3-pro-preview"), [
    { choices: [{ index: 0, delta: { role: "assistant", content: "It is " } }] },
    {
      choices: [{ index: 0, delta: { role: "assistant", content: "sunny." }, finish_reason: "stop" }],
      usage: geminiUsage,
    },
  ]),
  callChunks: chunksOf(chunkHead("gemini-3-pro-preview"), [
    {
      choices: [
        {
          index: 0,
          delta: {
            role: "assistant",
            tool_calls: callsOf("call_g", signature).map((one) => ({ ...one, index: 0 })),
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: geminiUsage,
    },
  ]),
};
