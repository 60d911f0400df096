import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Price } from "../../../../gateway/core/models/model.ts";
import { EntryPricer } from "../../../../gateway/core/history/entry-pricer.ts";

const of = (input: number): Price["tiers"] => [{ above: 0, rates: { input, output: 2 * input } }];
const ALWAYS = { tiers: of(7_000_000), source: "test", as_of: "2026-01-01" };
const PEAK = { ...ALWAYS, peak: { factor: 2, hours: [[8, 12]] } };
const PRICES = [
  ALWAYS,
  PEAK,
  { ...PEAK, tiers: of(3_000_000), until: "2026-11-20", next: ALWAYS },
  { ...ALWAYS, until: "2026-11-20" },
] as unknown as readonly Price[];

const QUARTER_MS = 900_000;
const DAYS = Date.UTC(2026, 10, 18);
const prices = { price: (model: string) => PRICES[Number(model)] ?? null };

test("entries in any order cost what each costs alone, at hours and days that have prices of their own", () => {
  const entry = fc.tuple(fc.nat(PRICES.length), fc.nat(5 * 96), fc.integer({ min: -2, max: 2 }));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 60 }), fc.boolean(), (drawn, isBackwards) => {
      const entries = drawn.map(([model, place, edge]) => ({
        model: `${model}`,
        at: DAYS + place * QUARTER_MS + edge,
      }));
      if (isBackwards) entries.sort((a, b) => b.at - a.at);
      const pricer = new EntryPricer(prices, true);
      const cost = (by: EntryPricer, { model, at }: (typeof entries)[number]) =>
        by.cost(model, "", at, [1_000_000, 0, 0, 0, 500_000, 0]).nano;
      expect(entries.map((each) => cost(pricer, each))).toEqual(
        entries.map((each) => cost(new EntryPricer(prices, true), each)),
      );
    }),
  );
});

test("backwards, a price is looked up once an hour", () => {
  let looked = 0;
  const price = { ...ALWAYS };
  const counted = new Proxy(price, {
    get: (target, name, receiver: unknown) => {
      if (name === "peak") looked += 1;
      return Reflect.get(target, name, receiver);
    },
  }) as unknown as Price;
  const pricer = new EntryPricer({ price: () => counted }, true);
  for (let second = 7_199; second >= 0; second -= 1) pricer.cost("m", "", DAYS + second * 1_000, [1, 0, 0, 0, 1, 0]);
  expect(looked).toBeLessThan(10);
});
