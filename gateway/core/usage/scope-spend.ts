import type { ScopeKind } from "../../contract/budgets.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { utcDay } from "../../lib/clock.ts";
import type { UsageColumns, UsageNames } from "./usage-columns.ts";
import { SUMS } from "./usage-totals.ts";
import { addNano } from "../../lib/money.ts";

/** Max cached periods: a wrong clock asks for others than the current day and month, which are then summed again. */
const KEPT_PERIODS = 8;

const NANO = SUMS.indexOf("nano");

/** The rows of the days of a period, with the names of their groups. */
export interface PeriodRows {
  readonly names: UsageNames;
  readonly days: readonly UsageColumns[];
}

/**
 * Spend of one scope in a UTC day or month, without sandbox calls. It is not stored: a period is summed from the daily rows
 * on the first request, and each receipt is added from then on.
 */
export class ScopeSpend {
  readonly #kind: ScopeKind;
  readonly #covers: (name: string) => boolean;
  readonly #rowsOf: (period: string) => PeriodRows;
  /** 10⁻⁹ USD by `YYYY-MM-DD` or `YYYY-MM`. */
  readonly #sums = new Map<string, number>();

  /**
   * @param covers whether a name, as receipts have it, belongs to the scope; "" for an unknown project
   * @param rowsOf returns the current rows of a day or month
   */
  constructor(kind: ScopeKind, covers: (name: string) => boolean, rowsOf: (period: string) => PeriodRows) {
    this.#kind = kind;
    this.#covers = covers;
    this.#rowsOf = rowsOf;
  }

  /** 10⁻⁹ USD. @param period `YYYY-MM-DD` or `YYYY-MM` */
  spent(period: string): number {
    const known = this.#sums.get(period);
    if (known !== undefined) return known;
    const sum = this.#sumRows(this.#rowsOf(period));
    if (this.#sums.size >= KEPT_PERIODS) this.#sums.clear();
    this.#sums.set(period, sum);
    return sum;
  }

  /** Counts a receipt that is in the daily rows since a moment ago. */
  count(receipt: Receipt): void {
    const { sandbox, nano, at } = receipt;
    if (sandbox || nano === null || this.#sums.size === 0 || !this.#covers(receipt[this.#kind] ?? "")) return;
    const day = utcDay(at);
    this.#add(day, nano);
    this.#add(day.slice(0, "YYYY-MM".length), nano);
  }

  #add(period: string, nano: number): void {
    const sum = this.#sums.get(period);
    if (sum !== undefined) this.#sums.set(period, addNano(sum, nano));
  }

  #sumRows({ names, days }: PeriodRows): number {
    const covered = new Map<number, boolean>();
    let sum = 0;
    for (const { rows, groups, sums } of days) {
      const numbers = groups[this.#kind];
      for (let row = 0; row < rows; row += 1) {
        const number = numbers[row] ?? 0;
        let is = covered.get(number);
        if (is === undefined) covered.set(number, (is = this.#covers(names.text(number))));
        if (is) sum = addNano(sum, sums[row * SUMS.length + NANO] ?? 0);
      }
    }
    return sum;
  }
}
