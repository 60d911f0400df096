import type { Receipt } from "../../contract/receipt.ts";
import type { Totals } from "../../contract/totals.ts";
import { utcDay } from "../../lib/clock.ts";
import type { Slices } from "../../lib/slices.ts";
import type { DailyRow } from "./aggregate.ts";
import { columnsOf, namesByGroup } from "./usage-columns.ts";
import type { UsageColumns, UsageSource } from "./usage-columns.ts";
import { addReceipt } from "./usage-sums.ts";
import { addTotals, emptyTotals } from "./usage-totals.ts";

interface Day {
  readonly rows: Set<Readonly<DailyRow>>;
  /** Summed when somebody first asks, and kept up to date from then on. */
  totals: Totals | null;
  /** Made when somebody asks; a day that is over does not change any more. */
  columns: UsageColumns | null;
}

/** Inclusive days as `YYYY-MM-DD`; null: from the first, to the last. */
export interface DaySpan {
  readonly since: string | null;
  readonly until: string | null;
}

/**
 * The daily rows by their day, and what they add up to. Nothing is done before somebody asks; from then on every
 * receipt is counted in its day as it is settled, so that no response goes through all rows again.
 */
export class UsageDays implements UsageSource {
  readonly names = namesByGroup();
  readonly #daily: ReadonlyMap<string, Readonly<DailyRow>>;
  #days: Map<string, Day> | null = null;

  constructor(daily: ReadonlyMap<string, Readonly<DailyRow>>) {
    this.#daily = daily;
  }

  /** @param row that in which the receipt has just been counted */
  count(receipt: Receipt, row: Readonly<DailyRow>): void {
    if (this.#days === null) return;
    const day = dayIn(this.#days, row.day);
    day.rows.add(row);
    day.columns = null;
    if (day.totals !== null) addReceipt(day.totals, receipt);
  }

  /** What all of these days used. */
  total(span: DaySpan): Totals {
    const total = emptyTotals();
    for (const [, day] of this.#within(span)) addTotals(total, totalsOf(day));
    return total;
  }

  /** What each day used that has rows, in their order. */
  totals(span: DaySpan): { readonly day: string; readonly totals: Totals }[] {
    return this.#within(span)
      .map(([day, one]) => ({ day, totals: { ...totalsOf(one) } }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1));
  }

  at(begins: number): UsageColumns | undefined {
    const day = this.#all().get(utcDay(begins));
    return day === undefined ? undefined : this.#columnsOf(day);
  }

  columns(span: DaySpan): UsageColumns[] {
    return this.#within(span).map(([, day]) => this.#columnsOf(day));
  }

  /** Makes what `at` and `columns` give for these days, so that a first look at years holds nobody up. */
  async prepare(span: DaySpan, slices: Slices): Promise<void> {
    for (const [, day] of this.#within(span)) {
      this.#columnsOf(day);
      if (slices.over) await slices.pause();
    }
  }

  #columnsOf(day: Day): UsageColumns {
    day.columns ??= columnsOf(day.rows, this.names);
    return day.columns;
  }

  #within({ since, until }: DaySpan): [string, Day][] {
    return [...this.#all()].filter(([day]) => (since === null || day >= since) && (until === null || day <= until));
  }

  #all(): Map<string, Day> {
    if (this.#days !== null) return this.#days;
    const days = new Map<string, Day>();
    for (const row of this.#daily.values()) dayIn(days, row.day).rows.add(row);
    this.#days = days;
    return days;
  }
}

function dayIn(days: Map<string, Day>, name: string): Day {
  const known = days.get(name);
  if (known !== undefined) return known;
  const day: Day = { rows: new Set(), totals: null, columns: null };
  days.set(name, day);
  return day;
}

function totalsOf(day: Day): Totals {
  if (day.totals !== null) return day.totals;
  const totals = emptyTotals();
  for (const row of day.rows) addTotals(totals, row);
  day.totals = totals;
  return totals;
}
