import { describe, expect, it } from "vitest";
import type { Price } from "../../../../gateway/core/models/model.ts";
import { changedRates, isUnusual } from "../../../../gateway/core/price-lists/changed-rates.ts";
import { withKnown } from "../../../../gateway/core/price-lists/with-known.ts";

const price = (rates: Price["tiers"][number]["rates"], more: Partial<Price> = {}): Price => ({
  tiers: [{ above: 0, rates }],
  source: "catalog",
  as_of: "2026-10-01",
  ...more,
});
const LIST = { source: "list", as_of: "2026-11-20" };
const listed = (rates: Price["tiers"][number]["rates"], more: Partial<Price> = {}): Price =>
  price(rates, { ...LIST, ...more });

describe("a list's price of a model of the catalog", () => {
  const long = { above: 200_000, rates: { input: 10, output: 40 } };
  const known = price(
    { input: 5, output: 25, cache_write_1h: 10, web_search: 7 },
    {
      tiers: [{ above: 0, rates: { input: 5, output: 25, cache_write_1h: 10, web_search: 7 } }, long],
      factors: { service_tier: { flex: 0.5 } },
      peak: { factor: 2, hours: [[1, 4]] },
    },
  );

  it("is the catalog's whole price where it says the same", () => {
    expect(withKnown(listed({ input: 5, output: 25 }), known)).toEqual({ ...known, ...LIST });
    expect(withKnown(listed({ input: 5, output: 25, reasoning: 25 }), known)).toEqual({ ...known, ...LIST });
  });

  it("has the list's rates where they are others, with fees and factors that no list has", () => {
    expect(withKnown(listed({ input: 4, output: 20 }), known)).toEqual({
      ...LIST,
      tiers: [{ above: 0, rates: { input: 4, output: 20, web_search: 7 } }],
      factors: known.factors,
      peak: known.peak,
    });
  });

  it("is the list's where the lengths of prompts are others", () => {
    const tiers = [
      { above: 0, rates: { input: 5, output: 25 } },
      { above: 100_000, rates: { input: 10, output: 40 } },
    ];
    expect(withKnown(listed({}, { tiers }), known).tiers.map(({ above }) => above)).toEqual([0, 100_000]);
  });

  it("stays the catalog's where that is by the image or by the second", () => {
    const images = price({ input: 5, image_output: 40 });
    expect(withKnown(listed({ input: 4, output: 20 }), images)).toBe(images);
    const sizes = price({ input: 5 }, { variants: [{ when: { size: "1K" }, rates: { image: 3 } }] });
    expect(withKnown(listed({ input: 4, output: 20 }), sizes)).toBe(sizes);
  });

  it("is compared with what held on its day", () => {
    const ending = price({ input: 1 }, { until: "2027-01-01", next: price({ input: 2 }) });
    const before = withKnown(listed({ input: 1 }), ending);
    expect(before).toMatchObject({ until: "2027-01-01", next: { tiers: [{ rates: { input: 2 } }] }, source: "list" });
    const after = withKnown(listed({ input: 2 }, { as_of: "2027-01-05" }), ending);
    expect(after).toEqual({ ...price({ input: 2 }), source: "list", as_of: "2027-01-05" });
  });
});

describe("what another price changes", () => {
  it("is reported class by class, and for longer prompts where they differ otherwise", () => {
    const old = price({ input: 2, output: 8, cached_input: 1 });
    const next = price(
      {},
      {
        tiers: [
          { above: 0, rates: { input: 2, output: 10 } },
          { above: 200_000, rates: { input: 4, output: 10 } },
        ],
      },
    );
    expect(changedRates(old, next)).toEqual([
      { unit: "input", above: 200_000, old: 2, new: 4 },
      { unit: "cached_input", above: 0, old: 1, new: null },
      { unit: "output", above: 0, old: 8, new: 10 },
    ]);
  });

  it("is all of it where there was none, or no longer exists", () => {
    expect(changedRates(null, price({ input: 2 }))).toEqual([{ unit: "input", above: 0, old: null, new: 2 }]);
    expect(changedRates(price({ input: 2 }), null)).toEqual([{ unit: "input", above: 0, old: 2, new: null }]);
    expect(changedRates(price({ input: 2 }), price({ input: 2 }))).toEqual([]);
    expect(changedRates(null, null)).toEqual([]);
  });

  it.each<[number | null, number | null, boolean]>([
    [10, 20, false],
    [10, 99, false],
    [10, 100, true],
    [100, 10, true],
    [100, 11, false],
    [5, 0, true],
    [0, 5, true],
    [0, 0, false],
    [null, 5, false],
    [5, null, false],
  ])("from %s to %s is unusual: %s", (old, next, unusual) => {
    expect(isUnusual({ unit: "input", above: 0, old, new: next })).toBe(unusual);
  });
});
