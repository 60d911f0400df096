import type { BudgetView } from "../../contract/budgets.ts";
import type { State } from "../../contract/control.ts";
import type { KeyView } from "../../contract/key.ts";
import { endDay, getOrdinal } from "../../contract/pace.ts";
import type { Period } from "../../contract/pace.ts";

/** Sentences for terminals about money that ends. */

/** Formats when a limit is used up, in UTC: `on the 24th` of a month, `at 16:20 UTC` of a day. */
export function endInWords(period: Period, at: number): string {
  return period === "monthly"
    ? `on the ${getOrdinal(endDay(at))}`
    : `at ${new Date(at).toISOString().slice(11, 16)} UTC`;
}

/** `the monthly budget of the client "claude-*"` */
function formatBudgetInWords({ scope, reset }: BudgetView): string {
  return `the ${reset} budget of the ${scope.kind} "${scope.name}"`;
}

/** Lists limits that are used up, or will be before their period ends, one sentence each, the overall budget first. */
export function outlook(
  state: Pick<State, "month" | "monthly_budget_nano" | "monthly_budget_ends_at">,
  keys: readonly KeyView[],
  budgets: readonly BudgetView[],
): string[] {
  const { monthly_budget_nano: budget, monthly_budget_ends_at: endsAt } = state;
  return [
    ...(budget !== null && state.month.nano >= budget ? ["The month's budget is spent."] : []),
    ...describeEnd("the month's budget", "monthly", endsAt),
    ...keys.flatMap((key) => (key.state === "spent" ? [`The limit of the key "${key.name}" is spent.`] : [])),
    ...keyOutlook(keys),
    ...budgets.flatMap((one) => [
      ...(one.left_nano + one.held_nano === 0 ? [`${capital(formatBudgetInWords(one))} is spent.`] : []),
      ...describeEnd(formatBudgetInWords(one), one.reset, one.ends_at),
    ]),
  ];
}

/** The limits of keys that end before their periods do. */
export function keyOutlook(keys: readonly KeyView[]): string[] {
  return keys.flatMap(({ name, reset, ends_at }) =>
    reset === "never" ? [] : describeEnd(`the limit of the key "${name}"`, reset, ends_at),
  );
}

function describeEnd(what: string, period: Period, at: number | null): string[] {
  return at === null ? [] : [`At this pace ${what} ends ${endInWords(period, at)}.`];
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
