import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { inputTokens, outputTokens } from "../../../gateway/core/money/price.ts";
import { reply, replyEvents } from "../../support/wire-provider.ts";
import { useGateway, useWire } from "../../support/use-gateway.ts";
import { claudeMessage, completionBody } from "../../support/acts.ts";
import { providersAt } from "../../support/running-gateway.ts";

/** What clients of each dialect are reported of usage is what the receipt says, however the provider counts. */

const wire = useWire();

beforeAll(async () => {
  wire.on("GET /compatible/v1/models", reply(200, { data: [{ id: "house-model" }] }));
});
const postern = useGateway(() => ({
  env: {
    ...providersAt({
      XAI: `${wire.origin}/xai/v1`,
      GEMINI: `${wire.origin}/gemini`,
      ANTHROPIC: `${wire.origin}/anthropic`,
    }),
    POSTERN_COMPATIBLE_BASE_URL: `${wire.origin}/compatible/v1`,
  },
}));
beforeEach(() => {
  wire.seen.length = 0;
});

type Json = Readonly<Record<string, unknown>>;

interface Provider {
  readonly model: string;
  readonly route: string;
  whole(usage: Json | null): Json;
  stream(usage: Json | null): readonly string[];
}

const event = (data: Json): string => `data: ${JSON.stringify(data)}\n\n`;
const named = (data: Json): string => `event: ${String(data["type"])}\n${event(data)}`;

const chatProvider = (model: string, route: string): Provider => {
  const head = { id: "c", created: 1, model };
  return {
    model,
    route: `POST ${route}/chat/completions`,
    whole: (usage) => completionBody("Hello there.", null, usage === null ? head : { ...head, usage }),
    stream: (usage) => [
      event({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: "Hello there." } }] }),
      event({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
      ...(usage === null ? [] : [event({ ...head, object: "chat.completion.chunk", choices: [], usage })]),
      "data: [DONE]\n\n",
    ],
  };
};
const XAI = chatProvider("grok-4.5", "/xai/v1");
const GEMINI = chatProvider("gemini-2.5-pro", "/gemini/v1beta/openai");
const COMPATIBLE = chatProvider("house-model", "/compatible/v1");
const ANTHROPIC: Provider = {
  model: "claude-sonnet-5-5",
  route: "POST /anthropic/v1/messages",
  whole: (usage) => claudeMessage("Hello there.", usage),
  stream: (usage) => [
    named({
      type: "message_start",
      message: { type: "message", role: "assistant", content: [], usage: { ...usage, output_tokens: 1 } },
    }),
    named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello there." } }),
    named({ type: "content_block_stop", index: 0 }),
    named({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: usage ?? {} }),
    named({ type: "message_stop" }),
  ],
};

const SHAPES: readonly (readonly [string, Provider, Json | null])[] = [
  [
    "reasoning and cached tokens within (OpenAI)",
    COMPATIBLE,
    {
      prompt_tokens: 2_006,
      completion_tokens: 300,
      total_tokens: 2_306,
      prompt_tokens_details: { cached_tokens: 1_920 },
      completion_tokens_details: { reasoning_tokens: 256 },
    },
  ],
  [
    "reasoning beside (xAI)",
    XAI,
    {
      prompt_tokens: 12,
      completion_tokens: 174,
      total_tokens: 314,
      completion_tokens_details: { reasoning_tokens: 128 },
    },
  ],
  [
    "reasoning within, though it is xAI",
    XAI,
    {
      prompt_tokens: 12,
      completion_tokens: 174,
      total_tokens: 186,
      completion_tokens_details: { reasoning_tokens: 128 },
    },
  ],
  [
    "reasoning beside, without a total (xAI)",
    XAI,
    { prompt_tokens: 12, completion_tokens: 174, completion_tokens_details: { reasoning_tokens: 128 } },
  ],
  ["thoughts in the total alone (Gemini)", GEMINI, { prompt_tokens: 9, completion_tokens: 28, total_tokens: 281 }],
  [
    "cached tokens beside the prompt",
    COMPATIBLE,
    { prompt_tokens: 100, completion_tokens: 10, total_tokens: 5_110, prompt_tokens_details: { cached_tokens: 5_000 } },
  ],
  [
    "cached and written tokens beside the prompt, without a total",
    COMPATIBLE,
    { prompt_tokens: 100, completion_tokens: 10, cache_read_input_tokens: 5_000, cache_creation_input_tokens: 70 },
  ],
  [
    "audio",
    COMPATIBLE,
    {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { audio_tokens: 60, cached_tokens: 20 },
      completion_tokens_details: { audio_tokens: 40 },
    },
  ],
  [
    "cache beside and thinking within (Anthropic)",
    ANTHROPIC,
    {
      input_tokens: 25,
      output_tokens: 60,
      cache_read_input_tokens: 400,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      output_tokens_details: { thinking_tokens: 40 },
    },
  ],
  ["none", COMPATIBLE, null],
];

interface Sums {
  readonly input: number;
  readonly output: number;
}

const number = (usage: Json, name: string): number => Number(usage[name] ?? 0);

/** How each dialect's clients ask, and how they read what they are reported. */
const CLIENTS = {
  chat: {
    path: "/chat/completions",
    body: { messages: [{ role: "user", content: "Hi" }], stream_options: undefined as unknown },
    streamed: { stream_options: { include_usage: true } },
    usageIn: (events: readonly Json[]) => events.findLast(({ usage }) => usage != null)?.["usage"] as Json | undefined,
    sums: (usage: Json): Sums => ({
      input: number(usage, "prompt_tokens"),
      // Where a provider speaks the client's own dialect its bytes pass, and its total is the sum of all.
      output: number(usage, "total_tokens") - number(usage, "prompt_tokens"),
    }),
  },
  messages: {
    path: "/messages",
    body: { max_tokens: 500, messages: [{ role: "user", content: "Hi" }] },
    streamed: {},
    usageIn: (events: readonly Json[]) => events.findLast(({ type }) => type === "message_delta")?.["usage"] as Json,
    sums: (usage: Json): Sums => ({
      input:
        number(usage, "input_tokens") +
        number(usage, "cache_read_input_tokens") +
        number(usage, "cache_creation_input_tokens"),
      output: number(usage, "output_tokens"),
    }),
  },
  responses: {
    path: "/responses",
    body: { input: "Hi" },
    streamed: {},
    usageIn: (events: readonly Json[]) => (events.at(-1)?.["response"] as Json | undefined)?.["usage"] as Json,
    sums: (usage: Json): Sums => ({ input: number(usage, "input_tokens"), output: number(usage, "output_tokens") }),
  },
} as const;

const sumsOf = ({ terms }: Receipt): Sums => {
  const units = Object.fromEntries(terms.map(({ unit, quantity }) => [unit, quantity]));
  return { input: inputTokens(units), output: outputTokens(units) };
};

describe.each(Object.entries(CLIENTS))("a client of %s", (dialect, client) => {
  const shapes = SHAPES.filter(([, provider, usage]) => {
    // What a provider of the client's own dialect says is passed on as it is, also where it says nothing or no total.
    const isOwn = dialect === "chat" && provider !== ANTHROPIC;
    return !isOwn || (usage !== null && usage["total_tokens"] !== undefined);
  });

  it.each(shapes)("learns what the receipt says: %s", async (_, provider, usage) => {
    wire.on(provider.route, reply(200, provider.whole(usage)));
    const response = await postern.post(client.path, { model: provider.model, ...client.body });
    const reported = ((await response.json()) as { usage: Json }).usage;
    expect(totalOf(client.sums(reported))).toBe(totalOf(sumsOf(await postern.receipt())));
    if (dialect !== "chat") expect(client.sums(reported)).toEqual(sumsOf(await postern.receipt()));
  });

  it.each(shapes)("learns what the receipt says at the end of a stream: %s", async (_, provider, usage) => {
    wire.on(provider.route, replyEvents(...provider.stream(usage)));
    const request = { model: provider.model, ...client.body, stream: true, ...client.streamed };
    const text = await (await postern.post(client.path, request)).text();
    const events = text
      .split("\n")
      .filter((line) => line.startsWith("data: {"))
      .map((line) => JSON.parse(line.slice(6)) as Json);
    const reported = client.usageIn(events) ?? {};
    expect(totalOf(client.sums(reported))).toBe(totalOf(sumsOf(await postern.receipt())));
    if (dialect !== "chat") expect(client.sums(reported)).toEqual(sumsOf(await postern.receipt()));
  });
});

const totalOf = ({ input, output }: Sums): number => input + output;
