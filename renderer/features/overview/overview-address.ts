import type { UsageQuery } from "../../api/usage-queries.ts";
import { addressFields, oneOf } from "../../lib/address-fields.ts";

/** View of the overview, as stored in its address. Invalid fields of an address are ignored. */

export const ranges = ["today", "7d", "30d"] as const;
export type OverviewRange = (typeof ranges)[number];
export const USUAL_RANGE: OverviewRange = "7d";

export const shownFigures = ["nano", "requests"] as const;
export type ShownFigure = (typeof shownFigures)[number];

const fields = addressFields({ range: oneOf(ranges), show: oneOf(["spend", "requests"]) });

export function getRange(params: URLSearchParams): OverviewRange {
  return fields.getValues(params).range ?? USUAL_RANGE;
}

/** Returns the explicitly chosen figure of the chart; null: none. */
export function chosenFigure(params: URLSearchParams): ShownFigure | null {
  const { show } = fields.getValues(params);
  return show === undefined ? null : show === "spend" ? "nano" : "requests";
}

/** Number of named groups for the chart and the lists. */
const GROUPS = 20;

/** Returns the query of a range, with days in the user's time zone. */
export function getUsageQuery(range: OverviewRange, by: "model" | "client"): UsageQuery {
  return { range, by, groups: GROUPS, zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}

const daysBefore = { today: 0, "7d": 6, "30d": 29 } as const;

/** Returns when a range starts, Unix ms: a local midnight, constant all day. */
export function getStart(range: OverviewRange, now: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBefore[range]).getTime();
}
