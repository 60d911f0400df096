import { SpendingLimit } from "../../core/money/spending-limit.ts";
import type { Allowance } from "../../core/money/spending-limit.ts";
import { InFlight, RequestWindow } from "../../core/keys/rate.ts";

/** What one local key is using right now: its minute, its calls in flight, its money. Kept in memory only. */
export class KeyMeter {
  readonly limit: SpendingLimit;
  readonly flights = new InFlight();
  #window: RequestWindow | null = null;

  constructor(allowance: () => Allowance) {
    this.limit = new SpendingLimit(allowance);
  }

  get held(): number {
    return this.limit.held;
  }

  get inFlight(): number {
    return this.flights.count;
  }

  /** 0 where one more request fits `limit` per minute (null: none), else seconds until one does. */
  minuteWait(limit: number | null, at: number): number {
    if (limit === null) {
      this.#window = null;
      return 0;
    }
    this.#window ??= new RequestWindow(limit);
    this.#window.setLimit(limit);
    return this.#window.wait(at);
  }

  /** Counts a request that was let in. */
  enterMinute(at: number): void {
    this.#window?.enter(at);
  }
}
