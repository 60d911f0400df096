import { describe, expect, test } from "vitest";
import { createChatUnits } from "../../../../gateway/core/chat/chat-usage.ts";

const ELEVEN = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };

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
    expect(createChatUnits(usage)).toBeNull();
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
      { ...ELEVEN, prompt_tokens_details: { cached_tokens: 99 } },
      { input: 0, cached_input: 10, output: 1 },
    ],
    [
      "cached and written more than prompt",
      { ...ELEVEN, prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 6 } },
      { input: 0, cached_input: 6, cache_write: 4, output: 1 },
    ],
    [
      "details that are no objects",
      { ...ELEVEN, total_tokens: undefined, prompt_tokens_details: null, completion_tokens_details: "x" },
      { input: 10, output: 1 },
    ],
    [
      "negative details",
      { ...ELEVEN, total_tokens: undefined, prompt_tokens_details: { cached_tokens: -5 } },
      { input: 10, output: 1 },
    ],
  ])("survives %s", (_, usage, units) => {
    expect(createChatUnits(usage)).toEqual(units);
  });
});
