import { Purse } from "../../core/money/purse.ts";
import type { Allowance } from "../../core/money/purse.ts";
import { InFlight, RequestWindow } from "../../core/keys/rate.ts";

/** What one local key is using right now: its minute, its calls in flight, its money. Kept in memory only. */
export class KeyMeter {
  readonly purse: Purse;
  readonly flights = new InFlight();
  #window: RequestWindow | null = null;

  constructor(allowance: () => Allowance) {
    this.purse = new Purse(allowance);
  }

  get held(): number {
    return this.purse.held;
  }

  get inFlight(): number {
    return this.flights.count;
  }

  /** Counts a request against `limit` per minute. @returns 0, or seconds until one fits. */
  enterMinute(limit: number | null, at: number): number {
    if (limit === null) {
      this.#window = null;
      return 0;
    }
    this.#window ??= new RequestWindow(limit);
    this.#window.setLimit(limit);
    return this.#window.tryEnter(at);
  }
}
