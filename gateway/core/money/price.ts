import { unitClassSchema } from "../../contract/receipt.ts";
import { FEES, unitSides } from "../../contract/units.ts";
import type { ReceiptTerm, UnitClass } from "../../contract/receipt.ts";
import { utcDay } from "../../lib/clock.ts";
import { addNano, dollars, computePrice } from "../../lib/money.ts";
import type { Billed, PeakHours, Price, PriceFacts, PriceTier, Units, Usage } from "../models/model.ts";

/**
 * Fields of requests and responses for the service tier, with their standard values. OpenAI, Google and Anthropic share
 * the tier's name; Anthropic's fast mode and inference region have separate fields. Any other value costs more or less
 * than the standard price.
 */
const USUAL = {
  service_tier: ["auto", "default", "standard", "standard_only", "on_demand"],
  speed: ["standard"],
  inference_geo: ["global", "not_available"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type ServedField = keyof typeof USUAL;

/** The response's values of these fields; a field that its dialect does not have is missing. */
export type ReportedService = Readonly<Partial<Record<ServedField, unknown>>>;

/**
 * Returns the service facts that the price depends on; undefined for standard service. Only the response is
 * authoritative: a provider may ignore a tier, and a discount needs its confirmation.
 * @param source the response, or the request for what it requests
 */
export function servedFacts(source: ReportedService): PriceFacts | undefined {
  let facts: Record<string, string> | undefined;
  for (const field in USUAL) {
    const reported = source[field as ServedField];
    if (typeof reported !== "string" || reported === "") continue;
    const value = reported.toLowerCase();
    if (!(USUAL[field as ServedField] as readonly string[]).includes(value)) (facts ??= {})[field] = value;
  }
  return facts;
}

/** Returns the max price of a request: the standard price, or the higher price of the requested tier. */
export function raiseToRequested(price: Price | null, request: Readonly<Record<string, unknown>>): Price | null {
  if (price === null || price.always === true) return price;
  let factor = 1;
  for (const [fact, value] of Object.entries(servedFacts(request) ?? {}))
    factor *= Math.max(1, price.factors?.[fact]?.[value] ?? findHighestFactor(price, fact));
  return factor === 1 ? price : multiplyPrice(price, factor, "as asked");
}

/** Returns the request's tier fields whose price factor is unknown. */
export function findUnknownTiers(
  price: Price | null,
  request: Readonly<Record<string, unknown>>,
): readonly ServedField[] {
  if (price === null || price.always === true) return [];
  const facts = Object.entries(servedFacts(request) ?? {});
  return facts.flatMap(([fact, value]) => (price.factors?.[fact]?.[value] === undefined ? [fact as ServedField] : []));
}

/** Returns the highest known factor of a kind, at least 1. */
const findHighestFactor = (price: Price, fact: string): number =>
  Math.max(1, ...Object.values(price.factors?.[fact] ?? {}));

/** All tokens of a prompt, however they are billed. */
export const inputTokens = (units: Units): number => sumTokens(units, "input");

/** All tokens that a model made, shown or not. */
export const outputTokens = (units: Units): number => sumTokens(units, "output");

function sumTokens(units: Units, side: "input" | "output"): number {
  let sum = 0;
  for (const unit in units) if (unitSides[unit as UnitClass] === side) sum += units[unit as UnitClass] ?? 0;
  return sum;
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

/** Returns the count without classes of zero units. */
export function withoutZeros(count: Units): Units {
  return Object.fromEntries(Object.entries(count).filter(([, quantity]) => quantity > 0));
}

type Fallback = Readonly<Partial<Record<UnitClass, UnitClass>>>;

/** Class that prices a class without its own rate; the result is an estimate unless the class is in `EXACT`. */
const NEAREST: Fallback = {
  cached_input: "input",
  cached_audio_input: "audio_input",
  cache_write: "input",
  cache_write_1h: "cache_write",
  audio_input: "input",
  image_input: "input",
  reasoning: "output",
  audio_output: "output",
  image_output: "output",
};

/** Classes that are billed exactly as their nearest one if they have no separate price (pictures at Gemini). */
const EXACT: ReadonlySet<UnitClass> = new Set<UnitClass>(["reasoning", "image_input"]);

/** The order of a receipt's lines. */
const CLASSES = unitClassSchema.options;

export interface Priced {
  /** A line for each class with units at each of its rates; a class without any rate has a line with the rate 0. */
  readonly terms: ReceiptTerm[];
  /** Sum of the lines, nano USD; null without a price, and if none of the classes has a rate. */
  readonly nano: number | null;
  /** Whether a line has the nearest rate or factor, because its own is not known, or has none at all. */
  readonly estimated: boolean;
  /** Source and date of the price, its multipliers, and whether the provider named the sum. */
  readonly price: { readonly source: string; readonly as_of: string } | null;
}

/** Returns the tier for this many prompt tokens. The whole request is billed by it. */
export function findTier(price: Price, promptTokens: number): PriceTier {
  let chosen = price.tiers[0];
  for (const tier of price.tiers) if (promptTokens > tier.above) chosen = tier;
  if (chosen === undefined) throw new RangeError("a price needs at least one tier");
  return chosen;
}

/**
 * Returns the price for these facts of a call: the first variant whose conditions all match replaces rates of the first
 * tier. The result has no variants, so that none is applied twice.
 */
export function choosePrice(price: Price, facts: PriceFacts): Price {
  const { variants, ...plain } = price;
  const found = variants?.find(({ when }) => Object.entries(when).every(([fact, value]) => facts[fact] === value));
  const [first, ...higher] = plain.tiers;
  if (found === undefined || first === undefined) return plain;
  return { ...plain, tiers: [{ above: first.above, rates: { ...first.rates, ...found.rates } }, ...higher] };
}

/**
 * Returns the price of a call with non-standard service. Factors multiply; an unknown one uses the highest of its kind,
 * as noted in the source.
 * @param served non-standard facts (`servedFacts`)
 */
export function priceServed(price: Price, served: PriceFacts): Price {
  if (price.always === true) return price;
  let sold = price;
  for (const [fact, value] of Object.entries(served)) {
    const factor = price.factors?.[fact]?.[value];
    sold =
      factor === undefined
        ? multiplyPrice(sold, findHighestFactor(price, fact), `${fact} ${value}, rate not known`)
        : multiplyPrice(sold, factor, `${fact} ${value}`);
  }
  return sold;
}

const knowsServed = (price: Price, served: PriceFacts): boolean =>
  price.always === true ||
  Object.entries(served).every(([fact, value]) => price.factors?.[fact]?.[value] !== undefined);

/** All rates but fees times a factor, which the source then names, so that a receipt explains itself. */
export function multiplyPrice(price: Price, factor: number, because: string): Price {
  const times = (rates: PriceTier["rates"]): PriceTier["rates"] =>
    Object.fromEntries(
      Object.entries(rates).map(([unit, rate]) => [unit, FEES.has(unit) ? rate : Math.round(rate * factor)]),
    );
  const { next, variants, ...plain } = price;
  return {
    ...plain,
    tiers: price.tiers.map(({ above, rates }) => ({ above, rates: times(rates) })),
    ...(variants === undefined ? {} : { variants: variants.map(({ when, rates }) => ({ when, rates: times(rates) })) }),
    ...(next === undefined ? {} : { next: multiplyPrice(next, factor, because) }),
    source: `${price.source}; ${because}: × ${Number(factor.toFixed(4))}`,
  };
}

/** The price at some moment. */
export interface PriceNow {
  /** Price without its hours; null if it has ended and no next one is known. */
  readonly price: Price | null;
  /** Unix milliseconds until which that is valid; infinite without a known end. */
  readonly until: number;
}

const PER_MILLION = 1_000_000;
const HOUR_MS = 3_600_000;

/** Returns the price on a UTC day, `YYYY-MM-DD`; null if it has ended and no successor is known. */
export function findPriceOnDay(price: Price | null, day: string): Price | null {
  let current = price;
  while (current?.until !== undefined && day >= current.until) current = current.next ?? null;
  return current;
}

/** Returns the price at a moment, Unix milliseconds: it may have ended, or cost more at that hour of the day. */
export function priceNow(price: Price | null, at: number): PriceNow {
  const current = findPriceOnDay(price, utcDay(at));
  if (current === null) return { price: null, until: Number.POSITIVE_INFINITY };
  const end = current.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(current.until);
  if (current.peak === undefined) return { price: current, until: end };
  const { peak, ...calm } = current;
  const nextHour = (Math.floor(at / HOUR_MS) + 1) * HOUR_MS;
  return {
    price: isPeak(peak, at) ? multiplyPrice(calm, peak.factor, "at peak hours") : calm,
    until: Math.min(end, nextHour),
  };
}

function isPeak({ hours }: PeakHours, at: number): boolean {
  const moment = new Date(at);
  const weekday = moment.getUTCDay();
  const hour = moment.getUTCHours();
  return weekday >= 1 && weekday <= 5 && hours.some(([from, to]) => hour >= from && hour < to);
}

/** Returns a class's rate in a tier, nano USD per 10⁶ units; undefined if neither it nor a nearest class has one. */
export function findRate(tier: PriceTier, unit: UnitClass): number | undefined {
  const own = tier.rates[unit];
  if (own !== undefined) return own;
  const nearest = NEAREST[unit];
  return nearest === undefined ? undefined : findRate(tier, nearest);
}

/**
 * Computes the cost of a call, line by line. Each prompt is priced by the tier of its own size, cached and cache-write
 * tokens included, plus the request fee if there is one. A sum reported by the provider is distributed over the lines.
 * @param price null: unpriced; units are counted nevertheless.
 * @param reserved max nano USD of lines at nearest rates together with the certain ones; 0 if nothing was held
 */
export function priceUnits(billed: Billed, price: Price | null, reserved = 0): Priced {
  const lines = new Lines(reserved);
  if (!isSeveral(billed)) {
    lines.add(billed, price);
    return lines.sum(price === null ? null : { source: price.source, as_of: price.as_of });
  }
  const sources = new Set<string>();
  let asOf = price?.as_of ?? null;
  for (const usage of billed) {
    const { units, served, charged } = usage;
    const listed = usage.price === undefined ? price : usage.price;
    const sold = listed === null || served === undefined ? listed : priceServed(listed, served);
    if (charged !== undefined) {
      const table = sold === null ? null : priceUnits(units, sold).nano;
      lines.share(charged, units, sold);
      sources.add(chargedSource(charged, table, sold));
      asOf ??= sold?.as_of ?? "";
      continue;
    }
    const isKnown = listed === null || served === undefined || knowsServed(listed, served);
    lines.add(units, sold, isKnown ? sold : listed);
    if (sold !== null) sources.add(sold.source);
    asOf ??= sold?.as_of ?? null;
  }
  return lines.sum(asOf === null ? null : { source: [...sources].join(" and "), as_of: asOf });
}

/** Returns the billed units per prompt. */
export function listUsages(billed: Billed): readonly Usage[] {
  return isSeveral(billed) ? billed : [{ units: billed }];
}

function isSeveral(billed: Billed): billed is Exclude<Billed, Units> {
  return Array.isArray(billed);
}

/** Max relative difference to the charged sum that counts as rounding. */
const TOLERANCE = 0.01;

/** Tells whether a provider's charge differs so much from the table that the table is out of date. */
export const isFarFrom = (table: number, charged: number): boolean => Math.abs(table - charged) > charged * TOLERANCE;

function chargedSource(charged: number, table: number | null, price: Price | null): string {
  if (price === null || table === null || !isFarFrom(table, charged)) return "as charged by the provider";
  return `as charged by the provider; ${dollars(table)} by ${price.source}`;
}

interface Line {
  readonly unit: UnitClass;
  quantity: number;
  nano_per_million: number;
  nano: number;
  /** Share of the sum with its own rate. */
  certain: number;
}

/** The lines of a receipt under construction: one per class and rate, and one per share of a reported sum. */
class Lines {
  readonly #lines: Line[] = [];
  /** Lines with shares of the provider's reported charge, one per class. */
  readonly #shares: Line[] = [];
  #complete = true;
  #hasRate = false;
  #estimated = false;
  readonly #reserved: number;

  constructor(reserved: number) {
    this.#reserved = reserved;
  }

  /** Adds a prompt. @param price null: unknown. @param usual another price if its way of serving has no known factor */
  add(units: Units, price: Price | null, usual: Price | null = price): void {
    const tier = price === null ? null : findTier(price, inputTokens(units));
    const sure = usual === null || usual === price ? tier : findTier(usual, inputTokens(units));
    this.#estimated ||= usual !== price;
    const always = price?.always === true;
    let used = false;
    for (const unit of CLASSES) {
      const quantity = units[unit];
      if (quantity === undefined || quantity === 0) continue;
      used = true;
      const own = tier?.rates[unit];
      const rate = tier === null ? undefined : findRate(tier, unit);
      if (tier === null) this.#complete = false;
      this.#hasRate ||= rate !== undefined;
      const isNearest = tier !== null && own === undefined && !always && rate !== 0 && !EXACT.has(unit);
      this.#estimated ||= isNearest;
      this.#count(unit, quantity, rate ?? 0, isNearest || sure === null ? 0 : (findRate(sure, unit) ?? 0));
    }
    const fee = tier?.rates.request;
    if (used && fee !== undefined && units.request === undefined) this.#count("request", 1, fee, fee);
  }

  /** A sum that the provider charged for these units, shared out as the price would; by quantity without one. */
  share(charged: number, units: Units, price: Price | null): void {
    const { terms } = priceUnits(units, price);
    const lines = terms.length > 0 ? terms : [{ unit: "request" as const, quantity: 1, nano_per_million: 0, nano: 0 }];
    const isPriced = lines.some(({ nano }) => nano > 0);
    const weightOf = (line: ReceiptTerm): number => (isPriced ? line.nano : line.quantity);
    const whole = lines.reduce((sum, line) => sum + weightOf(line), 0);
    let left = charged;
    for (const [index, line] of lines.entries()) {
      const isLast = index === lines.length - 1;
      const nano = isLast ? left : Math.min(left, Math.round((charged * weightOf(line)) / whole));
      left -= nano;
      const same = this.#shares.find(({ unit }) => unit === line.unit);
      if (same === undefined) {
        this.#shares.push({ ...line, nano, certain: nano });
        continue;
      }
      same.quantity += line.quantity;
      same.nano += nano;
      same.certain += nano;
    }
  }

  /** No more lines come. */
  sum(price: Priced["price"]): Priced {
    for (const line of this.#lines) line.nano = computePrice(line.quantity, line.nano_per_million);
    for (const line of this.#shares) line.nano_per_million = Math.round((line.nano * PER_MILLION) / line.quantity);
    const all = this.#shares.length === 0 ? this.#lines : [...this.#lines, ...this.#shares];
    if (this.#estimated && this.#reserved > 0) this.#cap(all);
    let total = 0;
    const terms = all.map(({ unit, quantity, nano_per_million, nano }) => {
      total = addNano(total, nano);
      return { unit, quantity, nano_per_million, nano };
    });
    const isPriced = this.#complete && (this.#hasRate || this.#lines.length === 0);
    return { terms, nano: isPriced ? total : null, estimated: this.#estimated, price };
  }

  /** Caps uncertain lines at the held amount. */
  #cap(lines: readonly Line[]): void {
    const certain = lines.reduce((sum, line) => sum + line.certain, 0);
    const guessed = lines.reduce((sum, line) => sum + line.nano, 0) - certain;
    const spare = Math.max(0, this.#reserved - certain);
    if (guessed <= spare) return;
    for (const line of lines) {
      line.nano = line.certain + Math.floor(((line.nano - line.certain) * spare) / guessed);
      line.nano_per_million = Math.round((line.nano * PER_MILLION) / line.quantity);
    }
  }

  /** @param rate nano USD per 10⁶ units @param sure rate of the certain part */
  #count(unit: UnitClass, quantity: number, rate: number, sure: number): void {
    const certain = computePrice(quantity, Math.min(rate, sure));
    for (const line of this.#lines) {
      if (line.unit !== unit || line.nano_per_million !== rate) continue;
      line.quantity += quantity;
      line.certain += certain;
      return;
    }
    this.#lines.push({ unit, quantity, nano_per_million: rate, nano: 0, certain });
  }
}
