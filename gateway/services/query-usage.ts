import type { CheckedInput, ControlOutput, UsageRow } from "../contract/control.ts";
import type { Totals } from "../contract/totals.ts";
import { GatewayError } from "../core/errors.ts";
import { dearestGroups } from "../core/usage/usage-series.ts";
import { HOUR_MS } from "../core/usage/usage-period.ts";
import { addTotals, emptyTotals } from "../core/usage/usage-totals.ts";
import { utcDay } from "../lib/clock.ts";
import type { Clock } from "../lib/clock.ts";
import { findDay, findFirstHour } from "../lib/zone.ts";
import { Slices } from "../lib/slices.ts";
import type { Store } from "../store/store.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Sums of what was used, from the daily rows: no receipt is read for them. */
export class QueryUsage {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #zone: () => string;
  /** The local day that was last prepared, and when it began. */
  #local: { readonly from: number; readonly totals: Totals } | null = null;

  /** @param zone of the machine, whose day `today` is */
  constructor(store: Store, clock: Clock, zone: () => string) {
    this.#store = store;
    this.#clock = clock;
    this.#zone = zone;
  }

  /** Totals over inclusive UTC days. */
  totals(since: string, until: string): Totals {
    return this.#store.usage.days.total({ since, until });
  }

  /** The local day so far, as it was last prepared; until then the UTC day. */
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
    const by = input.by ?? "model";
    const { days } = this.#store.usage;
    const slices = new Slices(this.#clock);
    await days.prepare({ since, until }, slices);
    const data = await this.#store.usage.told((): UsageRow[] =>
      by === "day"
        ? days.totals({ since, until }).map(({ day, totals }) => ({ group: day, totals }))
        : dearestGroups(days.columns({ since, until }, by), days.names[by], by).map(({ name, totals }) => ({
            group: name,
            totals,
          })),
    );
    const total = emptyTotals();
    for (const { totals } of data) addTotals(total, totals);
    return { since, until, total, data };
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
