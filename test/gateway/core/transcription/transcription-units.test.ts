import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { usdPerMillion } from "../../../../gateway/core/models/catalog-entry.ts";
import { getUsdPerHour } from "../../../../gateway/core/models/media-prices.ts";
import type { Price } from "../../../../gateway/core/models/model.ts";
import { priceUnits } from "../../../../gateway/core/money/price.ts";
import { createPricingView } from "../../../../gateway/core/money/price-view.ts";
import {
  countedSound,
  reportedUnits,
  soundBill,
  soundHold,
} from "../../../../gateway/core/transcription/transcription-units.ts";
import type { HeardSound } from "../../../../gateway/core/transcription/transcription-units.ts";

const READ = { source: "a test", as_of: "2026-11-24" };
const BY_SECOND = getUsdPerHour(READ, 0.36);
const AT_GROQ = getUsdPerHour(READ, 0.04, 10);
const BY_TOKEN = usdPerMillion(READ, { input: 2.5, audio_input: 6, output: 10 });

const sound = (seconds: number | null, bytes = 48_000, prompt = ""): HeardSound => ({
  file: { seconds, bytes: { length: bytes } },
  fields: { prompt },
});
const nanoOf = (...bill: Parameters<typeof soundBill>): number | null =>
  priceUnits(soundBill(...bill).units, bill[2]).nano;

describe("what is billed", () => {
  it.each<[string, Parameters<typeof soundBill>, object, boolean]>([
    ["seconds that were told", [{ second: 7.0004 }, sound(6), BY_SECOND, 9], { second: 7.001 }, false],
    ["seconds that were measured", [null, sound(6.25), BY_SECOND, 9], { second: 6.25 }, true],
    ["a voice's usual length", [null, sound(null, 32_000), BY_SECOND, 9], { second: 8 }, true],
    ["ten seconds at least", [{ second: 3 }, sound(3), AT_GROQ, 9], { second: 10 }, false],
    ["more than the least", [{ second: 31 }, sound(3), AT_GROQ, 9], { second: 31 }, false],
    [
      "tokens that were told",
      [{ input: 1, audio_input: 60, output: 5 }, sound(6), BY_TOKEN, 9],
      { input: 1, audio_input: 60, output: 5 },
      false,
    ],
    [
      "tokens of seconds that were told",
      [{ second: 6 }, sound(6), BY_TOKEN, 9],
      { input: 0, audio_input: 60, output: 9 },
      true,
    ],
    [
      "seconds, where tokens are told",
      [{ input: 1, audio_input: 60, output: 5 }, sound(6), BY_SECOND, 9],
      { second: 6 },
      true,
    ],
    [
      "whatever is told, without a price",
      [{ input: 1, audio_input: 60, output: 5 }, sound(6), null, 9],
      { input: 1, audio_input: 60, output: 5 },
      false,
    ],
  ])("%s", (_, bill, units, estimated) => {
    const found = soundBill(...bill);
    expect([found.units, found.estimated]).toEqual([units, estimated]);
  });

  it("is $0.36 an hour to the nano", () => {
    expect(nanoOf({ second: 3_600 }, sound(3_600), BY_SECOND, 0)).toBe(360_000_000);
    expect(nanoOf({ second: 1 }, sound(1), AT_GROQ, 0)).toBe(111_111);
  });
});

describe("what is held", () => {
  it("is never less than what is billed, reported or counted", () => {
    const price = fc.constantFrom<Price>(BY_SECOND, AT_GROQ, BY_TOKEN);
    const seconds = fc.option(fc.double({ min: 0.001, max: 90_000, noNaN: true }), { nil: null });
    fc.assert(
      fc.property(price, seconds, fc.nat(64 * 1024 * 1024), fc.string(), (at, length, bytes, prompt) => {
        const received = sound(length, bytes + 1, prompt);
        const reserved = soundHold(received, at);
        expect(reserved).toBeGreaterThanOrEqual(priceUnits(countedSound(received, at, null), at).nano ?? 0);
        if (length === null) return;
        // What providers say of the same sound: whole seconds, and the tokens of it.
        const reported =
          at === BY_TOKEN
            ? { audio_input: Math.ceil(10 * length), output: Math.ceil(4 * length) }
            : { second: Math.ceil(length) };
        expect(reserved).toBeGreaterThanOrEqual(nanoOf(reported, received, at, 0) ?? 0);
      }),
    );
  });

  it("of a file that tells no length is that of all that its size can be, and some of a model without a price", () => {
    expect(soundHold(sound(null, 7_500), BY_SECOND)).toBe(11 * 100_000);
    expect(soundHold(sound(60), null)).toBe(61 * 100_000);
  });
});

it.each<[unknown, object | null]>([
  [{ type: "duration", seconds: 9 }, { second: 9 }],
  [{ type: "duration", seconds: "9.5" }, { second: 9.5 }],
  [
    { type: "tokens", input_tokens: 14, input_token_details: { text_tokens: 10, audio_tokens: 4 }, output_tokens: 3 },
    { input: 10, audio_input: 4, output: 3 },
  ],
  [
    { type: "tokens", input_tokens: 14, output_tokens: 3 },
    { input: 0, audio_input: 14, output: 3 },
  ],
  [
    { type: "tokens", input_tokens: 4, input_token_details: { text_tokens: 9 }, output_tokens: 3 },
    { input: 4, audio_input: 0, output: 3 },
  ],
  [{ seconds: -1 }, null],
  [{ seconds: Number.NaN }, null],
  [{ total_tokens: 9 }, null],
  ["9", null],
  [undefined, null],
])("usage %j is %j", (usage, units) => {
  expect(reportedUnits(usage)).toEqual(units);
});

it("a price by the second is shown", () => {
  expect(createPricingView(BY_SECOND)).toMatchObject({ per_second: { any: 0.000_1 } });
});
