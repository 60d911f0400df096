import type { CheckedInput, ControlOutput, UsageRow } from "../contract/control.ts";
import type { Totals } from "../contract/totals.ts";
import { GatewayError } from "../core/errors.ts";
import { dearestGroups } from "../core/usage/usage-series.ts";
import { addTotals, emptyTotals } from "../core/usage/usage-totals.ts";
import { utcDay } from "../lib/clock.ts";
import type { Clock } from "../lib/clock.ts";
import { findDay, firstHourOf } from "../lib/zone.ts";
import { Slices } from "../lib/slices.ts";
import type { Store } from "../store/store.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Sums of what was used, from the daily rows: no receipt is read for them. */
export class QueryUsage {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #zone: () => string;

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

  /** The local day so far. Of the UTC day while the last hours are not here; asking for them once brings them. */
  today(): Totals {
    const now = this.#clock.now();
    const zone = this.#zone();
    const utc = utcDay(now);
    if (zone === "UTC") return this.totals(utc, utc);
    const local = this.#store.usage.hoursTotal(firstHourOf(zone, findDay(zone, now)), now + 1);
    if (local === null) void this.prepareToday();
    return local ?? this.totals(utc, utc);
  }

  /** Settled when `today` is the local day. */
  async prepareToday(): Promise<void> {
    if (this.#zone() !== "UTC") await this.#store.usage.prepareHours(this.#clock.now());
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
