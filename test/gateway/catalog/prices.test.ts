import { describe, expect, test } from "vitest";
import { findModel } from "../../../gateway/catalog/lookup.ts";
import { priceNow, findUnknownTiers, priceServed } from "../../../gateway/core/money/price.ts";

/** What owners sell in November 2026 and Postern has a protocol for, with a rate of each in USD a unit (tokens: 10⁶). */
const NOVEMBER = {
  output: { "gpt-6.2-astra": 40, "gpt-6.2-sol": 10, "gemini-4-argon": 10, "gemini-4-hydrogen": 7.5, "grok-4.7": 6 },
  input: { "grok-build-0.1": 1, "qwen3.8-flash": 0.15, "qwen3.7-plus": 0.4, "claude-mythos-5-2": 8, "glm-5.3": 1.4 },
  cached_input: { "kimi-k3.1-pro": 0.2, "MiniMax-M3.1-Flash": 0.015, "glm-5.3-flash": 0.03, "glm-5.3-flashx": 0.075 },
  cache_write_1h: { "kimi-k3": 6, "kimi-k3.1-pro-highspeed": 8, "claude-mythos-5-1": 20 },
  image_output: { "gpt-image-2.6-sunburst": 30, "gpt-image-2.5-flare": 30, "gemini-nano-banana-2.1": 30 },
  image: { "grok-imagine-image-2.0": 60_000, "qwen-image-3.0": 30_000, "qwen-image-2.0-pro": 75_000 },
  second: { "wan3.0-video": 200_000, "wan3.0-video-prime": 280_000, "happyhorse-1.1-i2v": 180_000 },
} as const;

describe("prices", () => {
  const nano = (usd: number) => Math.round(usd * 1e9);
  const XAI_TOOLS = { web_search: nano(5_000), file_search: nano(2_500), container: nano(5_000) };
  const tools = { file_search: nano(2_500), container: nano(30_000) };

  test.each(Object.entries(NOVEMBER).flatMap(([unit, of]) => Object.entries(of).map(([id, usd]) => [id, unit, usd])))(
    "%s has a rate for %s in November 2026",
    (id, unit, usd) => {
      const price = priceNow(findModel(id as string)?.price ?? null, Date.UTC(2026, 10, 28)).price;
      expect(price?.tiers[0]?.rates[unit as "input"]).toBe(nano(usd as number));
    },
  );

  test.each([
    [
      "gpt-5.4",
      0,
      { input: nano(2.5), cached_input: nano(0.25), output: nano(15), web_search: nano(10_000), ...tools },
    ],
    ["gpt-5.4", 1, { input: nano(5), cached_input: nano(0.5), output: nano(22.5), web_search: nano(10_000), ...tools }],
    [
      "gpt-6.2-sol",
      0,
      {
        input: nano(2),
        cached_input: nano(0.1),
        cache_write: nano(2.5),
        cache_write_1h: nano(5),
        output: nano(10),
        web_search: nano(10_000),
        ...tools,
      },
    ],
    [
      "gpt-4o-mini",
      0,
      { input: nano(0.15), cached_input: nano(0.075), output: nano(0.6), web_search: nano(25_000), ...tools },
    ],
    [
      "claude-opus-5",
      0,
      {
        input: nano(5),
        cached_input: nano(0.5),
        cache_write: nano(6.25),
        cache_write_1h: nano(10),
        output: nano(25),
        web_search: nano(10_000),
      },
    ],
    [
      "claude-haiku-5-5",
      1,
      {
        input: nano(0.5),
        cached_input: nano(0.05),
        cache_write: nano(0.625),
        cache_write_1h: nano(1),
        output: nano(2.5),
        web_search: nano(10_000),
      },
    ],
    [
      "gemini-2.5-pro",
      1,
      {
        input: nano(2.5),
        cached_input: nano(0.25),
        audio_input: nano(2.5),
        cached_audio_input: nano(0.25),
        output: nano(15),
      },
    ],
    [
      "gemini-2.5-flash",
      0,
      {
        input: nano(0.3),
        cached_input: nano(0.03),
        audio_input: nano(1),
        cached_audio_input: nano(0.1),
        output: nano(2.5),
      },
    ],
    ["grok-4", 1, { input: nano(2.5), cached_input: nano(0.4), output: nano(5), ...XAI_TOOLS }],
    ["gpt-audio", 0, { input: nano(2.5), audio_input: nano(32), output: nano(10), audio_output: nano(64) }],
    ["gpt-4o-mini-tts", 0, { input: nano(0.6), audio_output: nano(12) }],
    [
      "qwen-turbo",
      0,
      {
        input: nano(0.05),
        cached_input: nano(0.01),
        cache_write: nano(0.0625),
        output: nano(0.2),
        reasoning: nano(0.5),
      },
    ],
    ["qwen3-coder-plus", 3, { input: nano(6), cached_input: nano(1.2), cache_write: nano(7.5), output: nano(60) }],
    ["minimax-m2.5", 0, { input: nano(0.3), cached_input: nano(0.03), cache_write: nano(0.375), output: nano(1.2) }],
    ["gamma3-tts-flash", 0, { character: nano(10) }],
    ["eta-4-lite", 0, { input: nano(0.02) }],
  ])("%s in tier %i", (id, tier, rates) => {
    expect(findModel(id)?.price?.tiers[tier]?.rates).toEqual(rates);
  });

  test.each([
    ["gpt-5.4", 272_000],
    ["claude-haiku-5-5", 100_000],
    ["grok-4.3", 199_999],
    ["qwen3-max", 32_000],
  ])("%s costs more above %i tokens", (id, above) => {
    expect(findModel(id)?.price?.tiers[1]?.above).toBe(above);
  });
});

describe("prices that depend on how a call is served", () => {
  const rateOf = (id: string, served: Readonly<Record<string, string>>): number | undefined => {
    const price = findModel(id)?.price;
    return price == null ? undefined : priceServed(price, served).tiers[0]?.rates.output;
  };

  test.each([
    ["gpt-6.1-sol", { service_tier: "flex" }, 5],
    ["gpt-6.1-sol", { service_tier: "fast" }, 20],
    ["gpt-5.5", { service_tier: "priority" }, 75],
    ["gpt-5-mini", { service_tier: "priority" }, 3.6],
    ["gpt-4.1", { service_tier: "priority" }, 14],
    ["gpt-4o", { service_tier: "flex" }, 5],
    ["gpt-4o", { service_tier: "priority" }, 17],
    ["gpt-6-astra", { service_tier: "ultrafast" }, 300],
    ["gpt-5.6", { service_tier: "batch" }, 10],
    ["claude-opus-5-5", { speed: "fast" }, 40],
    ["claude-opus-4-8", { speed: "fast" }, 50],
    ["gemini-3.5-flash", { service_tier: "priority" }, 16.2],
    ["claude-opus-4-6", { speed: "fast", inference_geo: "us" }, 165],
    ["claude-sonnet-5-5", { inference_geo: "us" }, 11],
    ["gemini-3.6-flash", { service_tier: "flex" }, 1.875],
  ])("%s served by %j: $%d for a million tokens", (id, served, usd) => {
    expect(rateOf(id, served)).toBe(Math.round(usd * 1e9));
  });

  test.each([
    ["gpt-5.4", { service_tier: "scale" }],
    ["claude-opus-4-5", { inference_geo: "us" }],
    ["claude-sonnet-5-5", { service_tier: "priority" }],
    ["grok-4.3", { service_tier: "priority" }],
  ])("%s served by %j has no known factor", (id, served) => {
    expect(findUnknownTiers(findModel(id)?.price ?? null, served)).toEqual(Object.keys(served));
  });
});

test("the introductory price of Gemini's flash models ends with the year 2026", () => {
  const price = findModel("gemini-3.6-flash")?.price ?? null;
  const outputAt = (moment: string) => priceNow(price, Date.parse(moment)).price?.tiers[0]?.rates.output;
  expect(outputAt("2026-12-31T23:59:59Z")).toBe(3_750_000_000);
  expect(outputAt("2027-01-01T00:00:00Z")).toBe(7_500_000_000);
});
