import type { Reset } from "../../contract/key.ts";
import { MOST_USD } from "../../contract/money.ts";
import type { SetupKey } from "../../contract/setup.ts";

/** Periods of other programs that end when Postern's do. Other periods could allow more spend. */
const RESETS: Readonly<Record<string, Reset>> = {
  "1d": "daily",
  "24h": "daily",
  "1M": "monthly",
  "1mo": "monthly",
  "30d": "monthly",
};

/** Max days of a month. */
const MOST_DAYS = 31;

/** The amount that another program lets a key spend per period; `never` means without reset. */
export interface Budget {
  readonly usd: number | null;
  readonly period: string | null;
}

/** Returns the one budget that satisfies all of them, because a key here has one; undefined if no budget does. */
export function findStrictest(budgets: readonly Budget[]): Pick<SetupKey, "limit_usd" | "reset"> | undefined {
  const known = budgets.flatMap(({ usd, period }) => {
    const reset = period === "never" ? "never" : RESETS[period ?? ""];
    return usd === null || usd < 0 || reset === undefined ? [] : [{ limit_usd: Math.min(usd, MOST_USD), reset }];
  });
  if (known.length < budgets.length) return undefined;
  if (known.length === 0) return {};
  return known.find((one) =>
    known.every((other) => one.limit_usd * countPeriods(one.reset, other.reset) <= other.limit_usd),
  );
}

/** Returns how often a budget resets during a period of another. */
function countPeriods(one: Reset, other: Reset): number {
  if (one === other || one === "never" || other === "daily") return 1;
  return one === "daily" && other === "monthly" ? MOST_DAYS : Number.POSITIVE_INFINITY;
}
