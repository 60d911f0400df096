import { setTimeout } from "node:timers/promises";
import type { CheckedInput, ControlOutput } from "../contract/control.ts";
import { GatewayError } from "../core/errors.ts";
import type { UsageSource } from "../core/usage/usage-columns.ts";
import { DAY_MS, periodBetween, periodOf } from "../core/usage/usage-period.ts";
import type { UsagePeriod } from "../core/usage/usage-period.ts";
import { usageCells, usageSeries } from "../core/usage/usage-series.ts";
import { hoursOfToday, localDays, periodBefore } from "../core/usage/local-period.ts";
import type { LocalPeriod } from "../core/usage/local-period.ts";
import { MergedUsage } from "../core/usage/merged-usage.ts";
import { utcDay } from "../lib/clock.ts";
import type { Clock } from "../lib/clock.ts";
import { dayAfter, findDay, isZone } from "../lib/zone.ts";
import { Slices } from "../lib/slices.ts";
import type { HourlyUsage, Store } from "../store/store.ts";
import { checkedDay } from "./query-usage.ts";

const GROUPS = 8;
/** Three years. */
const MOST_DAYS = 1_100;

/** A small log is read back by then; a first look at a large one does not wait for it. */
const WAIT_MS = 40;

/** Read beforehand: three months of 11,000 requests a day, or years of some hundred; about 150 ms of work. */
const ROWS_AHEAD = 100_000;
/** Milliseconds of a slice of reading ahead, which no request waits for. */
const AHEAD_SLICE_MS = 1;

interface Found {
  readonly period: UsagePeriod;
  readonly source: UsageSource;
  readonly wholeFrom: number | null;
  readonly utcUntil: number | null;
  readonly reading: boolean;
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

  /** Has what first looks go over read beforehand, in small pieces: the newest days, and the last hours. */
  async prepare(): Promise<void> {
    const { usage } = this.#store;
    await usage.days.prepareNewest(ROWS_AHEAD, new Slices(this.#clock, AHEAD_SLICE_MS));
    await usage.prepareHours(this.#clock.now(), "days");
  }

  async series(input: CheckedInput<"usageSeries">): Promise<ControlOutput<"usageSeries">> {
    const { period, source, wholeFrom, utcUntil, reading } = await this.#find(input);
    const { bucket, buckets, from, to } = period;
    const whole_from = wholeFrom !== null && wholeFrom > from ? wholeFrom : null;
    const read = () => usageSeries(source, buckets, input.by ?? "model", input.groups ?? GROUPS);
    const sums = await this.#store.usage.told(read);
    return { bucket, from, to, whole_from, utc_until: utcUntil, reading, ...sums };
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
    if (days === null) return this.#hourly(range === "24h" ? range : "today", zone, now, earlier);
    const { since, until } = earlier ? before(days) : days;
    // Only hours tell connections apart.
    const split = zone ?? (by === "connection" ? "UTC" : null);
    const hours = split === null ? null : await this.#hoursSoon(now);
    const { usage } = this.#store;
    const hoursFrom = Math.max(hours?.since ?? 0, hours?.wholeFrom ?? 0);
    const local = hours === null || split === null ? null : localDays(split, since, until, hoursFrom);
    const utc = periodBetween(getStart(since), getStart(until));
    const period: UsagePeriod | LocalPeriod = local ?? utc;
    const cold = local === null ? utc : { from: utc.from, to: local.utcUntil ?? utc.from };
    if (cold.to > cold.from) {
      await usage.days.prepare({ since: utcDay(cold.from), until: utcDay(cold.to - 1) }, new Slices(this.#clock));
    }
    if (local === null || hours === null) {
      const utcUntil = zone === null ? null : utc.to;
      return { period, source: usage.days, wholeFrom: null, utcUntil, reading: split !== null && hours === null };
    }
    const source = new MergedUsage({ day: usage.days, hour: hours.source }, local, by);
    return { period, source, wholeFrom: null, utcUntil: zone === null ? null : local.utcUntil, reading: hours.reading };
  }

  async #hourly(range: "today" | "24h", zone: string | null, now: number, earlier: boolean): Promise<Found> {
    const { source, since, wholeFrom } = await this.#store.usage.hours(now, earlier ? "days" : "day");
    let period = periodOf(range, now);
    if (range === "today") period = hoursOfToday(zone ?? "UTC", findDay(zone ?? "UTC", now), now, earlier ? 1 : 0);
    else if (earlier) period = periodBefore(period);
    const unknown = Math.max(since, wholeFrom ?? 0);
    return { period, source, wholeFrom: unknown > period.from ? unknown : null, utcUntil: null, reading: false };
  }

  /** The hours that are here soon; null where reading them back takes longer than a first look may. */
  async #hoursSoon(now: number): Promise<HourlyUsage | null> {
    const { usage } = this.#store;
    if (usage.hoursHere()?.reading === false) return usage.hoursHere();
    const reading = usage.hours(now, "kept").catch(() => undefined);
    const waited = new AbortController();
    await Promise.race([reading, setTimeout(WAIT_MS, undefined, { signal: waited.signal }).catch(() => undefined)]);
    waited.abort();
    return usage.hoursHere();
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
