import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ASSUMED_PRICE,
  estimateHold,
  estimatePromptTokens,
  estimateTextTokens,
} from "../../../../gateway/core/money/estimate.ts";
import type { ModelSpec, Price } from "../../../../gateway/core/models/model.ts";
import { priceUnits } from "../../../../gateway/core/money/price.ts";

const usd = (amount: number) => Math.round(amount * 1e9);
const price: Price = {
  tiers: [
    { above: 0, rates: { input: usd(1), output: usd(10) } },
    { above: 1_000, rates: { input: usd(2), output: usd(20) } },
  ],
  source: "s",
  as_of: "2026-11-20",
};
const small: ModelSpec = {
  id: "m",
  owner: "o",
  displayName: "M",
  aliases: [],
  capabilities: ["chat"],
  contextLength: 8_192,
  maxOutput: 1_000,
  price,
  created: 0,
};
const ask = (fields: object = {}) => ({ model: "m", messages: [{ role: "user", content: "hello" }], ...fields });

describe("text", () => {
  test.each([
    ["", 0],
    ["abcdefgh", 2],
    ["你好世界", 4],
    ["你好 ok", 2.75],
    ["🙂", 1.25],
  ])("%j is about %d tokens", (text, tokens) => {
    expect(estimateTextTokens(text)).toBe(tokens);
  });

  test("never negative, and never less than a quarter of the characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(estimateTextTokens(text)).toBeGreaterThanOrEqual(text.length / 4);
      }),
    );
  });
});

describe("prompt", () => {
  test("each message adds its overhead", () => {
    const one = estimatePromptTokens(ask());
    const two = estimatePromptTokens({
      messages: [
        { role: "user", content: "hello" },
        { role: "user", content: "hello" },
      ],
    });
    expect(two).toBeGreaterThan(one + 4);
  });

  test.each([
    [
      "an image, however large its data is",
      { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(5_000_000)}` } },
      1_600,
      1_700,
    ],
    ["a video", { type: "video_url", video_url: { url: "https://example.com/a.mp4" } }, 6_000, 6_100],
    ["a short sound", { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }, 6_000, 6_100],
    ["a large file", { type: "file", file: { file_data: "A".repeat(4_000_000) } }, 20_000, 20_100],
    ["an unknown block", { type: "hologram", text: "a".repeat(400) }, 100, 130],
  ])("counts %s", (_, block, least, most) => {
    const tokens = estimatePromptTokens({ messages: [{ role: "user", content: [block] }] });
    expect(tokens).toBeGreaterThanOrEqual(least);
    expect(tokens).toBeLessThanOrEqual(most);
  });

  test("tools and tool calls count", () => {
    const parameters = { type: "object", properties: { city: { type: "string", description: "a".repeat(400) } } };
    const tools = [{ type: "function", function: { name: "get_weather", parameters } }];
    expect(estimatePromptTokens(ask({ tools }))).toBeGreaterThan(estimatePromptTokens(ask()) + 100);
    const calls = {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", function: { name: "f", arguments: "a".repeat(400) } }],
    };
    expect(estimatePromptTokens({ messages: [calls] })).toBeGreaterThan(100);
  });

  test("takes any JSON, and answers with a whole number", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const tokens = estimatePromptTokens({ messages: [{ role: "user", content: value }, value], tools: value });
        expect(Number.isSafeInteger(tokens) && tokens >= 0).toBe(true);
      }),
    );
  });
});

describe("hold", () => {
  test.each([
    ["max_tokens", { max_tokens: 100 }, 100, false],
    ["max_completion_tokens before max_tokens", { max_tokens: 100, max_completion_tokens: 50 }, 50, false],
    ["the model's own maximum", { max_tokens: 100_000 }, 1_000, false],
    ["n answers", { max_tokens: 100, n: 3 }, 300, false],
    ["no maximum: the model's, if it is small", {}, 1_000, true],
    ["null is no maximum", { max_tokens: null }, 1_000, true],
  ])("bounds the answer by %s", (_, fields, output, open) => {
    expect(estimateHold(ask(fields), price, small)).toMatchObject({ output, open });
  });

  test("without a maximum, and of a model that nobody knows: 4096 tokens an answer", () => {
    expect(estimateHold(ask({ n: 2 }), price, null)).toMatchObject({ output: 8_192, open: true });
  });

  test("covers what the call can cost at most when the client gave a maximum", () => {
    const estimate = estimateHold(ask({ max_tokens: 100 }), price, small);
    expect(estimate.nano).toBe(priceUnits({ input: estimate.input, output: 100 }, price).nano);
    expect(estimate.least).toBe(estimate.nano);
  });

  test("an open call may go ahead with its prompt and 64 tokens of an answer", () => {
    const estimate = estimateHold(ask(), price, small);
    expect(estimate.least).toBe(priceUnits({ input: estimate.input, output: 64 }, price).nano);
    expect(estimate.least).toBeLessThan(estimate.nano);
  });

  test("a long prompt is held at its own tier", () => {
    const long = { model: "m", max_tokens: 10, messages: [{ role: "user", content: "a".repeat(40_000) }] };
    const estimate = estimateHold(long, price, small);
    expect(estimate.nano).toBe(priceUnits({ input: estimate.input, output: 10 }, price).nano);
    expect(estimate.input).toBeGreaterThan(10_000);
  });

  test("is at the dearest rate that a token can turn out to have", () => {
    const caching: Price = {
      ...price,
      tiers: [{ above: 0, rates: { input: usd(1), cache_write: usd(1.25), output: usd(1), reasoning: usd(5) } }],
    };
    const estimate = estimateHold(ask({ max_tokens: 10 }), caching, small);
    expect(estimate.nano).toBe(priceUnits({ cache_write: estimate.input, reasoning: 10 }, caching).nano);
    const rates = { input: usd(1), cache_write: usd(1.25), cache_write_1h: usd(2), output: usd(1) };
    const forAnHour: Price = { ...price, tiers: [{ above: 0, rates }] };
    const longer = estimateHold(ask({ max_tokens: 10 }), forAnHour, small);
    expect(longer.nano).toBe(priceUnits({ cache_write_1h: longer.input, output: 10 }, forAnHour).nano);
  });

  test("a model without a price is held by the assumed one, a free one by nothing", () => {
    const estimate = estimateHold(ask({ max_tokens: 10 }), null, null);
    expect(estimate.nano).toBe(priceUnits({ input: estimate.input, output: 10 }, ASSUMED_PRICE).nano);
    const free: Price = { ...price, tiers: [{ above: 0, rates: { input: 0, output: 0 } }] };
    expect(estimateHold(ask(), free, null)).toMatchObject({ nano: 0, least: 0 });
  });
});
