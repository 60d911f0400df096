import type { CheckedInput, ControlOutput, UsageRow } from "../contract/control.ts";
import type { Totals } from "../contract/totals.ts";
import { dearestGroups, sumColumns } from "../core/usage/usage-series.ts";
import { HOUR_MS } from "../core/usage/usage-period.ts";
import { addTotals, emptyTotals } from "../core/usage/usage-totals.ts";
import { utcDay } from "../lib/clock.ts";
import type { Clock } from "../lib/clock.ts";
import { findDay, findFirstHour } from "../lib/zone.ts";
import type { Store } from "../store/store.ts";
import { listSources } from "./usage-series.ts";
import type { QueryUsageSeries } from "./usage-series.ts";
import { checkedDay } from "./usage-time.ts";

/** Sums of usage. Sums of receipts come from the daily rows; no receipt is read. */
export class QueryUsage {
  readonly #store: Store;
  readonly #series: QueryUsageSeries;
  readonly #clock: Clock;
  readonly #zone: () => string;
  /** The local day that was last prepared, and when it began. */
  #local: { readonly from: number; readonly totals: Totals } | null = null;

  /** @param zone of the machine, whose day `today` is */
  constructor(store: Store, series: QueryUsageSeries, clock: Clock, zone: () => string) {
    this.#store = store;
    this.#series = series;
    this.#clock = clock;
    this.#zone = zone;
  }

  /** Totals over inclusive UTC days. */
  totals(since: string, until: string): Totals {
    return this.#store.usage.days.total({ since, until });
  }

  /** Totals of the local day as last prepared; of the UTC day until then. */
  today(): Totals {
    const now = this.#clock.now();
    const zone = this.#zone();
    const utc = utcDay(now);
    const isLocal = zone !== "UTC" && this.#local?.from === findFirstHour(zone, findDay(zone, now));
    return isLocal && this.#local !== null ? this.#local.totals : this.totals(utc, utc);
  }

  /** Resolves when `today` is the local day by now. */
  async prepareToday(): Promise<void> {
    const zone = this.#zone();
    if (zone === "UTC") return;
    const now = this.#clock.now();
    const from = findFirstHour(zone, findDay(zone, now));
    const { hours } = await this.#store.usage.sumHours(from, now + HOUR_MS, "key");
    this.#local = { from, totals: hours.total() };
  }

  month(): Totals {
    const day = utcDay(this.#clock.now());
    return this.totals(`${day.slice(0, 7)}-01`, day);
  }

  /** Sums per group, the most expensive first; days in order. */
  async query(input: CheckedInput<"usage">): Promise<ControlOutput<"usage">> {
    const today = utcDay(this.#clock.now());
    const since = checkedDay(input.since, "since") ?? `${today.slice(0, 7)}-01`;
    const until = checkedDay(input.until, "until") ?? today;
    const group = input.by ?? "model";
    const by = group === "day" ? "model" : group;
    const sources = listSources(input.source);
    const { period, source } = await this.#series.readDays(since, until, { by, search: {}, sources });
    const data = await this.#store.usage.readDurable((): UsageRow[] => {
      const columns = period.buckets.map((at) => source.at(at, by));
      if (group !== "day")
        return dearestGroups(columns, source.names[by], by).map(({ name, totals }) => ({ group: name, totals }));
      return columns.flatMap((one, place) =>
        one === undefined ? [] : [{ group: utcDay(period.buckets[place] ?? 0), totals: sumColumns(one) }],
      );
    });
    const total = emptyTotals();
    for (const { totals } of data) addTotals(total, totals);
    return { since, until, total, data };
  }
}
