import {
  historyAgentSchema,
  historyGroupSchema,
  type HistoryAgent,
  type HistoryGroup,
} from "../../../gateway/contract/history.ts";
import type { HistoryQuery } from "../../api/history-queries.ts";
import { addressFields, oneOf, words } from "../../lib/address-fields.ts";
import { findDay, UTC } from "../../lib/moment-words.ts";
import { startOfDay } from "../../lib/typed.ts";

/** View of the History page, as its address holds it. Misspelt fields of an address are ignored. */

export const ranges = ["7d", "30d", "90d", "all"] as const;
export type HistoryRange = (typeof ranges)[number];
export const USUAL_RANGE: HistoryRange = "30d";
export const groupings: readonly HistoryGroup[] = historyGroupSchema.options;
export const agents: readonly HistoryAgent[] = historyAgentSchema.options;

const DAY_MS = 86_400_000;
const days: Readonly<Record<HistoryRange, number | null>> = { "7d": 7, "30d": 30, "90d": 90, all: null };
const LONGEST_MODEL = 512;

const fields = addressFields({
  range: oneOf(ranges),
  by: oneOf(groupings),
  agent: oneOf(agents),
  /** The model of "what if". */
  on: words(LONGEST_MODEL),
});

export const shownIn = (params: URLSearchParams) => {
  const { range = USUAL_RANGE, by = "model", agent = null, on = "" } = fields.getValues(params);
  return { range: findDays(params) === null ? range : null, by, agent, on };
};

/** Returns the two days of the address, in order; null if they are missing or invalid. */
export function findDays(params: URLSearchParams): { readonly since: string; readonly until: string } | null {
  const [since, until] = [params.get("from") ?? "", params.get("to") ?? ""];
  return startOfDay(since) === null || startOfDay(until) === null || since > until ? null : { since, until };
}

/** Which time is meant. @param zone the user's own @param now Unix ms */
export function getPeriod(
  params: URLSearchParams,
  zone: string,
  now: number,
): { readonly since?: string; readonly until?: string; readonly zone?: string } {
  const { range } = shownIn(params);
  const length = range === null ? null : days[range];
  const chosen = findDays(params) ?? (length === null ? {} : { since: findDay(zone, now - (length - 1) * DAY_MS) });
  return { ...chosen, ...(zone !== UTC && { zone }) };
}

export function getQuery(params: URLSearchParams, zone: string, now: number): HistoryQuery {
  const { by, agent } = shownIn(params);
  return { ...getPeriod(params, zone, now), by, ...(agent !== null && { agent }) };
}
