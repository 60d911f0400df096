import { isRecord } from "../../lib/records.ts";
import type { Receipt } from "../../contract/receipt.ts";
import type { OpenCall } from "../store.ts";
import { isOpenCall, isReceipt } from "../usage/usage-check.ts";

/** The usage log is one file for each UTC month, `usage/usage-YYYY-MM.ndjson`, only ever appended to. */
export const segmentName = (month: string): string => `usage-${month}.ndjson`;

/** @returns the months of the segments among these names, oldest first. */
export function segmentMonths(names: readonly string[]): string[] {
  const months = names.map((name) => /^usage-([+-]?\d{4,6}-\d\d)\.ndjson$/.exec(name)?.[1]);
  return months.filter((month) => month !== undefined).toSorted();
}

/** A line of a segment: a receipt with its number, or a call that started when `n` was the last receipt's number. */
export type UsageLine =
  | { readonly n: number; readonly receipt: Receipt }
  | { readonly n: number; readonly call: OpenCall };

export function asUsageLine(value: unknown): UsageLine | undefined {
  if (!isRecord(value) || !Number.isSafeInteger(value["n"])) return undefined;
  const whole = "receipt" in value ? isReceipt(value["receipt"]) : isOpenCall(value["call"]);
  return whole ? (value as unknown as UsageLine) : undefined;
}
