import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatUnits } from "../../../../gateway/core/chat/chat-usage.ts";
import { inputTokens, outputTokens } from "../../../../gateway/core/money/price.ts";

describe("ways of counting", () => {
  test("OpenAI: cached and reasoning tokens are parts of their sums", () => {
    const usage = {
      prompt_tokens: 2_006,
      completion_tokens: 300,
      total_tokens: 2_306,
      prompt_tokens_details: { cached_tokens: 1_920, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 256,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    };
    expect(chatUnits(usage)).toEqual({ input: 86, cached_input: 1_920, output: 44, reasoning: 256 });
  });

  test("OpenAI: a response that was used up by reasoning (chat rule 2)", () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 64,
      total_tokens: 74,
      completion_tokens_details: { reasoning_tokens: 64 },
    };
    expect(chatUnits(usage)).toEqual({ input: 10, output: 0, reasoning: 64 });
  });

  test("OpenAI: cache writes are a part of the prompt", () => {
    const usage = {
      prompt_tokens: 1_000,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 300, cache_write_tokens: 600 },
    };
    expect(chatUnits(usage)).toEqual({ input: 100, cached_input: 300, cache_write: 600, output: 5 });
  });

  test("xAI: reasoning is beside the completion, which the total shows", () => {
    const usage = {
      prompt_tokens: 12,
      completion_tokens: 1,
      total_tokens: 241,
      prompt_tokens_details: { text_tokens: 12, audio_tokens: 0, image_tokens: 0, cached_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 228, audio_tokens: 0 },
      cost_in_usd_ticks: 1_176_500,
    };
    expect(chatUnits(usage)).toEqual({ input: 10, cached_input: 2, output: 1, reasoning: 228 });
  });

  test("xAI: the total shows it also where the response is longer than the reasoning", () => {
    const usage = {
      prompt_tokens: 12,
      completion_tokens: 300,
      total_tokens: 540,
      completion_tokens_details: { reasoning_tokens: 228 },
    };
    expect(chatUnits(usage)).toEqual({ input: 12, output: 300, reasoning: 228 });
  });

  test("xAI: told by its adapter, where the total is missing", () => {
    const usage = { prompt_tokens: 12, completion_tokens: 300, completion_tokens_details: { reasoning_tokens: 228 } };
    expect(chatUnits(usage, "beside")).toEqual({ input: 12, output: 300, reasoning: 228 });
    expect(chatUnits(usage, "within")).toEqual({ input: 12, output: 72, reasoning: 228 });
    expect(chatUnits(usage)).toEqual({ input: 12, output: 72, reasoning: 228 });
  });

  test("more reasoning than completion can only be beside it", () => {
    const usage = { prompt_tokens: 12, completion_tokens: 1, completion_tokens_details: { reasoning_tokens: 228 } };
    expect(chatUnits(usage)).toEqual({ input: 12, output: 1, reasoning: 228 });
    // A server in between that sums up what it knows of changes nothing.
    expect(chatUnits({ ...usage, total_tokens: 13 })).toEqual({ input: 12, output: 1, reasoning: 228 });
  });

  test("the total goes before what is usual at the provider", () => {
    const usage = {
      prompt_tokens: 12,
      completion_tokens: 174,
      total_tokens: 186,
      completion_tokens_details: { reasoning_tokens: 128 },
    };
    expect(chatUnits(usage, "beside")).toEqual({ input: 12, output: 46, reasoning: 128 });
    expect(chatUnits({ ...usage, total_tokens: 314 }, "within")).toEqual({ input: 12, output: 174, reasoning: 128 });
  });

  test.each([
    ["told by nobody", {}, { output: 20, reasoning: 50 }],
    ["told in part, within", { reasoning_tokens: 15 }, { output: 20, reasoning: 50 }],
  ])("what only the total has is reasoning, %s", (_, completion_tokens_details, units) => {
    const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 80, completion_tokens_details };
    expect(chatUnits(usage, "beside")).toMatchObject({ input: 10, ...units });
  });

  const beside = { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 40 } };
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
    expect(chatUnits({ ...beside, ...fields })).toEqual(units);
  });

  test("DashScope: cache creation among the prompt's details", () => {
    const usage = {
      prompt_tokens: 500,
      completion_tokens: 9,
      total_tokens: 509,
      prompt_tokens_details: { cache_creation_input_tokens: 400 },
    };
    expect(chatUnits(usage)).toEqual({ input: 100, cache_write: 400, output: 9 });
  });

  test.each([
    ["DeepSeek", { prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 }],
    ["LiteLLM", { cache_read_input_tokens: 64 }],
    ["Moonshot", { cached_tokens: 64 }],
  ])("%s names its cache hits otherwise", (_, fields) => {
    expect(chatUnits({ prompt_tokens: 100, completion_tokens: 5, ...fields })).toEqual({
      input: 36,
      cached_input: 64,
      output: 5,
    });
  });

  test("Ollama: three sums and nothing else", () => {
    expect(chatUnits({ prompt_tokens: 26, completion_tokens: 298, total_tokens: 324 })).toEqual({
      input: 26,
      output: 298,
    });
  });

  test("text, image and audio details are parts of the same sums", () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      prompt_tokens_details: { text_tokens: 30, image_tokens: 50, audio_tokens: 20 },
    };
    expect(chatUnits(usage)).toEqual({ input: 30, image_input: 50, audio_input: 20, output: 20 });
  });

  test("audio is a class of its own, in and out", () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 50, audio_tokens: 30 },
      completion_tokens_details: { audio_tokens: 15, reasoning_tokens: 2, image_tokens: 1 },
    };
    expect(chatUnits(usage)).toEqual({
      input: 20,
      cached_input: 50,
      audio_input: 30,
      output: 2,
      reasoning: 2,
      audio_output: 15,
      image_output: 1,
    });
  });

  test("audio that does not fit beside what was cached was cached", () => {
    const prompt_tokens_details = { cached_tokens: 80, audio_tokens: 30 };
    expect(chatUnits({ prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details })).toEqual({
      input: 0,
      cached_input: 70,
      audio_input: 20,
      cached_audio_input: 10,
      output: 1,
    });
  });

  test("searches are counted", () => {
    const server_tool_use = { web_search_requests: 3 };
    expect(chatUnits({ prompt_tokens: 10, completion_tokens: 1, server_tool_use })).toEqual({
      input: 10,
      output: 1,
      web_search: 3,
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
        const units = chatUnits(given, reasoning) ?? { input: 0, output: 0 };
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
        const units = chatUnits({
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
      expect(() => chatUnits(usage)).not.toThrow();
    }),
  );
});
