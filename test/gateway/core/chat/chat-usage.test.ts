import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createChatUnits } from "../../../../gateway/core/chat/chat-usage.ts";
import { inputTokens, outputTokens } from "../../../../gateway/core/money/price.ts";

/** Usage of the chat dialect. */
const usageOf = (prompt: number, completion: number, total?: number, ofPrompt?: object, ofCompletion?: object) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  ...(total === undefined ? {} : { total_tokens: total }),
  ...(ofPrompt === undefined ? {} : { prompt_tokens_details: ofPrompt }),
  ...(ofCompletion === undefined ? {} : { completion_tokens_details: ofCompletion }),
});
const reasoned = (reasoning_tokens: number) => ({ reasoning_tokens, audio_tokens: 0 });

describe("ways of counting", () => {
  test.each<[string, object, object, way?: "beside" | "within"]>([
    [
      "OpenAI: cached and reasoning tokens are parts of their sums",
      usageOf(
        2_006,
        300,
        2_306,
        { cached_tokens: 1_920, audio_tokens: 0 },
        { ...reasoned(256), accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
      ),
      { input: 86, cached_input: 1_920, output: 44, reasoning: 256 },
    ],
    [
      "OpenAI: a response that was used up by reasoning (chat rule 2)",
      usageOf(10, 64, 74, undefined, reasoned(64)),
      { input: 10, output: 0, reasoning: 64 },
    ],
    [
      "OpenAI: cache writes are a part of the prompt",
      usageOf(1_000, 5, undefined, { cached_tokens: 300, cache_write_tokens: 600 }),
      { input: 100, cached_input: 300, cache_write: 600, output: 5 },
    ],
    [
      "OpenAI: cache writes of 12 hours have a class of their own",
      usageOf(1_000, 5, undefined, {
        cached_tokens: 300,
        cache_write_tokens: 600,
        cache_write_tokens_details: { ttl_12h_tokens: 500, ttl_30m_tokens: 100 },
      }),
      { input: 100, cached_input: 300, cache_write: 100, cache_write_1h: 500, output: 5 },
    ],
    [
      "xAI: reasoning is beside the completion, which the total shows",
      {
        ...usageOf(12, 1, 241, { text_tokens: 12, audio_tokens: 0, image_tokens: 0, cached_tokens: 2 }, reasoned(228)),
        cost_in_usd_ticks: 1_176_500,
      },
      { input: 10, cached_input: 2, output: 1, reasoning: 228 },
    ],
    [
      "xAI: the total shows it also where the response is longer than the reasoning",
      usageOf(12, 300, 540, undefined, reasoned(228)),
      { input: 12, output: 300, reasoning: 228 },
    ],
    [
      "xAI: beside, as told by its adapter, where the total is missing",
      usageOf(12, 300, undefined, undefined, reasoned(228)),
      { input: 12, output: 300, reasoning: 228 },
      "beside",
    ],
    [
      "within, as told by its adapter, where the total is missing",
      usageOf(12, 300, undefined, undefined, reasoned(228)),
      { input: 12, output: 72, reasoning: 228 },
      "within",
    ],
    [
      "within, as told by nobody",
      usageOf(12, 300, undefined, undefined, reasoned(228)),
      { input: 12, output: 72, reasoning: 228 },
    ],
    [
      "more reasoning than completion can only be beside it",
      usageOf(12, 1, undefined, undefined, reasoned(228)),
      { input: 12, output: 1, reasoning: 228 },
    ],
    [
      "a server in between that sums up what it knows of changes nothing",
      usageOf(12, 1, 13, undefined, reasoned(228)),
      { input: 12, output: 1, reasoning: 228 },
    ],
    [
      "the total goes before what is usual at the provider: within",
      usageOf(12, 174, 186, undefined, reasoned(128)),
      { input: 12, output: 46, reasoning: 128 },
      "beside",
    ],
    [
      "the total goes before what is usual at the provider: beside",
      usageOf(12, 174, 314, undefined, reasoned(128)),
      { input: 12, output: 174, reasoning: 128 },
      "within",
    ],
    [
      "DashScope: cache creation among the prompt's details",
      usageOf(500, 9, 509, { cache_creation_input_tokens: 400 }),
      { input: 100, cache_write: 400, output: 9 },
    ],
    ["Ollama: three sums and nothing else", usageOf(26, 298, 324), { input: 26, output: 298 }],
    [
      "text, image and audio details are parts of the same sums",
      usageOf(100, 20, undefined, { text_tokens: 30, image_tokens: 50, audio_tokens: 20 }),
      { input: 30, image_input: 50, audio_input: 20, output: 20 },
    ],
    [
      "audio is a class of its own, in and out",
      usageOf(
        100,
        20,
        120,
        { cached_tokens: 50, audio_tokens: 30 },
        { audio_tokens: 15, reasoning_tokens: 2, image_tokens: 1 },
      ),
      { input: 20, cached_input: 50, audio_input: 30, output: 2, reasoning: 2, audio_output: 15, image_output: 1 },
    ],
    [
      "audio that does not fit beside what was cached was cached",
      usageOf(100, 1, undefined, { cached_tokens: 80, audio_tokens: 30 }),
      { input: 0, cached_input: 70, audio_input: 20, cached_audio_input: 10, output: 1 },
    ],
    [
      "searches are counted",
      { ...usageOf(10, 1), server_tool_use: { web_search_requests: 3 } },
      { input: 10, output: 1, web_search: 3 },
    ],
  ])("%s", (_, usage, units, way) => {
    expect(way === undefined ? createChatUnits(usage) : createChatUnits(usage, way)).toEqual(units);
  });

  test.each([
    ["told by nobody", {}, { output: 20, reasoning: 50 }],
    ["told in part, within", { reasoning_tokens: 15 }, { output: 20, reasoning: 50 }],
  ])("what only the total has is reasoning, %s", (_, completion_tokens_details, units) => {
    const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 80, completion_tokens_details };
    expect(createChatUnits(usage, "beside")).toMatchObject({ input: 10, ...units });
  });

  const extra = { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 40 } };
  test.each([
    ["within, by the total", { total_tokens: 110 }, { input: 60, cached_input: 40, output: 10 }],
    ["beside, by the total", { total_tokens: 150 }, { input: 100, cached_input: 40, output: 10 }],
    ["within, without a total", {}, { input: 60, cached_input: 40, output: 10 }],
    [
      "beside, as there are more of them than the prompt has",
      { prompt_tokens_details: { cached_tokens: 5_000, cache_write_tokens: 7 } },
      { input: 100, cached_input: 5_000, cache_write: 7, output: 10 },
    ],
    [
      "beside, and reasoning beside too",
      { total_tokens: 157, completion_tokens_details: { reasoning_tokens: 7 } },
      { input: 100, cached_input: 40, output: 10, reasoning: 7 },
    ],
  ])("cached tokens are %s", (_, fields, units) => {
    expect(createChatUnits({ ...extra, ...fields })).toEqual(units);
  });

  test.each([
    ["DeepSeek", { prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 }],
    ["LiteLLM", { cache_read_input_tokens: 64 }],
    ["Moonshot", { cached_tokens: 64 }],
  ])("%s names its cache hits otherwise", (_, fields) => {
    expect(createChatUnits({ prompt_tokens: 100, completion_tokens: 5, ...fields })).toEqual({
      input: 36,
      cached_input: 64,
      output: 5,
    });
  });
});

describe("for any figures", () => {
  const figure = fc.oneof(
    fc.nat(1_000_000),
    fc.integer(),
    fc.double(),
    fc.string(),
    fc.constant(null),
    fc.constant(undefined),
  );
  const usage = fc.record({
    prompt_tokens: fc.nat(1_000_000),
    completion_tokens: fc.nat(1_000_000),
    total_tokens: figure,
    prompt_tokens_details: fc.record({
      cached_tokens: figure,
      cache_write_tokens: figure,
      cache_creation_input_tokens: figure,
      audio_tokens: figure,
      image_tokens: figure,
    }),
    completion_tokens_details: fc.record({ reasoning_tokens: figure, audio_tokens: figure, image_tokens: figure }),
  });
  const way = fc.constantFrom("within" as const, "beside" as const);

  test("classes are whole numbers, none negative, and no fewer than was reported", () => {
    fc.assert(
      fc.property(usage, way, (given, reasoning) => {
        const units = createChatUnits(given, reasoning) ?? { input: 0, output: 0 };
        expect(Object.values(units).every((quantity) => Number.isSafeInteger(quantity) && quantity >= 0)).toBe(true);
        expect(inputTokens(units)).toBeGreaterThanOrEqual(given.prompt_tokens);
        expect(outputTokens(units)).toBeGreaterThanOrEqual(given.completion_tokens);
      }),
    );
  });

  test("the sums of the classes are the total, where it is no smaller than its parts", () => {
    const count = fc.nat(1_000_000);
    const parts = fc.record({ prompt: count, completion: count, cached: count, reasoning: count, audio: count });
    fc.assert(
      fc.property(parts, count, fc.boolean(), fc.boolean(), (given, hidden, cacheBeside, reasoningBeside) => {
        const cached = cacheBeside ? given.cached : Math.min(given.cached, given.prompt);
        const reasoning = reasoningBeside ? given.reasoning : Math.min(given.reasoning, given.completion);
        const total =
          given.prompt + given.completion + (cacheBeside ? cached : 0) + (reasoningBeside ? reasoning : 0) + hidden;
        fc.pre(given.prompt + given.completion > 0);
        const units = createChatUnits({
          prompt_tokens: given.prompt,
          completion_tokens: given.completion,
          total_tokens: total,
          prompt_tokens_details: { cached_tokens: cached, audio_tokens: given.audio },
          completion_tokens_details: { reasoning_tokens: reasoning },
        });
        expect(inputTokens(units ?? {}) + outputTokens(units ?? {})).toBe(total);
      }),
    );
  });
});

test("takes anything for a usage", () => {
  fc.assert(
    fc.property(fc.anything(), (usage) => {
      expect(() => createChatUnits(usage)).not.toThrow();
    }),
  );
});
