import { isRecord } from "../../lib/records.ts";
import type { DailyRow, SpendRow } from "../../core/usage/aggregate.ts";
import { SUMS } from "../../core/usage/usage-totals.ts";

/**
 * Whether rows that were read are what sums rely on. By hand, not by zod: a start looks at a row for each day, key,
 * model, client and endpoint of years.
 */

export function isDailyRow(value: unknown): value is DailyRow {
  if (!isRecord(value)) return false;
  return (
    isId(value["id"]) &&
    isAmount(value["n"]) &&
    typeof value["day"] === "string" &&
    typeof value["key"] === "string" &&
    typeof value["model"] === "string" &&
    typeof value["client"] === "string" &&
    (value["endpoint"] === undefined || typeof value["endpoint"] === "string") &&
    SUMS.every((name) => isAmount(value[name])) &&
    (value["durations"] === undefined || areCounts(value["durations"])) &&
    (value["first_durations"] === undefined || areCounts(value["first_durations"]))
  );
}

export function isSpendRow(value: unknown): value is SpendRow {
  if (!isRecord(value)) return false;
  return (
    isId(value["id"]) &&
    isAmount(value["n"]) &&
    isAmount(value["total_nano"]) &&
    typeof value["day"] === "string" &&
    isAmount(value["day_nano"]) &&
    typeof value["month"] === "string" &&
    isAmount(value["month_nano"]) &&
    Number.isFinite(value["last_used_at"])
  );
}

const isId = (value: unknown): boolean => typeof value === "string" && value !== "";

const isAmount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function areCounts(value: unknown): boolean {
  if (!isRecord(value)) return false;
  for (const bucket in value) if (!isAmount(value[bucket])) return false;
  return true;
}
