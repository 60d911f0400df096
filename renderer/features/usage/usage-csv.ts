import type { UsageCells, UsageGroup } from "../../../gateway/contract/usage.ts";
import { usdCell } from "../../lib/csv.ts";
import { findDay } from "../../lib/moment-words.ts";

/**
 * Every bucket of every group as rows of texts, head first. Heads are for programs, and the same in each language. `day` is
 * the day of the zone that the page shows, by which a spreadsheet groups.
 */
export function usageCsvRows(
  { data }: UsageCells,
  by: UsageGroup,
  nameOf: (group: string) => string,
  zone: string,
): string[][] {
  const heads = [
    "day",
    "time_utc",
    "source",
    by,
    ...(by === "key" ? ["key_name"] : []),
    "requests",
    "errors",
    "cancelled_requests",
    "input_tokens",
    "cached_input_tokens",
    "output_tokens",
    "reasoning_tokens",
    "spend_usd",
    "unpriced_requests",
    "unknown_requests",
    "estimated_requests",
    "estimated_usd",
    "sandbox_requests",
    "sandbox_usd",
  ];
  const rows = data.map(({ at, source, group, totals }) => [
    findDay(zone, at),
    new Date(at).toISOString(),
    source,
    group,
    ...(by === "key" ? [nameOf(group)] : []),
    String(totals.requests),
    String(totals.errors),
    String(totals.cancelled_requests),
    String(totals.input_tokens),
    String(totals.cached_input_tokens),
    String(totals.output_tokens),
    String(totals.reasoning_tokens),
    usdCell(totals.nano),
    String(totals.unpriced_requests),
    String(totals.unknown_requests),
    String(totals.estimated_requests),
    usdCell(totals.estimated_nano),
    String(totals.sandbox_requests),
    usdCell(totals.sandbox_nano),
  ]);
  return [heads, ...rows];
}
