import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatUnits } from "../../../../gateway/core/chat/chat-usage.ts";

describe("ways of counting (upstreams reference 0.3)", () => {
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

  test("OpenAI: an answer that was used up by reasoning (chat rule 2)", () => {
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

  test("xAI: the total shows it also where the answer is longer than the reasoning", () => {
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
    expect(chatUnits(usage, "within")).toEqual({ input: 12, output: 0, reasoning: 1 });
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
    expect(chatUnits(usage)).toEqual({ input: 100, output: 20 });
  });
});

describe("figures that lie", () => {
  test.each([
    ["nothing", undefined],
    ["null", null],
    ["a string", "12"],
    ["an array", [1]],
    ["an empty object", {}],
    ["only a total", { total_tokens: 5 }],
    ["zeros", { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
    ["negative sums", { prompt_tokens: -1, completion_tokens: -1 }],
    ["no finite number", { prompt_tokens: NaN, completion_tokens: Infinity }],
    ["absurd sums", { prompt_tokens: 1e308, completion_tokens: 9e15 }],
  ])("%s is no usage", (_, usage) => {
    expect(chatUnits(usage)).toBeNull();
  });

  test.each([
    ["numbers as strings", { prompt_tokens: "12", completion_tokens: "3" }, { input: 12, output: 3 }],
    ["fractions", { prompt_tokens: 11.6, completion_tokens: 3.2 }, { input: 12, output: 3 }],
    [
      "a missing completion that the total gives away",
      { prompt_tokens: 12, total_tokens: 15 },
      { input: 12, output: 3 },
    ],
    [
      "a missing prompt that the total gives away",
      { completion_tokens: 3, total_tokens: 15 },
      { input: 12, output: 3 },
    ],
    ["a missing completion", { prompt_tokens: 12 }, { input: 12, output: 0 }],
    [
      "more cached than prompt",
      { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 99 } },
      { input: 0, cached_input: 10, output: 1 },
    ],
    [
      "cached and written more than prompt",
      { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 6 } },
      { input: 0, cached_input: 6, cache_write: 4, output: 1 },
    ],
    [
      "details that are no objects",
      { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: null, completion_tokens_details: "x" },
      { input: 10, output: 1 },
    ],
    [
      "negative details",
      { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: -5 } },
      { input: 10, output: 1 },
    ],
  ])("survives %s", (_, usage, units) => {
    expect(chatUnits(usage)).toEqual(units);
  });
});

test("for any figures: whole numbers, none negative, no token in two classes", () => {
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
    }),
    completion_tokens_details: fc.record({ reasoning_tokens: figure }),
  });
  fc.assert(
    fc.property(usage, (given) => {
      const units = chatUnits(given, "within") ?? { input: 0, output: 0 };
      const { input = 0, cached_input = 0, cache_write = 0, output = 0, reasoning = 0 } = units;
      expect(Object.values(units).every((quantity) => Number.isSafeInteger(quantity) && quantity >= 0)).toBe(true);
      expect(input + cached_input + cache_write).toBe(given.prompt_tokens);
      expect(output + reasoning).toBe(given.completion_tokens);
      const detected = chatUnits(given) ?? { input: 0 };
      expect((detected.input ?? 0) + (detected.cached_input ?? 0) + (detected.cache_write ?? 0)).toBe(
        given.prompt_tokens,
      );
    }),
  );
});

test("where thoughts are the rest of the total, all tokens of the total are billed, each once", () => {
  const count = fc.nat(1_000_000);
  fc.assert(
    fc.property(count, fc.integer({ min: 1, max: 1_000_000 }), count, (prompt, completion, thoughts) => {
      const total = prompt + completion + thoughts;
      const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total };
      for (const given of [usage, { ...usage, completion_tokens_details: { reasoning_tokens: thoughts } }]) {
        const { input = 0, output = 0, reasoning = 0 } = chatUnits(given, "rest") ?? {};
        expect([input, output, reasoning]).toEqual([prompt, completion, thoughts]);
      }
    }),
  );
});

test("takes anything for a usage", () => {
  fc.assert(
    fc.property(fc.anything(), (usage) => {
      expect(() => chatUnits(usage)).not.toThrow();
    }),
  );
});
