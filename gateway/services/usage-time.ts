import type { CheckedInput } from "../contract/control.ts";
import { fieldFilterSchema } from "../contract/list.ts";
import type { FieldFilter } from "../contract/list.ts";
import { GatewayError } from "../core/errors.ts";
import { hoursOfToday, localDays, periodBefore } from "../core/usage/local-period.ts";
import type { LocalPeriod } from "../core/usage/local-period.ts";
import { DAY_MS, HOUR_MS, periodBetween, createPeriod } from "../core/usage/usage-period.ts";
import type { UsagePeriod } from "../core/usage/usage-period.ts";
import { utcDay } from "../lib/clock.ts";
import { dayAfter, findDay, isZone } from "../lib/zone.ts";

/** Three years. */
const MOST_DAYS = 1_100;

const RANGE_DAYS = { "7d": 7, "30d": 30, "90d": 90, all: MOST_DAYS } as const;

/** Max age for which days of a zone are summed from hours: 30 days, plus the days at both ends. */
const HOURLY_MS = 32 * DAY_MS;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A requested time range. */
type RequestedTime = Pick<CheckedInput<"usageCells">, "range" | "since" | "until" | "zone" | "when" | "by" | "source"> &
  FieldFilter;

/** Buckets with the days and hours of receipts that they are made of. */
export interface UsageTime extends LocalPeriod {
  /** Inclusive days of a zone, `YYYY-MM-DD`; UTC without one. */
  readonly zone: string | null;
}

/** Inclusive days, `YYYY-MM-DD`. */
interface Days {
  readonly since: string;
  readonly until: string;
}

/** Returns the fields by which requests are filtered. */
export const getFilter = (input: FieldFilter): FieldFilter =>
  Object.fromEntries(
    Object.keys(fieldFilterSchema.shape).flatMap((name) => {
      const value = input[name as keyof FieldFilter];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Returns the buckets of a time range. @throws GatewayError for an invalid day or zone */
export function findPeriod(input: RequestedTime, now: number): UsageTime {
  const zone = checkedZone(input.zone);
  const earlier = input.when === "before";
  const days = findDays(input, now, zone);
  if (days === null) {
    const period = hourly(input.range === "24h" ? "24h" : "today", zone, now, earlier);
    return { ...inParts("hour", period), zone, utcUntil: null };
  }
  const { since, until } = earlier ? before(days) : days;
  // Daily rows lack connections and some fields by which requests are filtered.
  const isOfHours = input.source === "logs" || Object.keys(getFilter(input)).length > 0;
  const split = zone ?? (isOfHours || input.by === "connection" ? "UTC" : null);
  const hoursFrom = isOfHours ? -Infinity : Math.floor(now / HOUR_MS) * HOUR_MS - HOURLY_MS;
  const local = split === null ? null : localDays(split, since, until, hoursFrom);
  const period = local ?? inParts("day", periodBetween(getStart(since), getStart(until)));
  return { ...period, zone, utcUntil: zone === null ? null : local === null ? period.to : local.utcUntil };
}

/** Finds UTC days as they are counted. */
export function findUtcDays(since: string, until: string): UsageTime {
  return { ...inParts("day", periodBetween(getStart(since), getStart(until))), zone: null, utcUntil: null };
}

const inParts = (unit: "day" | "hour", period: UsagePeriod) => ({
  ...period,
  parts: period.buckets.map((at) => [{ unit, at }]),
});

function hourly(range: "today" | "24h", zone: string | null, now: number, earlier: boolean): UsagePeriod {
  if (range === "today") return hoursOfToday(zone ?? "UTC", findDay(zone ?? "UTC", now), now, earlier ? 1 : 0);
  return earlier ? periodBefore(createPeriod(range, now)) : createPeriod(range, now);
}

/** The days that are asked for; null for a range that is shown by the hour. */
function findDays({ range, since, until }: RequestedTime, now: number, zone: string | null): Days | null {
  const today = findDay(zone ?? "UTC", now);
  if (since === undefined && until === undefined) {
    if (range === "today" || range === "24h") return null;
    return { since: dayAfter(today, 1 - RANGE_DAYS[range ?? "30d"]), until: today };
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

const getStart = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Returns the period of the same length right before. */
function before({ since, until }: Days): Days {
  const days = (getStart(until) - getStart(since)) / DAY_MS + 1;
  return { since: dayAfter(since, -days), until: dayAfter(since, -1) };
}

/** @throws GatewayError when it is no day */
export function checkedDay(value: string | undefined, name: string): string | null {
  if (value === undefined) return null;
  const at = DAY.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  // 31 February is no day, although a calendar would make one of it.
  if (!Number.isNaN(at) && utcDay(at) === value) return value;
  throw new GatewayError("invalid_value", `${name} must be a day as YYYY-MM-DD.`, { param: name });
}

/** @returns null for UTC, whose days need no conversion. @throws GatewayError if there is no such zone */
function checkedZone(zone: string | undefined): string | null {
  if (zone === undefined || zone === "UTC") return null;
  if (isZone(zone)) return zone;
  throw new GatewayError("invalid_value", "zone must be the IANA name of a time zone.", { param: "zone" });
}
