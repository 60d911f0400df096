import { unitSides } from "../../contract/units.ts";
import type { UnitClass } from "../../contract/receipt.ts";
import { addNano, computePrice } from "../../lib/money.ts";
import type { Price } from "../models/model.ts";
import type { MostPrompt } from "./prompt-tokens.ts";

/**
 * Hold → settle or release. A paid call first holds its max cost; at its end the actual cost is charged and the hold
 * released. Held money cannot be held twice, so concurrent calls cannot overspend.
 *
 * A limit stores no spend: the single source of truth are the store's running sums, which `state` reads. Everything
 * here is synchronous, so checking and holding are atomic. Amounts are nano USD.
 */

/** Spending limit of a key, of the monthly total, or of a budget. */
export class SpendingLimit {
  readonly #limit: () => number | null;
  readonly #spent: () => number;
  #reserved = 0;

  /**
   * Both are read on each check, because limits and periods change.
   * @param limit max spend of the current period; null: no limit
   * @param spent spend of the current period; called only if there is a limit
   */
  constructor(limit: () => number | null, spent: () => number) {
    this.#limit = limit;
    this.#spent = spent;
  }

  /** The amount held by calls in flight. */
  get reserved(): number {
    return this.#reserved;
  }

  /** The amount that can still be held: never negative; Infinity without a limit. */
  get remaining(): number {
    const limit = this.#limit();
    return limit === null ? Infinity : Math.max(0, limit - this.#spent() - this.#reserved);
  }

  /** Per cent of the limit that are spent, without what calls in flight hold; 0 without one. */
  get used(): number {
    const limit = this.#limit();
    if (limit === null) return 0;
    return limit === 0 ? 100 : (100 * this.#spent()) / limit;
  }

  /** Whether a limit is set: without one, holds are 0. */
  get limited(): boolean {
    return this.#limit() !== null;
  }

  /** Changes the held sum. Only holds call this. */
  move(amount: number): void {
    this.#reserved += amount;
  }
}

/** The amount that one call holds in one or more limits. It ends once, by `settle` or by `release`. */
export class Hold {
  #amount: number;
  #parts: { readonly limit: SpendingLimit; amount: number }[];
  #open = true;

  constructor(amount: number, limits: readonly SpendingLimit[]) {
    this.#amount = amount;
    this.#parts = limits.map((limit) => ({ limit, amount: limit.limited ? amount : 0 }));
    for (const part of this.#parts) part.limit.move(part.amount);
  }

  /** The granted amount: the requested or the remaining one, plus later growth. */
  get amount(): number {
    return this.#amount;
  }

  get open(): boolean {
    return this.#open;
  }

  /** Holds more, as much of it as all limits have left. @param amount whole nano USD, 0 or more */
  grow(amount: number): void {
    if (!this.#open) return;
    const limited = this.#parts.filter(({ limit }) => limit.limited);
    const more = Math.min(amount, ...limited.map(({ limit }) => limit.remaining));
    if (limited.length === 0 || more <= 0) return;
    this.#amount += more;
    for (const part of limited) {
      part.limit.move(more);
      part.amount += more;
    }
  }

  /**
   * Releases the hold and charges the cost atomically: `book` adds it to the spend that the limits read.
   * @returns false if the hold had already ended; then `book` is not called, so no call is charged twice.
   */
  settle(book: () => void): boolean {
    if (!this.#end()) return false;
    book();
    return true;
  }

  /** Releases the hold of a free call. @returns false if it had already ended. */
  release(): boolean {
    return this.#end();
  }

  #end(): boolean {
    if (!this.#open) return false;
    this.#open = false;
    for (const part of this.#parts) part.limit.move(-part.amount);
    this.#parts = [];
    return true;
  }
}

/** The first limit that refused a hold, and what it had left. */
export interface Refusal {
  readonly limit: SpendingLimit;
  readonly remaining: number;
}

/**
 * Holds `requested` in all limits or in none. If less than `requested` but at least `least` remains, the remainder is
 * held.
 * @param requested whole nano USD, 0 or more.
 */
export function tryHold(
  limits: readonly SpendingLimit[],
  requested: number,
  least: number = requested,
): Hold | Refusal {
  let amount = requested;
  for (const limit of limits) {
    const remaining = limit.remaining;
    if (remaining < Math.min(least, requested)) return { limit, remaining };
    amount = Math.min(amount, remaining);
  }
  return new Hold(amount, limits);
}

/**
 * Computes the max cost of a token-billed call from its request, and the max length of its responses for the held
 * money. Amounts are nano USD.
 */

/** Limits of a request to one provider. */
export interface AllowedCall {
  /** Null: unpriced. */
  readonly price: Price | null;
  /** Bounds of each prompt. */
  readonly prompt: MostPrompt;
  /** How often the prompt is sent. */
  readonly prompts: number;
  /** Answers to all prompts together. */
  readonly choices: number;
  /** Max output tokens of one response; null if unknown. */
  readonly perChoice: number | null;
  /** Whether the client set no bound on the whole response. */
  readonly open: boolean;
  /** The lowest bound that the request can be sent with. */
  readonly least: number;
  /** Whether the model's longest response is known. If not, its provider may refuse a high bound. */
  readonly longestKnown: boolean;
  /** Whether answers may be spoken. */
  readonly speaks: boolean;
  /** Whether answers hold pictures. */
  readonly draws: boolean;
}

/** The allowed call with the most expensive applicable rates. */
export interface Allowance extends AllowedCall {
  readonly rates: DearestRates;
}

/** Nano USD per 10⁶. */
interface DearestRates {
  /** Rates of input and of output. */
  readonly input: number;
  readonly output: number;
  /** Fees per request and per provider-side search. */
  readonly fee: number;
  readonly search: number;
}

export function getAllowance(call: AllowedCall): Allowance {
  return { ...call, rates: dearestRates(call) };
}

/** The amount to hold. */
export interface HoldRequest {
  /** Max cost of the call as sent. */
  readonly nano: number;
  /** The min amount that has to be available: with less than `nano`, it bounds the responses. */
  readonly least: number;
  /** Whether nothing that the client wrote bounds the response. */
  readonly open: boolean;
}

/**
 * Max tokens for models with unknown max output: most servers accept it, and refuse with a 400 what exceeds their own
 * maximum.
 */
const CAREFUL_BOUND = 32_768;
/**
 * Output tokens assumed for models without a known price: they are free, but the key must have room for one response.
 */
const UNPRICED_OUTPUT = 4_096;

/**
 * Rates for the hold of a model without a known price, USD 5 and 25 per million tokens: about the most expensive models
 * in wide use. A call without a price is never charged by it; it only has to fit the key's limit.
 */
export const ASSUMED_PRICE: Price = {
  tiers: [{ above: 0, rates: { input: 5_000_000_000, output: 25_000_000_000 } }],
  source: "assumed for holds only",
  as_of: "2026-11-20",
};

/**
 * Computes the amount to hold, so that the response of any candidate stays within it. A response bounded by the client
 * is held in full, as far as money is available. An unbounded one holds at most half of the remainder, so that
 * concurrent calls get shorter responses instead of none at all.
 * @param remaining what the key and the month have left; Infinity without a limit.
 */
export function computeHoldRequest(allowances: readonly Allowance[], remaining: number): HoldRequest {
  let nano = 0;
  let least = 0;
  let open = false;
  for (const allowance of allowances) {
    const lowest = computeCost(allowance, lowestBound(allowance));
    nano = Math.max(nano, lowest, computeHold(allowance, remaining));
    least = Math.max(least, lowest);
    open ||= allowance.open;
  }
  return { nano, least, open };
}

function computeHold(allowance: Allowance, remaining: number): number {
  const full = computeCost(allowance, longest(allowance));
  if (!allowance.open || full <= remaining / 2) return full;
  const careful = allowance.longestKnown ? full : computeCost(allowance, CAREFUL_BOUND);
  return Math.min(careful, Math.floor(remaining / 2));
}

/**
 * Returns the max tokens to send for each response of a candidate (`DialectCall.bound`).
 * @param reserved held for the call: at least the `least` of `computeHoldRequest`.
 */
export function chooseBound(allowance: Allowance, reserved: number): number | null {
  const { price, perChoice, longestKnown } = allowance;
  if (price === null || allowance.rates.output === 0) return null;
  const covered = computeCovered(allowance, reserved);
  if (perChoice !== null && covered >= perChoice) return Infinity;
  return longestKnown ? covered : Math.min(covered, CAREFUL_BOUND);
}

/** Returns how many output tokens of each response the money covers; Infinity if they are free. */
export function computeCovered(allowance: Allowance, reserved: number): number {
  const { output } = allowance.rates;
  if (output === 0) return Infinity;
  const left = reserved - computeCost(allowance, 0);
  // The held amount was also rounded.
  return Math.max(0, Math.floor(((left + 0.51) * 1_000_000) / output / allowance.choices));
}

/** Prices each prompt and output token at the most expensive class that it can have. */
function computeCost({ prompt, prompts, choices, rates }: Allowance, perChoice: number): number {
  const { input, output, fee, search } = rates;
  const fees = addNano(computePrice(prompts, fee), computePrice(prompt.searches * prompts, search));
  return addNano(
    addNano(computePrice(prompt.tokens * prompts, input), computePrice(perChoice * choices, output)),
    fees,
  );
}

function longest({ price, perChoice, open }: Allowance): number {
  if (price === null && open) return Math.min(UNPRICED_OUTPUT, perChoice ?? UNPRICED_OUTPUT);
  return perChoice ?? CAREFUL_BOUND;
}

function lowestBound(allowance: Allowance): number {
  return Math.min(allowance.least, longest(allowance));
}

/** Returns the highest rates of all tiers that a prompt of up to this size can fall into. */
function dearestRates({ price, prompt, speaks, draws }: AllowedCall): DearestRates {
  let input = 0;
  let output = 0;
  let fee = 0;
  let search = 0;
  for (const { above, rates } of (price ?? ASSUMED_PRICE).tiers) {
    if (above > 0 && above >= prompt.tokens) continue;
    for (const name in rates) {
      const unit = name as UnitClass;
      const rate = rates[unit] ?? 0;
      if (!canOccur(unit, prompt, speaks, draws)) continue;
      if (unit === "request") fee = Math.max(fee, rate);
      else if (unit === "web_search") search = Math.max(search, rate);
      else if (unitSides[unit] === "input") input = Math.max(input, rate);
      else if (unitSides[unit] === "output") output = Math.max(output, rate);
    }
  }
  return { input, output, fee, search };
}

/** Whether a call can use units of this class. */
function canOccur(unit: UnitClass, { forAnHour, hasSound }: MostPrompt, speaks: boolean, draws: boolean): boolean {
  switch (unit) {
    case "cache_write_1h":
      return forAnHour;
    case "audio_input":
    case "cached_audio_input":
      return hasSound;
    case "audio_output":
      return speaks;
    case "image_input":
    case "image_output":
      return draws;
    default:
      return true;
  }
}
