import type { Messages } from "../locales/messages.ts";
import { formatDay, formatMinute } from "./format.ts";
import { startOfDay } from "./typed.ts";

/** Formats the days of an address (`from`, `to`), either of which may be missing; null without any. */
export function daysInWords(params: URLSearchParams, t: Messages, language: string): string | null {
  const [from, to] = [startOfDay(params.get("from")), startOfDay(params.get("to"))];
  if (from !== null && to !== null) return t.table.days.between(formatDay(from, language), formatDay(to, language));
  if (from !== null) return t.table.days.since(formatDay(from, language));
  return to === null ? null : t.table.days.upTo(formatDay(to, language));
}

/** Formats moments (Unix ms), each of which may be open, to the minute; null without any. */
export function momentsInWords(
  since: number | undefined,
  until: number | undefined,
  t: Messages,
  language: string,
): string | null {
  if (since !== undefined && until !== undefined) {
    return t.table.days.between(formatMinute(since, language), formatMinute(until, language));
  }
  if (since !== undefined) return t.table.days.since(formatMinute(since, language));
  return until === undefined ? null : t.table.days.upTo(formatMinute(until, language));
}
