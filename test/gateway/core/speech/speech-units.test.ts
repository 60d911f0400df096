import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import type { Price } from "../../../../gateway/core/models/model.ts";
import { priceUnits } from "../../../../gateway/core/money/price.ts";
import {
  billedCharacters,
  billsCharacters,
  countedUnits,
  speechHold,
} from "../../../../gateway/core/speech/speech-units.ts";

const priceOf = (id: string): Price | null => findModel(id)?.price ?? null;
const message = (text: string, ideographCounts = 1) => ({ text, instructions: null, ideographCounts });

describe("characters as DashScope bills them", () => {
  it.each([
    ["Hello", 5],
    ["Hello, 世界!", 12],
    ["你好", 4],
    ["漢字かな交じり", 10],
    ["한국어", 3],
    ["😀", 1],
    ["a\n b", 4],
    ["𠮷野家", 6],
  ])("%s: %d", (text, characters) => expect(billedCharacters(text, 2)).toBe(characters));

  it("are all one at OpenAI", () => expect(billedCharacters("你好, 😀", 1)).toBe(5));

  it("lie between the text's length and twice that, and add up", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 60 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const { length } = Array.from(one);
        expect(billedCharacters(one, 2)).toBeGreaterThanOrEqual(length);
        expect(billedCharacters(one, 2)).toBeLessThanOrEqual(2 * length);
        expect(billedCharacters(one + other, 2)).toBe(billedCharacters(one, 2) + billedCharacters(other, 2));
      }),
    );
  });
});

describe("units where the provider reports none", () => {
  it("are characters where the price is by characters, or not known", () => {
    expect(countedUnits(message("Hello"), priceOf("tts-1"), 3)).toEqual({ character: 5 });
    expect(countedUnits(message("你好", 2), priceOf("gamma3-tts-flash"), null)).toEqual({ character: 4 });
    expect(countedUnits(message("Hello"), null, 3)).toEqual({ character: 5 });
    expect(billsCharacters(null)).toBe(true);
  });

  it("are tokens of the text and of the sound's length at gpt-4o-mini-tts: 1,250 a minute", () => {
    const units = countedUnits({ ...message("Hello there"), instructions: "Be kind" }, priceOf("gpt-4o-mini-tts"), 60);
    expect(units.audio_output).toBe(1_250);
    expect(units.input).toBeGreaterThan(
      countedUnits(message("Hello there"), priceOf("gpt-4o-mini-tts"), 60).input ?? 0,
    );
  });
});

describe("the hold", () => {
  it.each([
    ["tts-1", "a".repeat(1_000), 15_000_000],
    ["tts-1-hd", "a".repeat(1_000), 30_000_000],
    ["gamma3-tts-flash", "a".repeat(600), 6_000_000],
    ["gamma3-tts-flash", "你".repeat(600), 12_000_000],
    ["gamma3-tts-instruct-flash", "a".repeat(100), 1_150_000],
  ])("of %s is its characters: %#", (model, text, nano) => {
    expect(speechHold(message(text, findModel(model)?.speech?.ideographCounts), priceOf(model))).toBe(nano);
  });

  it("of gpt-4o-mini-tts covers speech as slow as 100 words a minute", () => {
    const text = "word ".repeat(100);
    const price = priceOf("gpt-4o-mini-tts");
    if (price === null) throw new Error("no price");
    const minute = priceUnits(countedUnits(message(text), price, 60), price).nano;
    expect(speechHold(message(text), price)).toBeGreaterThan(minute ?? 0);
  });

  it("without a price is by the most expensive characters, and nothing on one's own machine", () => {
    expect(speechHold(message("a".repeat(1_000)), null)).toBe(30_000_000);
    const free: Price = { tiers: [{ above: 0, rates: { input: 0, output: 0 } }], source: "local", as_of: "2026-11-20" };
    expect(speechHold(message("a".repeat(1_000)), free)).toBe(0);
  });

  it("covers what is charged in the end for every text billed by characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 100 }), fc.constantFrom(1, 2), (text, counts) => {
        const price = priceOf("gamma3-tts-flash");
        if (price === null) throw new Error("no price");
        const charged = priceUnits(countedUnits(message(text, counts), price, null), price).nano ?? 0;
        expect(speechHold(message(text, counts), price)).toBe(charged);
      }),
    );
  });
});
