/**
 * Hold → settle or release. A call that costs money first holds the most it can cost; when it is over, what it did
 * cost is booked and the hold ends. Money that is held cannot be held again, so concurrent calls cannot overspend.
 *
 * A limit keeps no spend of its own: spend has one source of truth, the store's running sums, which `allowance` reads.
 * Everything here is synchronous, so nothing comes between a look and a hold. Amounts are nano USD.
 */

/** What a limit may spend in its current period, and what it has. Read at every look: limits and periods change. */
export interface Allowance {
  /** Null: no limit. */
  readonly limit: number | null;
  readonly spent: number;
}

/** The money of one key, or of the whole app's month. */
export class SpendingLimit {
  readonly #allowance: () => Allowance;
  #held = 0;

  constructor(allowance: () => Allowance) {
    this.#allowance = allowance;
  }

  /** What calls in flight hold. */
  get held(): number {
    return this.#held;
  }

  /** What can still be held: never negative; Infinity without a limit. */
  get remaining(): number {
    const { limit, spent } = this.#allowance();
    return limit === null ? Infinity : Math.max(0, limit - spent - this.#held);
  }

  /** Whether a limit is set: without one, holds are of 0. */
  get limited(): boolean {
    return this.#allowance().limit !== null;
  }

  /** Moves the held sum. Only holds call this. */
  move(amount: number): void {
    this.#held += amount;
  }
}

/** What one call holds in one or more limits at once. It ends once, by `settle` or by `release`. */
export class Hold {
  /** What was granted: what was wanted, or what remained. */
  readonly amount: number;
  #parts: { readonly limit: SpendingLimit; readonly amount: number }[];
  #open = true;

  constructor(amount: number, limits: readonly SpendingLimit[]) {
    this.amount = amount;
    this.#parts = limits.map((limit) => ({ limit, amount: limit.limited ? amount : 0 }));
    for (const part of this.#parts) part.limit.move(part.amount);
  }

  get open(): boolean {
    return this.#open;
  }

  /**
   * Ends the hold and books what the call cost, in one step: `book` adds it to the spend that the allowances read.
   * @returns false when the hold had ended before; then `book` is not called, so no call is charged twice.
   */
  settle(book: () => void): boolean {
    if (!this.#end()) return false;
    book();
    return true;
  }

  /** Ends the hold of a call that cost nothing. @returns false when it had ended before. */
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

/** Why nothing was held: the first limit that could not, and what it had. */
export interface Refusal {
  readonly limit: SpendingLimit;
  readonly remaining: number;
}

/**
 * Holds `wanted` in all limits or in none. Where a call can be made with less, `least` is smaller: then what remains is
 * held instead, as long as it is `least` or more.
 * @param wanted whole nano USD, 0 or more.
 */
export function tryHold(limits: readonly SpendingLimit[], wanted: number, least: number = wanted): Hold | Refusal {
  let amount = wanted;
  for (const limit of limits) {
    const remaining = limit.remaining;
    if (remaining < Math.min(least, wanted)) return { limit, remaining };
    amount = Math.min(amount, remaining);
  }
  return new Hold(amount, limits);
}
