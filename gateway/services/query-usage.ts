import type { CheckedInput, ControlOutput, UsageRow } from "../contract/control.ts";
import type { Totals } from "../contract/totals.ts";
import { GatewayError } from "../core/errors.ts";
import { addTotals, emptyTotals } from "../core/usage/usage-series.ts";
import { utcDay } from "../lib/clock.ts";
import type { Clock } from "../lib/clock.ts";
import type { DailyRow } from "../store/document.ts";
import type { Store } from "../store/store.ts";
import { syncedIfPossible } from "./synced.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Sums of what was used, from the daily rows: no receipt is read for them. */
export class QueryUsage {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Totals over inclusive UTC days. */
  totals(since: string, until: string): Totals {
    const total = emptyTotals();
    for (const row of this.#rows(since, until)) addTotals(total, row);
    return total;
  }

  today(): Totals {
    const day = utcDay(this.#clock.now());
    return this.totals(day, day);
  }

  month(): Totals {
    const day = utcDay(this.#clock.now());
    return this.totals(`${day.slice(0, 7)}-01`, day);
  }

  /** Sums per group, the dearest first; days in order. */
  async query(input: CheckedInput<"usage">): Promise<ControlOutput<"usage">> {
    const today = utcDay(this.#clock.now());
    const since = checkedDay(input.since, "since") ?? `${today.slice(0, 7)}-01`;
    const until = checkedDay(input.until, "until") ?? today;
    const by = input.by ?? "model";
    await syncedIfPossible(this.#store);
    const total = emptyTotals();
    const groups = new Map<string, Totals>();
    for (const row of this.#rows(since, until)) {
      const group = row[by] ?? "";
      const sums = groups.get(group) ?? emptyTotals();
      groups.set(group, sums);
      addTotals(sums, row);
      addTotals(total, row);
    }
    const data: UsageRow[] = [...groups].map(([group, totals]) => ({ group, totals }));
    data.sort(
      by === "day"
        ? (a, b) => (a.group < b.group ? -1 : 1)
        : (a, b) => b.totals.nano - a.totals.nano || b.totals.requests - a.totals.requests,
    );
    return { since, until, total, data };
  }

  *#rows(since: string, until: string): Iterable<Readonly<DailyRow>> {
    for (const row of this.#store.document.daily.values()) if (row.day >= since && row.day <= until) yield row;
  }
}

/** @throws GatewayError when it is no day */
export function checkedDay(value: string | undefined, name: string): string | null {
  if (value === undefined) return null;
  const at = DAY.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  // 31 February is no day, although a calendar would make one of it.
  if (!Number.isNaN(at) && utcDay(at) === value) return value;
  throw new GatewayError("invalid_value", `${name} must be a day as YYYY-MM-DD.`, { param: name });
}
