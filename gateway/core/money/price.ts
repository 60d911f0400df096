import { unitClassSchema, unitSides } from "../../contract/receipt.ts";
import type { ReceiptTerm, UnitClass } from "../../contract/receipt.ts";
import { utcDay } from "../../lib/clock.ts";
import { addNano, priceOf } from "../../lib/money.ts";
import type { Billed, PeakHours, Price, PriceFacts, PriceTier, Units } from "../models/model.ts";

/**
 * Fields of requests and answers that say how a call is or was served, and what each says where that is as usual.
 * OpenAI, Google and Anthropic name the tier of processing so; Anthropic's fast mode and the region of its inference
 * have names of their own. Everything else costs more or less than the usual price.
 */
const USUAL = {
  service_tier: ["auto", "default", "standard", "standard_only", "on_demand"],
  speed: ["standard"],
  inference_geo: ["global", "not_available"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type ServedField = keyof typeof USUAL;

/** What a response said of these fields; a field that its dialect does not have is missing. */
export type ServedTold = Readonly<Partial<Record<ServedField, unknown>>>;

/**
 * How a call was served, as far as its price hangs on that; undefined where it was as usual. The response's word goes
 * before the request's: who asks for a tier may be served by another.
 * @param told by the response. @param asked the request as it was sent.
 */
export function servedFacts(told: ServedTold, asked: Readonly<Record<string, unknown>>): PriceFacts | undefined {
  let facts: Record<string, string> | undefined;
  for (const field in told) {
    const said = told[field as ServedField] ?? asked[field];
    if (typeof said !== "string" || said === "") continue;
    const value = said.toLowerCase();
    if (!(USUAL[field as ServedField] as readonly string[]).includes(value)) (facts ??= {})[field] = value;
  }
  return facts;
}

/** The most that a request may be sold at: at the usual price, or at the higher one of the way in which it asks to be served. */
export function dearestServed(price: Price | null, asked: Readonly<Record<string, unknown>>): Price | null {
  if (price?.factors === undefined || price.always === true) return price;
  let factor = 1;
  for (const [fact, factors] of Object.entries(price.factors)) {
    const value = asked[fact];
    if (typeof value === "string") factor *= Math.max(1, factors[value.toLowerCase()] ?? 1);
  }
  return factor === 1 ? price : multiplied(price, factor, "as asked");
}

/** All tokens of a prompt, however they are billed. */
export const inputTokens = (units: Units): number => sumTokens(units, "input");

/** All tokens that a model made, shown or not. */
export const outputTokens = (units: Units): number => sumTokens(units, "output");

function sumTokens(units: Units, side: "input" | "output"): number {
  let sum = 0;
  for (const unit in units) if (unitSides[unit as UnitClass] === side) sum += units[unit as UnitClass] ?? 0;
  return sum;
}

/** What is billed for one prompt. @param served undefined: as usual. */
export function billedAs(units: Units, served: PriceFacts | undefined): Billed {
  return served === undefined ? units : [{ units, served }];
}

/** Several counts as one, class by class. Classes that none of them has stay away. */
export function sumUnits(counts: readonly Units[]): Units {
  const sum: Units = {};
  for (const count of counts) {
    for (const [unit, quantity] of Object.entries(count) as [keyof Units, number][]) {
      sum[unit] = (sum[unit] ?? 0) + quantity;
    }
  }
  return sum;
}

/** A count without the classes of which there is none. */
export function withoutZeros(count: Units): Units {
  return Object.fromEntries(Object.entries(count).filter(([, quantity]) => quantity > 0));
}

type Fallback = Readonly<Partial<Record<UnitClass, UnitClass>>>;

/**
 * Where a class without a rate of its own is priced, because it is the same token without its discount. A surcharge is
 * not known so: what is written to a cache, audio, a search has a rate of its own or none.
 */
const FALLBACK: Fallback = {
  cached_input: "input",
  cached_audio_input: "audio_input",
  reasoning: "output",
  // Pictures in a prompt are tokens like others where they have no price of their own (Gemini).
  image_input: "input",
};

/** A price that always holds is one for all kinds of token that it does not name. */
const ALWAYS: Fallback = {
  ...FALLBACK,
  cache_write: "input",
  cache_write_1h: "cache_write",
  audio_input: "input",
  audio_output: "output",
};

/** Those whose rate may be a lower one that is not known: priced in full, they are the most that they can cost. */
const DISCOUNTED: ReadonlySet<UnitClass> = new Set<UnitClass>(["cached_input", "cached_audio_input"]);

/** The order of a receipt's lines. */
const CLASSES = unitClassSchema.options;

export interface Priced {
  /** One line for each class with units at each of its rates; a class without any rate has a line with the rate 0. */
  readonly terms: ReceiptTerm[];
  /** Sum of the lines, nano USD; null when a class has no rate, so that nothing is sold as cheaper than it was. */
  readonly nano: number | null;
  /** Whether the sum is the most that it can be: a discount was left out whose rate is not known. */
  readonly estimated: boolean;
  /** Where the price was read and when it was true, and what it was multiplied by; null when there is none. */
  readonly price: { readonly source: string; readonly as_of: string } | null;
}

/** The tier that a prompt of so many tokens falls into. The whole request is billed by it. */
export function tierFor(price: Price, promptTokens: number): PriceTier {
  let chosen = price.tiers[0];
  for (const tier of price.tiers) if (promptTokens > tier.above) chosen = tier;
  if (chosen === undefined) throw new RangeError("a price needs at least one tier");
  return chosen;
}

/**
 * The price that these facts about a call lead to: the first variant all of whose conditions hold replaces rates of the
 * first tier. The result has no variants left, so that nothing chooses twice.
 */
export function priceFor(price: Price, facts: PriceFacts): Price {
  const { variants, ...plain } = price;
  const found = variants?.find(({ when }) => Object.entries(when).every(([fact, value]) => facts[fact] === value));
  const [first, ...higher] = plain.tiers;
  if (found === undefined || first === undefined) return plain;
  return { ...plain, tiers: [{ above: first.above, rates: { ...first.rates, ...found.rates } }, ...higher] };
}

/**
 * The price of a call that was served otherwise than usual. Factors stack.
 * @param served facts that are not usual (`core/money/served.ts`)
 * @returns null where what so served calls cost is not known
 */
export function priceServed(price: Price, served: PriceFacts): Price | null {
  if (price.always === true) return price;
  let sold = price;
  for (const [fact, value] of Object.entries(served)) {
    const factor = price.factors?.[fact]?.[value];
    if (factor === undefined) return null;
    sold = multiplied(sold, factor, `${fact} ${value}`);
  }
  return sold;
}

/** Fees for one thing that was done, which cost the same however a call is served. */
const FEES: ReadonlySet<string> = new Set<UnitClass>(["web_search", "request"]);

/** All rates but fees times a factor, which the source then names, so that a receipt explains itself. */
export function multiplied(price: Price, factor: number, because: string): Price {
  const times = (rates: PriceTier["rates"]): PriceTier["rates"] =>
    Object.fromEntries(
      Object.entries(rates).map(([unit, rate]) => [unit, FEES.has(unit) ? rate : Math.round(rate * factor)]),
    );
  const { next, variants, ...plain } = price;
  return {
    ...plain,
    tiers: price.tiers.map(({ above, rates }) => ({ above, rates: times(rates) })),
    ...(variants === undefined ? {} : { variants: variants.map(({ when, rates }) => ({ when, rates: times(rates) })) }),
    ...(next === undefined ? {} : { next: multiplied(next, factor, because) }),
    source: `${price.source}; ${because}: × ${Number(factor.toFixed(4))}`,
  };
}

/** What a price is at some moment. */
export interface PriceNow {
  /** Without hours of its own; null where it has ended and nothing is known to follow. */
  readonly price: Price | null;
  /** Unix milliseconds until which that holds; infinite where no end is known. */
  readonly until: number;
}

const HOUR_MS = 3_600_000;

/** What holds of a price on a UTC day, `YYYY-MM-DD`; null where it has ended and nothing is known to follow. */
export function heldOn(price: Price | null, day: string): Price | null {
  let current = price;
  while (current?.until !== undefined && day >= current.until) current = current.next ?? null;
  return current;
}

/** What a price is at a moment, Unix milliseconds: it may have ended, or cost more at that hour of the day. */
export function priceNow(price: Price | null, at: number): PriceNow {
  const current = heldOn(price, utcDay(at));
  if (current === null) return { price: null, until: Number.POSITIVE_INFINITY };
  const end = current.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(current.until);
  if (current.peak === undefined) return { price: current, until: end };
  const { peak, ...calm } = current;
  const nextHour = (Math.floor(at / HOUR_MS) + 1) * HOUR_MS;
  return {
    price: isPeak(peak, at) ? multiplied(calm, peak.factor, "at peak hours") : calm,
    until: Math.min(end, nextHour),
  };
}

function isPeak({ hours }: PeakHours, at: number): boolean {
  const moment = new Date(at);
  const weekday = moment.getUTCDay();
  const hour = moment.getUTCHours();
  return weekday >= 1 && weekday <= 5 && hours.some(([from, to]) => hour >= from && hour < to);
}

/** The rate of a class in a tier, nano USD per 10⁶ units; undefined when neither it nor its fallback has one. */
export function rateOf(tier: PriceTier, unit: UnitClass, fallbacks: Fallback = FALLBACK): number | undefined {
  const own = tier.rates[unit];
  if (own !== undefined) return own;
  const fallback = fallbacks[unit];
  return fallback === undefined ? undefined : rateOf(tier, fallback, fallbacks);
}

/**
 * What a call costs, line by line. Each prompt has the tier of its own size, cached and cache-write tokens among it, and
 * the fee for a request where there is one.
 * @param price null: unpriced; units are counted all the same.
 */
export function priceUnits(billed: Billed, price: Price | null): Priced {
  const lines = new Lines();
  if (!isSeveral(billed)) {
    lines.add(billed, price);
    return lines.sum(price === null ? null : { source: price.source, as_of: price.as_of });
  }
  const sources = new Set<string>();
  for (const { units, served } of billed) {
    const sold = price === null || served === undefined ? price : priceServed(price, served);
    lines.add(units, sold);
    if (price !== null) sources.add(sold?.source ?? `${price.source}; ${inWords(served)}: price not known`);
  }
  return lines.sum(price === null ? null : { source: [...sources].join(" and "), as_of: price.as_of });
}

function isSeveral(billed: Billed): billed is Exclude<Billed, Units> {
  return Array.isArray(billed);
}

const inWords = (served: PriceFacts = {}): string =>
  Object.entries(served)
    .map(([fact, value]) => `${fact} ${value}`)
    .join(", ");

/** The lines of a receipt while they grow: one for each class and rate. */
class Lines {
  readonly #lines: { unit: UnitClass; quantity: number; nano_per_million: number; nano: number }[] = [];
  #complete = true;
  #estimated = false;

  /** One prompt. @param price null: not known. */
  add(units: Units, price: Price | null): void {
    const tier = price === null ? null : tierFor(price, inputTokens(units));
    const always = price?.always === true;
    const fallbacks = always ? ALWAYS : FALLBACK;
    let used = false;
    for (const unit of CLASSES) {
      const quantity = units[unit];
      if (quantity === undefined || quantity === 0) continue;
      used = true;
      const rate = tier === null ? undefined : rateOf(tier, unit, fallbacks);
      if (rate === undefined) this.#complete = false;
      else if (!always && rate > 0 && DISCOUNTED.has(unit) && tier?.rates[unit] === undefined) this.#estimated = true;
      this.#count(unit, quantity, rate ?? 0);
    }
    const fee = tier?.rates.request;
    if (used && fee !== undefined && units.request === undefined) this.#count("request", 1, fee);
  }

  /** No more lines come. */
  sum(price: Priced["price"]): Priced {
    let total = 0;
    for (const line of this.#lines) {
      line.nano = priceOf(line.quantity, line.nano_per_million);
      total = addNano(total, line.nano);
    }
    return { terms: this.#lines, nano: this.#complete ? total : null, estimated: this.#estimated, price };
  }

  #count(unit: UnitClass, quantity: number, rate: number): void {
    for (const line of this.#lines) {
      if (line.unit !== unit || line.nano_per_million !== rate) continue;
      line.quantity += quantity;
      return;
    }
    this.#lines.push({ unit, quantity, nano_per_million: rate, nano: 0 });
  }
}
