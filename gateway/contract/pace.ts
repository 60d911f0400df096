import type { Reset } from "./key.ts";
import { onDemand } from "./on-demand.ts";

/**
 * Projects a period's spend at its pace so far, and when it reaches a limit. Shared by pages, commands and the gateway.
 * Days and months are UTC, so a day always has 24 hours. Money is 10⁻⁹ USD, times are Unix milliseconds.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Days (for a daily limit: hours) without spend after which spending counts as stopped; more than a weekend. */
const IDLE = 3;

/** A UTC day of a month with its cost. */
export interface SpentDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** 10⁻⁹ USD. */
  readonly nano: number;
}

/** Spend periods that end. */
export type Period = Exclude<Reset, "never">;

export interface PeriodSpan {
  readonly from: number;
  /** Start of the next period. */
  readonly to: number;
  /** Milliseconds per slot of spend: a day of a month, an hour of a day. */
  readonly slot: number;
}

/** The UTC day or month that `now` lies in. */
export function getSpan(period: Period, now: number): PeriodSpan {
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return period === "daily"
    ? { from: Date.UTC(year, month, day), to: Date.UTC(year, month, day + 1), slot: HOUR_MS }
    : { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + 1, 1), slot: DAY_MS };
}

/**
 * Returns the first day (for a daily limit: hour) with spend, if a whole one has passed since: a morning predicts
 * nothing about a month.
 */
function findStart(spentIn: readonly number[], { from, slot }: PeriodSpan, now: number): number | null {
  const first = spentIn.find((at) => at >= from && at <= now);
  return first !== undefined && now - first >= slot ? first : null;
}

/**
 * Projects the cost of the UTC month of `now` at the pace since the first day that cost something. Null while that is less
 * than a day.
 * @param spent 10⁻⁹ USD, this month so far
 * @param days ascending; those of other months are passed over
 */
export function monthAtThisPace(spent: number, days: readonly SpentDay[], now: number): number | null {
  const month = getSpan("monthly", now);
  const from = findStart(
    days.filter(({ nano }) => nano > 0).map(({ day }) => Date.parse(`${day}T00:00:00Z`)),
    month,
    now,
  );
  return from === null ? null : Math.round((spent / (now - from)) * (month.to - from));
}

export interface Spending {
  readonly period: Period;
  /** 10⁻⁹ USD that may be spent in a period. */
  readonly limit: number;
  /** 10⁻⁹ USD, in the period so far. */
  readonly spent: number;
  /** Beginnings of the days of the month, or of the hours of the day, that cost something; ascending. */
  readonly spentIn: readonly number[];
}

/**
 * Returns when a limit is used up at the pace since the first day (hour) with spend. Null if it lasts until the period
 * ends, if it is already used up, while too little is known, and after three days (hours) without spend.
 */
export function endsAtThisPace({ period, limit, spent, spentIn }: Spending, now: number): number | null {
  if (spent <= 0 || spent >= limit) return null;
  const span = getSpan(period, now);
  const from = findStart(spentIn, span, now);
  const last = spentIn.findLast((at) => at <= now);
  if (from === null || last === undefined || now - (last + span.slot) > IDLE * span.slot) return null;
  const end = now + ((limit - spent) * (now - from)) / spent;
  return end < span.to ? Math.round(end) : null;
}

const SUFFIXES: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };
const ordinals = onDemand(() => new Intl.PluralRules("en", { type: "ordinal" }));

/** Formats a day of the month as an English ordinal: `24th`. */
export function getOrdinal(day: string): string {
  return `${day}${SUFFIXES[ordinals().select(Number(day))] ?? ""}`;
}

/** The UTC day of the month on which a limit ends. */
export function endDay(at: number): string {
  return String(new Date(at).getUTCDate());
}
