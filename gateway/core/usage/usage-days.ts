import { getAppName } from "../../contract/apps.ts";
import type { ScopeKind } from "../../contract/budgets.ts";
import type { Receipt } from "../../contract/receipt.ts";
import type { Totals } from "../../contract/totals.ts";
import type { UsageGroup } from "../../contract/usage.ts";
import { utcDay } from "../../lib/clock.ts";
import type { Slices } from "../../lib/slices.ts";
import type { ColdDay, DailyRow, DailyRows } from "./daily-rows.ts";
import { ScopeSpend } from "./scope-spend.ts";
import { addedUp, toColumns, namesByGroup } from "./usage-columns.ts";
import type { UsageColumns, UsageSource } from "./usage-columns.ts";
import { sumColumns } from "./usage-series.ts";
import { addReceipt } from "./usage-sums.ts";
import { addTotals, emptyTotals } from "./usage-totals.ts";

interface Day {
  /** Summed on the first request, and updated from then on. */
  totals: Totals | null;
  /** Built on request, for a day that still changes. */
  columns: UsageColumns | null;
  /** Sums per group of a past day, with a tenth of the memory and work of its rows. */
  addedUp: AddedUp | null;
  /** The apps that called each model. */
  apps: ReadonlyMap<string, ReadonlySet<string>> | null;
  /** Running computation, in slices. */
  reading: Promise<void> | null;
}

type AddedUp = Readonly<Record<UsageGroup, UsageColumns>>;
const GROUPS = Object.keys(namesByGroup()) as readonly UsageGroup[];

/** Inclusive days as `YYYY-MM-DD`; null: from the first, to the last. */
export interface DaySpan {
  readonly since: string | null;
  readonly until: string | null;
}

/**
 * Totals of each day's daily rows. They are computed on the first request; from then on every settled receipt is added,
 * so that no request reads all rows again.
 */
export class UsageDays implements UsageSource {
  readonly names = namesByGroup();
  readonly #daily: DailyRows;
  readonly #days = new Map<string, Day>();
  /** Scopes that receive every receipt; empty without budgets. */
  #followed: readonly ScopeSpend[] = [];

  constructor(daily: DailyRows) {
    this.#daily = daily;
  }

  /** @param row that in which the receipt has just been counted */
  count(receipt: Receipt, row: Readonly<DailyRow>): void {
    for (const scope of this.#followed) scope.count(receipt);
    const day = this.#days.get(row.day);
    if (day === undefined) return;
    day.columns = null;
    day.addedUp = null;
    day.apps = null;
    if (day.totals !== null) addReceipt(day.totals, receipt);
  }

  /** Returns the spend of a scope, kept current until `unfollow`. @param covers tells whether a name is in the scope */
  follow(kind: ScopeKind, covers: (name: string) => boolean): ScopeSpend {
    const scope = new ScopeSpend(kind, covers, (period) => ({
      names: this.names[kind],
      // A month has no later day, and a day is a single one.
      days: this.columns({ since: period, until: `${period}~` }, kind),
    }));
    this.#followed = [...this.#followed, scope];
    return scope;
  }

  unfollow(scope: ScopeSpend): void {
    this.#followed = this.#followed.filter((one) => one !== scope);
  }

  /** Returns the totals of all days of a span. */
  total(span: DaySpan): Totals {
    const total = emptyTotals();
    for (const day of this.#within(span)) addTotals(total, this.#getTotals(day));
    return total;
  }

  /** Returns the totals of each day that has rows, in order. */
  totals(span: DaySpan): { readonly day: string; readonly totals: Totals }[] {
    return this.#within(span)
      .map((day) => ({ day, totals: { ...this.#getTotals(day) } }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1));
  }

  at(begins: number, by: UsageGroup): UsageColumns | undefined {
    return this.#getColumns(utcDay(begins), by);
  }

  /** @param by the only group that is included */
  columns(span: DaySpan, by: UsageGroup): UsageColumns[] {
    return this.#within(span).flatMap((day) => this.#getColumns(day, by) ?? []);
  }

  /** Counts the apps that called a model in these days, sandbox calls excluded. */
  countApps(model: string, span: DaySpan): number {
    const apps = new Set<string>();
    for (const name of this.#within(span)) for (const app of this.#getApps(name).get(model) ?? []) apps.add(app);
    return apps.size;
  }

  #getApps(name: string): ReadonlyMap<string, ReadonlySet<string>> {
    const day = this.#day(name);
    if (day.apps !== null) return day.apps;
    const apps = new Map<string, Set<string>>();
    for (const { model, client, requests, sandbox_requests } of this.#daily.ofDay(name))
      if (requests > sandbox_requests) apps.set(model, (apps.get(model) ?? new Set()).add(getAppName(client)));
    day.apps = apps;
    return apps;
  }

  /** Prepares the results of all other methods for these days, so that a first request for years blocks nothing. */
  async prepare(span: DaySpan, slices: Slices): Promise<void> {
    for (const name of this.#within(span)) {
      const cold = this.#daily.coldDays.get(name);
      const day = this.#day(name);
      if (cold === undefined) this.#getColumns(name, "model");
      else if (day.addedUp === null) {
        day.reading ??= this.#readDay(name, day, cold, slices).finally(() => (day.reading = null));
        await day.reading;
      }
      if (slices.over) await slices.pause();
    }
  }

  /** Prepares the newest days until they have `rows` rows in total. */
  async prepareNewest(rows: number, slices: Slices): Promise<void> {
    let left = rows;
    for (const day of this.#within({ since: null, until: null }).toSorted().toReversed()) {
      if (left <= 0) return;
      left -= this.#daily.coldDays.get(day)?.count ?? 0;
      await this.prepare({ since: day, until: day }, slices);
    }
  }

  async #readDay(name: string, day: Day, cold: ColdDay, slices: Slices): Promise<void> {
    const columns = await cold.columnsInSlices(this.names, slices);
    const made: [UsageGroup, UsageColumns][] = [];
    for (const by of GROUPS) {
      if (slices.over) await slices.pause();
      made.push([by, addedUp(columns, by)]);
    }
    // The read may not have been awaited, or a receipt may have come late.
    if (this.#daily.coldDays.get(name) === cold) this.#keep(day, Object.fromEntries(made) as AddedUp);
  }

  #keep(day: Day, all: AddedUp): void {
    day.addedUp = all;
    day.columns = null;
    day.totals ??= sumColumns(all.connection);
  }

  #getColumns(name: string, by: UsageGroup): UsageColumns | undefined {
    const day = this.#day(name);
    const cold = day.addedUp === null && day.columns === null ? this.#daily.coldDays.get(name) : undefined;
    if (cold !== undefined) {
      const columns = cold.columns(this.names);
      this.#keep(day, Object.fromEntries(GROUPS.map((group) => [group, addedUp(columns, group)])) as AddedUp);
    }
    const columns = day.addedUp?.[by] ?? (day.columns ??= toColumns(this.#daily.ofDay(name), this.names));
    return columns.rows === 0 ? undefined : columns;
  }

  #getTotals(name: string): Totals {
    const day = this.#day(name);
    if (day.totals !== null) return day.totals;
    const totals = emptyTotals();
    for (const row of this.#daily.listTotals(name)) addTotals(totals, row);
    day.totals = totals;
    return totals;
  }

  #within({ since, until }: DaySpan): string[] {
    return [...this.#daily.days].filter((day) => (since === null || day >= since) && (until === null || day <= until));
  }

  #day(name: string): Day {
    const known = this.#days.get(name);
    if (known !== undefined) return known;
    const day: Day = { totals: null, columns: null, addedUp: null, apps: null, reading: null };
    this.#days.set(name, day);
    return day;
  }
}
