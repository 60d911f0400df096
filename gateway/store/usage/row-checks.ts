import { isRecord } from "../../lib/records.ts";
import type { Totals } from "../../contract/totals.ts";
import type { SpendRow } from "../../core/usage/aggregate.ts";
import type { DailyRow } from "../../core/usage/daily-rows.ts";
import { SUMS } from "../../core/usage/usage-totals.ts";

// Whether rows that were read are what sums rely on. By hand, not by zod: a start looks at a row for each day, key,
// model, client and endpoint of years.

/** Validates a daily row, with 0 for sums that its version lacked; null if invalid. */
export function readDailyRow(value: unknown): DailyRow | null {
  if (!isRecord(value)) return null;
  for (const name of LATER) if (value[name] === undefined) value[name] = 0;
  return isDailyRow(value) ? value : null;
}

/** Sums that rows of earlier versions lack. */
const LATER = [
  "cancelled_requests",
  "unknown_requests",
  "estimated_requests",
  "estimated_nano",
  "cache_saved_nano",
] as const satisfies readonly (keyof Totals)[];

function isDailyRow(value: Record<string, unknown>): value is Record<string, unknown> & DailyRow {
  return (
    isId(value["id"]) &&
    isAmount(value["n"]) &&
    typeof value["day"] === "string" &&
    typeof value["key"] === "string" &&
    typeof value["model"] === "string" &&
    typeof value["client"] === "string" &&
    (value["endpoint"] === undefined || typeof value["endpoint"] === "string") &&
    (value["project"] === undefined || typeof value["project"] === "string") &&
    SUMS.every((name) => (name === "cache_saved_nano" ? Number.isSafeInteger : isAmount)(value[name])) &&
    (value["durations"] === undefined || areCounts(value["durations"])) &&
    (value["first_durations"] === undefined || areCounts(value["first_durations"]))
  );
}

/**
 * Returns a spend row as it was read; null if it is invalid. Layout 1 had one day and one month, that of the last charge.
 */
export function asSpendRow(value: unknown): SpendRow | null {
  if (!isRecord(value)) return null;
  const { day, day_nano, month, month_nano, ...rest } = value;
  const row: Record<string, unknown> =
    "days" in value
      ? value
      : { ...rest, days: [{ period: day, nano: day_nano }], months: [{ period: month, nano: month_nano }] };
  const good =
    isId(row["id"]) &&
    isAmount(row["n"]) &&
    isAmount(row["total_nano"]) &&
    arePeriods(row["days"]) &&
    arePeriods(row["months"]) &&
    Number.isFinite(row["last_used_at"]);
  return good ? (row as unknown as SpendRow) : null;
}

function arePeriods(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((sum) => isRecord(sum) && typeof sum["period"] === "string" && isAmount(sum["nano"]))
  );
}

const isId = (value: unknown): boolean => typeof value === "string" && value !== "";

const isAmount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function areCounts(value: unknown): boolean {
  if (!isRecord(value)) return false;
  for (const bucket in value) if (!isAmount(value[bucket])) return false;
  return true;
}
