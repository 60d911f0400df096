import { describe, expect, it } from "vitest";
import { setPriceSchema, type ModelView, type PriceView } from "../../../../gateway/contract/model-view.ts";
import {
  getDraft,
  getFields,
  getOwnRates,
  readPrice,
  type PriceDraft,
} from "../../../../renderer/features/models/price-draft.ts";
import { narrowPrice, priceBlocks, priceNotes, shortPrice } from "../../../../renderer/features/models/price-words.ts";
import { en } from "../../../../renderer/locales/en.ts";
import { chatModelView, priceView } from "./model-view.ts";

const DOLLAR_A_MILLION = 1_000_000_000;
const DOLLAR_EACH = 1_000_000_000_000_000;

describe("a price in words", () => {
  it.each<[PriceView, string]>([
    [priceView({ input: 2.5 * DOLLAR_A_MILLION, output: 10 * DOLLAR_A_MILLION }), "$2.50 in · $10.00 out"],
    [priceView({ input: 37_500_000, cached_input: 1 }), "$0.0375 in"],
    [priceView({ image: 0.04 * DOLLAR_EACH }), "$0.04 per image"],
    [priceView({ character: 15 * DOLLAR_A_MILLION }), "$15.00 per 1M characters"],
    [
      priceView(
        { second: 0.15 * DOLLAR_EACH },
        { variants: [{ when: { resolution: "720p" }, rates: { second: 0.1 * DOLLAR_EACH } }] },
      ),
      "$0.10–$0.15 per second",
    ],
    [priceView({ input: 0, output: 0, second: 0 }), "free"],
    [priceView({ input: 0, output: 1 * DOLLAR_A_MILLION }), "$0.00 in · $1.00 out"],
    [priceView({ input: 5 * DOLLAR_A_MILLION, image_output: 40 * DOLLAR_A_MILLION }), "$5.00 in · $40.00 image out"],
    [priceView({ input: 1 * DOLLAR_A_MILLION, request: 0.005 * DOLLAR_EACH }), "$0.005 per request · $1.00 in"],
  ])("%#", (price, words) => expect(shortPrice(price, en)).toBe(words));

  it.each<[PriceView, string]>([
    [priceView({ input: 2.5 * DOLLAR_A_MILLION, output: 10 * DOLLAR_A_MILLION }), "$2.5/$10"],
    [priceView({ input: 100 * DOLLAR_A_MILLION, output: 1_000 * DOLLAR_A_MILLION }), "$100/$1,000"],
    [priceView({ input: 37_500_000, output: 0 }), "$0.0375/$0"],
    [priceView({ input: 0, output: 0 }), "free"],
    [priceView({ image: 0.04 * DOLLAR_EACH }), "$0.04 per image"],
  ])("in the space of a narrow page: %#", (price, words) => expect(narrowPrice(price, en)).toBe(words));

  it("names every term, tier and variant, each with its unit", () => {
    const price = priceView(
      { input: 2 * DOLLAR_A_MILLION, cached_input: 0.5 * DOLLAR_A_MILLION, second: 0.3 * DOLLAR_EACH },
      {
        tiers: [
          { above: 0, rates: { input: 2 * DOLLAR_A_MILLION, cached_input: 0.5 * DOLLAR_A_MILLION } },
          { above: 200_000, rates: { input: 4 * DOLLAR_A_MILLION } },
        ],
        variants: [
          { when: { size: "1024x1024", quality: "high" }, rates: { image: 0.167 * DOLLAR_EACH } },
          { when: { resolution: "1080p" }, rates: { second: 0.5 * DOLLAR_EACH } },
        ],
      },
    );
    const texts = priceBlocks(price, en).map(({ condition, lines }) => [condition, ...lines.map((line) => line.words)]);
    expect(texts).toEqual([
      ["", "$2.00 per 1M tokens", "$0.50 per 1M tokens"],
      ["Prompts above 200,000 tokens", "$4.00 per 1M tokens"],
      ["1024x1024, high", "$0.167 each"],
      ["1080p", "$0.50 per second"],
    ]);
  });
});

it("says what other ways of being served cost, and when a price ends", () => {
  const price = priceView({ input: 1 }, { factors: { service_tier: { flex: 0.5, priority: 2 } }, until: "2027-01-01" });
  expect(priceNotes(price, en)).toEqual([
    "With service_tier flex: × 0.5",
    "With service_tier priority: × 2",
    "Another price holds from 2027-01-01 (UTC).",
  ]);
  expect(priceNotes(priceView({ input: 1 }), en)).toEqual([]);
});

describe("a price that is typed", () => {
  it.each<[PriceDraft, object | string[]]>([
    [
      { input: "2.5", output: "$10" },
      { input: 2_500_000_000, output: 10_000_000_000 },
    ],
    [
      { input: " 0.000000001 ", output: "0" },
      { input: 1, output: 0 },
    ],
    [{ input: ".1", output: "" }, { input: 100_000_000 }],
    [{ image: "0.04" }, { image: 40_000_000_000_000 }],
    [{ image: "0.000000001" }, { image: 1_000_000 }],
    [{ image: "10" }, ["image"]],
    [{ input: "two", output: "-1" }, ["input", "output"]],
    [{ input: "0.0000000001" }, ["input"]],
    [{ input: "1e3" }, ["input"]],
    [{ input: "1,5" }, ["input"]],
    [{}, {}],
  ])("%j", (draft, expected) => {
    const read = readPrice(draft, ["input", "output", "image"]);
    if (Array.isArray(expected)) expect(read).toEqual({ ok: false, invalid: new Set(expected) });
    else expect(read).toEqual({ ok: true, rates: expected });
  });

  it("takes what the gateway has as text and gives it back to the nano", () => {
    const rates = {
      input: 1,
      cached_input: 37_500_000,
      output: 3_456_789_012_345,
      image: 40_000_000_000_000,
      second: 0,
    };
    const read = readPrice(getDraft(priceView(rates)), ["input", "cached_input", "output", "image", "second"]);
    expect(read).toEqual({ ok: true, rates });
    const high = getDraft(priceView({ output: 123_456_789_012_345 }));
    expect(readPrice(high, ["output"])).toEqual({ ok: false, invalid: new Set(["output"]) });
    expect(readPrice(high, ["output"], { output: 123_456_789_012_345 })).toMatchObject({ ok: true });
    expect(setPriceSchema.safeParse({ model: "m", rates }).success).toBe(true);
    expect(getDraft(priceView(rates))).toMatchObject({ input: "0.000000001", image: "0.04", second: "0" });
  });

  it.each<[Partial<ModelView>, string[]]>([
    [{ capabilities: ["chat", "messages"] }, ["input", "cached_input", "cache_write", "output"]],
    [{ capabilities: ["embedding"] }, ["input"]],
    [{ capabilities: ["speech"] }, ["input", "output", "character"]],
    [{ capabilities: ["image", "image_edit"] }, ["input", "image", "image_input", "image_output"]],
    [{ capabilities: ["video"] }, ["second"]],
    [{ capabilities: ["video"], price: priceView({ image: 1 }) }, ["image", "second"]],
    [
      { capabilities: ["embedding"], price: priceView({ audio_input: 1, request: 1 }) },
      ["input", "audio_input", "request"],
    ],
  ])("asks for what a model is billed by: %j", (over, fields) => {
    expect(getFields(chatModelView(over))).toEqual(fields);
  });

  it("is set again as it was by an undo", () => {
    expect(getOwnRates(chatModelView({ price: priceView({ input: 1, output: 0 }), own_price: true }))).toEqual({
      input: 1,
      output: 0,
    });
    expect(getOwnRates(chatModelView({ price: priceView({ input: 1 }) }))).toBeNull();
  });
});
