import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { receiptTermSchema, unitClassSchema } from "../../../../gateway/contract/receipt.ts";
import type { Price, PriceTier, Units } from "../../../../gateway/core/models/model.ts";
import {
  raiseToRequested,
  findUnknownTiers,
  multiplyPrice,
  priceNow,
  priceServed,
  priceUnits,
  sumUnits,
  findTier,
  withoutZeros,
} from "../../../../gateway/core/money/price.ts";

const usd = (amount: number) => Math.round(amount * 1e9);

/** gpt-5.4. */
const tiered: Price = {
  tiers: [
    { above: 0, rates: { input: usd(2.5), cached_input: usd(0.25), output: usd(15) } },
    { above: 272_000, rates: { input: usd(5), cached_input: usd(0.5), output: usd(22.5) } },
  ],
  source: "somewhere",
  as_of: "2026-11-20",
};
const plain: Price = {
  tiers: [{ above: 0, rates: { input: usd(1), output: usd(10) } }],
  source: "s",
  as_of: "2026-11-20",
};

describe("priceUnits", () => {
  test("a line for each class, and their sum", () => {
    const priced = priceUnits({ input: 86, cached_input: 1_920, output: 44, reasoning: 256 }, tiered);
    expect(priced.terms).toEqual([
      { unit: "input", quantity: 86, nano_per_million: 2_500_000_000, nano: 215_000 },
      { unit: "cached_input", quantity: 1_920, nano_per_million: 250_000_000, nano: 480_000 },
      { unit: "output", quantity: 44, nano_per_million: 15_000_000_000, nano: 660_000 },
      { unit: "reasoning", quantity: 256, nano_per_million: 15_000_000_000, nano: 3_840_000 },
    ]);
    expect(priced.nano).toBe(5_195_000);
  });

  test.each([
    ["cached_input as input, at most", { cached_input: 1_000_000 }, usd(1), true],
    ["reasoning as output", { reasoning: 1_000_000 }, usd(10), false],
    ["image_input as input", { image_input: 1_000_000 }, usd(1), false],
    ["cache_write as input, estimated", { cache_write: 1_000_000 }, usd(1), true],
    ["cache_write_1h as input, estimated", { cache_write_1h: 1_000_000 }, usd(1), true],
    ["audio_input as input, estimated", { audio_input: 1_000_000 }, usd(1), true],
    ["audio_output as output, estimated", { audio_output: 1_000_000 }, usd(10), true],
    ["web_search is not sold", { web_search: 1 }, null, true],
  ])("without a rate of its own, %s", (_, units, nano, estimated) => {
    expect(priceUnits(units, plain)).toMatchObject({ nano, estimated });
  });

  test("a price that always holds is one for all kinds of token", () => {
    const units = {
      input: 1,
      cache_write: 1,
      cache_write_1h: 1,
      audio_input: 1,
      cached_audio_input: 1,
      audio_output: 1,
    };
    const millions = Object.fromEntries(Object.keys(units).map((unit) => [unit, 1_000_000]));
    expect(priceUnits(millions, { ...plain, always: true })).toMatchObject({ nano: usd(15), estimated: false });
  });

  test("what is kept for an hour has a rate of its own", () => {
    const rates = { input: usd(1), cache_write: usd(1.25), cache_write_1h: usd(2), output: usd(10) };
    const price: Price = { ...plain, tiers: [{ above: 0, rates }] };
    expect(priceUnits({ cache_write: 1_000_000, cache_write_1h: 1_000_000 }, price).nano).toBe(usd(3.25));
  });

  test("a cached token that is free is no estimate", () => {
    const free: Price = { ...plain, tiers: [{ above: 0, rates: { input: 0, output: 0 } }] };
    expect(priceUnits({ cached_input: 5 }, free)).toMatchObject({ nano: 0, estimated: false });
  });

  test("a fee for each request is taken once a prompt, and not for what used nothing", () => {
    const price: Price = {
      ...plain,
      tiers: [{ above: 0, rates: { input: usd(1), output: usd(10), request: usd(5_000) } }],
    };
    const fee = { unit: "request", quantity: 1, nano_per_million: usd(5_000), nano: 5_000_000 };
    expect(priceUnits({ input: 1_000_000 }, price).terms).toContainEqual(fee);
    expect(priceUnits({ input: 1_000_000 }, price).nano).toBe(usd(1) + 5_000_000);
    const several = priceUnits([{ units: { input: 1 } }, { units: { output: 1 } }, { units: {} }], price);
    expect(several.terms).toContainEqual({ ...fee, quantity: 2, nano: 10_000_000 });
    expect(priceUnits({}, price)).toMatchObject({ terms: [], nano: 0 });
    // A provider may name the fee in its usage.
    expect(priceUnits({ input: 1, request: 3 }, price).terms[1]).toEqual({ ...fee, quantity: 3, nano: 15_000_000 });
  });

  test("with a rate of its own, reasoning has that one", () => {
    const price: Price = {
      ...plain,
      tiers: [{ above: 0, rates: { input: usd(0.05), output: usd(0.2), reasoning: usd(0.5) } }],
    };
    expect(priceUnits({ output: 1_000_000, reasoning: 1_000_000 }, price).nano).toBe(usd(0.7));
  });

  test.each([
    [{ input: 272_000 }, 0],
    [{ input: 272_001 }, 272_000],
    [{ input: 1, cached_input: 272_000 }, 272_000],
    [{ cache_write: 200_000, cached_input: 72_001 }, 272_000],
    [{ cache_write_1h: 272_001 }, 272_000],
    [{ input: 1, output: 900_000 }, 0],
  ])("%j falls into the tier above %i", (units: Units, above) => {
    const { output: _, ...ofThePrompt } = units;
    const tier = findTier(
      tiered,
      Object.values(ofThePrompt).reduce((sum, quantity) => sum + quantity, 0),
    );
    expect(tier.above).toBe(above);
    expect(priceUnits({ ...units, output: 1_000_000 }, tiered).terms.at(-1)?.nano_per_million).toBe(tier.rates.output);
  });

  test("the whole request has the rates of its tier, output too", () => {
    expect(priceUnits({ input: 300_000, output: 1_000 }, tiered).nano).toBe(usd(1.5) + usd(0.0225));
  });

  test("a class that has no nearest rate is counted, and the others are charged", () => {
    expect(priceUnits({ input: 1_000, image: 5 }, plain)).toMatchObject({
      nano: 1_000_000,
      estimated: true,
      terms: [
        { unit: "input", quantity: 1_000, nano: 1_000_000 },
        { unit: "image", quantity: 5, nano_per_million: 0, nano: 0 },
      ],
    });
  });

  test("what the provider charged is the sum, shared out as the price would", () => {
    const charged = usd(0.25);
    const priced = priceUnits([{ units: { input: 10_000, output: 1_000 }, charged }], plain);
    expect(priced).toMatchObject({
      nano: charged,
      estimated: false,
      price: { source: "as charged by the provider; $0.02 by s" },
      terms: [
        { unit: "input", quantity: 10_000, nano: charged / 2 },
        { unit: "output", quantity: 1_000, nano: charged / 2 },
      ],
    });
    const exact = priceUnits([{ units: { input: 10_000 }, charged: usd(0.01) }], plain);
    expect(exact.price?.source).toBe("as charged by the provider");
    const unpriced = priceUnits(
      [
        { units: { input: 3, output: 1 }, charged: 5 },
        { units: {}, charged: 7 },
      ],
      null,
    );
    expect(unpriced).toMatchObject({ nano: 12, price: { source: "as charged by the provider" } });
    expect(unpriced.terms.map(({ unit, nano }) => [unit, nano])).toEqual([
      ["input", 4],
      ["output", 1],
      ["request", 7],
    ]);
  });

  test("another model's part has its price", () => {
    const priced = priceUnits([{ units: { input: 1_000_000 } }, { units: { input: 1_000_000 }, price: tiered }], plain);
    expect(priced).toMatchObject({ nano: usd(1 + 5), price: { source: "s and somewhere" } });
  });

  const counts = fc.dictionary(fc.constantFrom(...unitClassSchema.options), fc.nat({ max: 1_000_000 }));
  test("the lines of any bill make its sum", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ units: counts, charged: fc.option(fc.nat(1e9), { nil: undefined }) }), { minLength: 1 }),
        fc.constantFrom(plain, tiered, null),
        (usages, price) => {
          const billed = usages.map(({ units, charged }) => ({ units, ...(charged === undefined ? {} : { charged }) }));
          const { terms, nano } = priceUnits(billed, price);
          const sum = terms.reduce((all, term) => all + term.nano, 0);
          expect(nano ?? sum).toBe(sum);
          expect(terms.every(({ nano: part }) => part >= 0)).toBe(true);
        },
      ),
    );
  });

  test("without a price, units are counted", () => {
    expect(priceUnits({ input: 10, output: 5 }, null)).toEqual({
      terms: [
        { unit: "input", quantity: 10, nano_per_million: 0, nano: 0 },
        { unit: "output", quantity: 5, nano_per_million: 0, nano: 0 },
      ],
      nano: null,
      estimated: false,
      price: null,
    });
  });

  test("each prompt has the tier of its own size", () => {
    const prompt = { units: { input: 200_000, output: 1_000 } };
    expect(priceUnits([prompt, prompt], tiered)).toMatchObject({
      terms: [
        { unit: "input", quantity: 400_000, nano_per_million: usd(2.5), nano: usd(1) },
        { unit: "output", quantity: 2_000, nano_per_million: usd(15) },
      ],
      nano: usd(1.03),
    });
    expect(priceUnits([prompt, { units: { input: 300_000 } }], tiered).terms).toMatchObject([
      { unit: "input", quantity: 200_000, nano_per_million: usd(2.5) },
      { unit: "output", quantity: 1_000 },
      { unit: "input", quantity: 300_000, nano_per_million: usd(5) },
    ]);
  });

  test("classes without units have no line", () => {
    expect(priceUnits({ input: 10, output: 0, image: 0 }, plain).terms.map((term) => term.unit)).toEqual(["input"]);
  });

  test("a count without some classes keeps the others", () => {
    expect(sumUnits([{ input: 1, output: 2 }, { input: 3 }])).toEqual({ input: 4, output: 2 });
    expect(withoutZeros({ input: 1, output: 0, reasoning: 2 })).toEqual({ input: 1, reasoning: 2 });
  });

  test("a price of 0 is a price", () => {
    const local: Price = { ...plain, tiers: [{ above: 0, rates: { input: 0, output: 0 } }] };
    expect(priceUnits({ input: 10, output: 5 }, local)).toMatchObject({ nano: 0, terms: [{ nano: 0 }, { nano: 0 }] });
  });

  test("for any units and rates: the sum of the lines is the total, and every line is a receipt term", () => {
    const quantity = fc.nat(10_000_000);
    const rate = fc.nat(usd(1_000));
    const classes = unitClassSchema.options;
    const units = fc.dictionary(fc.constantFrom(...classes), quantity) as fc.Arbitrary<Units>;
    const rates = fc.dictionary(fc.constantFrom(...classes), rate) as fc.Arbitrary<PriceTier["rates"]>;
    const prompts = fc.array(fc.record({ units }), { maxLength: 5 });
    const several = fc.record({ rates, longer: rates, above: fc.integer({ min: 1, max: 20_000_000 }) });
    fc.assert(
      fc.property(prompts, several, fc.boolean(), (given, { rates: first, longer, above }, always) => {
        const price: Price = {
          ...plain,
          ...(always ? { always } : {}),
          tiers: [
            { above: 0, rates: first },
            { above, rates: longer },
          ],
        };
        const { terms, nano } = priceUnits(given, price);
        const sum = terms.reduce((total, term) => total + term.nano, 0);
        if (nano !== null) expect(nano).toBe(sum);
        for (const term of terms) expect(receiptTermSchema.safeParse(term).success).toBe(true);
        // No unit is lost, and none is counted twice.
        for (const unit of classes) {
          const used = given.reduce((total, one) => total + (one.units[unit] ?? 0), 0);
          const billed = terms.reduce((total, term) => total + (term.unit === unit ? term.quantity : 0), 0);
          if (unit === "request") expect(billed).toBeGreaterThanOrEqual(used);
          else expect(billed).toBe(used);
        }
        // In whatever order the prompts came.
        expect(priceUnits(given.toReversed(), price).nano).toBe(nano);
        // A prompt alone is a list of one.
        for (const { units: one } of given)
          expect(priceUnits([{ units: one }], price).terms).toEqual(priceUnits(one, price).terms);
      }),
    );
  });

  test("for any price: longer prompts fall into the same tier or a later one", () => {
    const tiers = fc
      .uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 5 })
      .map((bounds) => [0, ...bounds.toSorted((a, b) => a - b)].map((above) => ({ above, rates: {} })));
    fc.assert(
      fc.property(tiers, fc.nat(2_000_000), fc.nat(2_000_000), (of, one, more) => {
        const price: Price = { ...plain, tiers: of };
        expect(findTier(price, one + more).above).toBeGreaterThanOrEqual(findTier(price, one).above);
      }),
    );
  });
});

describe("how a call was served", () => {
  const sold: Price = { ...tiered, factors: { service_tier: { flex: 0.5, priority: 2 }, inference_geo: { us: 1.1 } } };

  test("multiplies every rate, and the receipt says so", () => {
    expect(priceUnits([{ units: { input: 1_000_000 }, served: { service_tier: "flex" } }], sold)).toMatchObject({
      nano: usd(2.5),
      price: { source: "somewhere; service_tier flex: × 0.5" },
    });
  });

  test("factors stack", () => {
    const served = { service_tier: "priority", inference_geo: "us" };
    expect(priceUnits([{ units: { output: 1_000_000 }, served }], sold).nano).toBe(usd(33));
  });

  test.each([
    ["a value without a factor at the dearest of its kind", { service_tier: "scale" }, 2],
    ["a fact without factors as usual", { speed: "fast" }, 1],
    ["one of two", { service_tier: "flex", speed: "fast" }, 0.5],
  ])("%s, estimated, and the receipt says why", (_, served, factor) => {
    const { nano, estimated, price } = priceUnits([{ units: { input: 1_000_000 }, served }], {
      ...sold,
      tiers: plain.tiers,
    });
    expect({ nano, estimated }).toEqual({ nano: usd(factor), estimated: true });
    expect(price?.source).toContain("rate not known");
    expect(findUnknownTiers(sold, served).length).toBe(1);
  });

  test.each<[object, number]>([
    [{}, 1],
    [{ service_tier: "flex" }, 1],
    [{ service_tier: "scale", inference_geo: 5 }, 2],
    [{ speed: "fast" }, 1],
    [{ service_tier: "Priority" }, 2],
    [{ service_tier: "priority", inference_geo: "us" }, 2.2],
    [{ service_tier: "flex", inference_geo: "us" }, 1.1],
  ])("what asks for %j is sold at %s times the usual price at most", (request, factor) => {
    const mostExpensive = raiseToRequested(sold, request as Record<string, unknown>);
    expect(mostExpensive?.tiers[0]?.rates.output).toBe(usd(15 * factor));
    if (factor === 1) expect(mostExpensive).toBe(sold);
    expect(raiseToRequested(plain, request as Record<string, unknown>)).toBe(plain);
  });

  test("a price that always holds is not multiplied", () => {
    const own: Price = { ...sold, always: true };
    expect(priceServed(own, { service_tier: "scale" })).toBe(own);
    expect(raiseToRequested(own, { service_tier: "priority" })).toBe(own);
  });
});

describe("what a price is now", () => {
  const later: Price = { ...plain, as_of: "2027-01-01" };
  const intro: Price = { ...plain, until: "2027-01-01", next: later };
  const at = (moment: string): number => Date.parse(moment);

  test.each([
    ["2026-12-31T23:59:59.999Z", intro, at("2027-01-01")],
    ["2027-01-01T00:00:00Z", later, Number.POSITIVE_INFINITY],
    ["2030-05-05T00:00:00Z", later, Number.POSITIVE_INFINITY],
  ])("it ends: %s", (moment, price, until) => {
    expect(priceNow(intro, at(moment))).toEqual({ price, until });
  });

  test("without a known successor, nothing is known from that day on", () => {
    const { next: _, ...ends } = intro;
    expect(priceNow(ends, at("2026-12-31T12:00:00Z")).price).toBe(ends);
    expect(priceNow(ends, at("2027-01-01T12:00:00Z")).price).toBeNull();
    expect(priceNow(null, 0).price).toBeNull();
  });

  test("several may follow one another", () => {
    const chain: Price = { ...plain, until: "2026-12-01", next: intro };
    expect(priceNow(chain, at("2026-12-24")).price).toBe(intro);
    expect(priceNow(chain, at("2027-02-01")).price).toBe(later);
  });

  test("what follows is multiplied too, and fees are not", () => {
    const rates = { input: usd(1), web_search: usd(10_000), request: usd(5) };
    const priced: Price = { ...intro, tiers: [{ above: 0, rates }] };
    const dearer = multiplyPrice(priced, 1.1, "a region");
    expect(dearer.next?.tiers[0]?.rates.output).toBe(usd(11));
    expect(dearer.tiers[0]?.rates).toEqual({ ...rates, input: usd(1.1) });
  });

  test.each([
    ["2026-11-23T00:59:59Z", 10, "2026-11-23T01:00:00Z"],
    ["2026-11-23T01:00:00Z", 20, "2026-11-23T02:00:00Z"],
    ["2026-11-23T03:59:59Z", 20, "2026-11-23T04:00:00Z"],
    ["2026-11-23T04:00:00Z", 10, "2026-11-23T05:00:00Z"],
    ["2026-11-22T02:00:00Z", 10, "2026-11-22T03:00:00Z"],
    ["2026-11-28T02:00:00Z", 10, "2026-11-28T03:00:00Z"],
    ["2026-11-27T02:00:00Z", 20, "2026-11-27T03:00:00Z"],
  ])("it costs more at some hours: %s", (moment, output, until) => {
    const peaky: Price = { ...plain, peak: { factor: 2, hours: [[1, 4]] } };
    const now = priceNow(peaky, at(moment));
    expect(now.price?.tiers[0]?.rates.output).toBe(usd(output));
    expect(now.until).toBe(at(until));
  });
});
