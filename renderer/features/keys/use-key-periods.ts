import { useMemo } from "react";
import type { KeyView, Reset } from "../../../gateway/contract/key.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { useUsageSeries, type UsageQuery } from "../../api/usage-queries.ts";
import { useNow } from "../../lib/now.ts";

/** Returns a key's usage in the period of its limit. */
export type UsedInPeriod = (key: Pick<KeyView, "id" | "reset" | "limit_usd">) => Totals | undefined;

/** Returns the period of a key's sums, limited to available usage. */
export function getPeriod({ reset, limit_usd }: Pick<KeyView, "reset" | "limit_usd">): Reset {
  return limit_usd === null ? "never" : reset;
}

const BY_KEY = { by: "key", groups: 1 } as const;

/** The first day of the UTC month, `YYYY-MM-DD`. @param now Unix milliseconds */
export const monthBegan = (now: number): string => `${new Date(now).toISOString().slice(0, 7)}-01`;

/**
 * Returns the usage of keys in the period of their limits: the UTC day, the UTC month, else the last 30 days. A period
 * is fetched only if a key uses it.
 */
export function useKeyPeriods(keys: readonly KeyView[]): UsedInPeriod {
  const present = new Set(keys.map(getPeriod));
  const since = monthBegan(useNow());
  const month = useMemo((): UsageQuery => ({ since, ...BY_KEY }), [since]);
  const { data: daily } = useUsageSeries(DAY, present.has("daily"));
  const { data: monthly } = useUsageSeries(month, present.has("monthly"));
  const { data: never } = useUsageSeries(LATELY, present.has("never"));
  return useMemo(() => {
    const used = Object.fromEntries(
      Object.entries({ daily, monthly, never }).map(([period, usage]) => [
        period,
        new Map(usage?.groups.map(({ group, totals }) => [group, totals])),
      ]),
    );
    return (key) => used[getPeriod(key)]?.get(key.id);
  }, [daily, monthly, never]);
}

const DAY: UsageQuery = { range: "today", ...BY_KEY };
const LATELY: UsageQuery = { range: "30d", ...BY_KEY };
