import type { CheckedInput, ControlOutput } from "../contract/control.ts";
import type { UsageGroup } from "../contract/usage.ts";
import { GatewayError } from "../core/errors.ts";
import type { UsageSource } from "../core/usage/usage-columns.ts";
import { DAY_MS, HOUR_MS, periodBetween, createPeriod } from "../core/usage/usage-period.ts";
import type { UsagePeriod } from "../core/usage/usage-period.ts";
import { usageCells, usageSeries } from "../core/usage/usage-series.ts";
import { hoursOfToday, localDays, periodBefore } from "../core/usage/local-period.ts";
import { MergedUsage } from "../core/usage/merged-usage.ts";
import { utcDay } from "../lib/clock.ts";
import type { Clock } from "../lib/clock.ts";
import { dayAfter, findDay, isZone } from "../lib/zone.ts";
import { Slices } from "../lib/slices.ts";
import type { Store } from "../store/store.ts";
import { checkedDay } from "./query-usage.ts";

const GROUPS = 8;
/** Three years. */
const MOST_DAYS = 1_100;

/** Days of a zone are added up of hours for so long, 30 of them and those that are asked about at their ends. */
const HOURLY_MS = 32 * DAY_MS;

/** Read beforehand: three months of 11,000 requests a day, or years of some hundred; about 150 ms of work. */
const ROWS_AHEAD = 100_000;
/** Milliseconds of a slice of reading ahead, which no request waits for. */
const AHEAD_SLICE_MS = 1;

interface Found {
  readonly period: UsagePeriod;
  readonly source: UsageSource;
  readonly utcUntil: number | null;
  readonly rebuilding: number | null;
}

/** Inclusive days, `YYYY-MM-DD`. */
interface Days {
  readonly since: string;
  readonly until: string;
}

/** Reads usage over time: UTC days from the daily rows, hours and days of a time zone from the stored hours. */
export class QueryUsageSeries {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Has what first looks go over read beforehand, in small pieces: the newest days. */
  async prepare(): Promise<void> {
    const { usage } = this.#store;
    await usage.days.prepareNewest(ROWS_AHEAD, new Slices(this.#clock, AHEAD_SLICE_MS));
  }

  async series(input: CheckedInput<"usageSeries">): Promise<ControlOutput<"usageSeries">> {
    const { period, source, utcUntil, rebuilding } = await this.#find(input);
    const { bucket, buckets, from, to } = period;
    const read = () => usageSeries(source, buckets, input.by ?? "model", input.groups ?? GROUPS);
    const sums = await this.#store.usage.told(read);
    return { bucket, from, to, utc_until: utcUntil, rebuilding, ...sums };
  }

  async cells(input: CheckedInput<"usageCells">): Promise<ControlOutput<"usageCells">> {
    const { period, source } = await this.#find(input);
    const data = await this.#store.usage.told(() => usageCells(source, period.buckets, input.by ?? "model"));
    return { bucket: period.bucket, data };
  }

  async #find(input: CheckedInput<"usageCells">): Promise<Found> {
    const { range, when, by = "model" } = input;
    const now = this.#clock.now();
    const zone = checkedZone(input.zone);
    const earlier = when === "before";
    const days = this.#days(input, now, zone);
    if (days === null) return this.#hourly(range === "24h" ? range : "today", zone, now, earlier, by);
    const { since, until } = earlier ? before(days) : days;
    // Only hours tell connections apart.
    const split = zone ?? (by === "connection" ? "UTC" : null);
    const hoursFrom = Math.floor(now / HOUR_MS) * HOUR_MS - HOURLY_MS;
    const local = split === null ? null : localDays(split, since, until, hoursFrom);
    const utc = periodBetween(getStart(since), getStart(until));
    const { usage } = this.#store;
    const cold = local === null ? utc : { from: utc.from, to: local.utcUntil ?? utc.from };
    if (cold.to > cold.from) {
      await usage.days.prepare({ since: utcDay(cold.from), until: utcDay(cold.to - 1) }, new Slices(this.#clock));
    }
    const utcUntil = zone === null ? null : local === null ? utc.to : local.utcUntil;
    if (local === null) return { period: utc, source: usage.days, utcUntil, rebuilding: null };
    const { hours, rebuilding } = await usage.sumHours(local.utcUntil ?? local.from, local.to, by);
    return {
      period: local,
      source: new MergedUsage({ day: usage.days, hour: hours }, local, by),
      utcUntil,
      rebuilding,
    };
  }

  async #hourly(
    range: "today" | "24h",
    zone: string | null,
    now: number,
    earlier: boolean,
    by: UsageGroup,
  ): Promise<Found> {
    let period = createPeriod(range, now);
    if (range === "today") period = hoursOfToday(zone ?? "UTC", findDay(zone ?? "UTC", now), now, earlier ? 1 : 0);
    else if (earlier) period = periodBefore(period);
    const { hours, rebuilding } = await this.#store.usage.sumHours(period.from, period.to, by);
    return { period, source: hours, utcUntil: null, rebuilding };
  }

  /** The days that are asked for; null for a range that is shown by the hour. */
  #days({ range, since, until }: CheckedInput<"usageCells">, now: number, zone: string | null): Days | null {
    const today = findDay(zone ?? "UTC", now);
    if (since === undefined && until === undefined) {
      if (range === "today" || range === "24h") return null;
      return { since: dayAfter(today, range === "7d" ? -6 : -29), until: today };
    }
    if (range !== undefined) {
      throw new GatewayError("invalid_value", "Ask for a range or for days, not for both.", { param: "range" });
    }
    const last = checkedDay(until, "until") ?? today;
    const first = checkedDay(since, "since") ?? dayAfter(last, -29);
    if (first > last) {
      throw new GatewayError("invalid_value", "since is after until.", { param: "since" });
    }
    if (getStart(last) - getStart(first) >= MOST_DAYS * DAY_MS) {
      throw new GatewayError("invalid_value", `Ask for at most ${MOST_DAYS} days at once.`, { param: "since" });
    }
    return { since: first, until: last };
  }
}

const getStart = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Returns the period of the same length right before. */
function before({ since, until }: Days): Days {
  const days = (getStart(until) - getStart(since)) / DAY_MS + 1;
  return { since: dayAfter(since, -days), until: dayAfter(since, -1) };
}

/** @returns null for UTC, whose days are counted as they are. @throws GatewayError when there is no such zone */
function checkedZone(zone: string | undefined): string | null {
  if (zone === undefined || zone === "UTC") return null;
  if (isZone(zone)) return zone;
  throw new GatewayError("invalid_value", "zone must be the IANA name of a time zone.", { param: "zone" });
}
