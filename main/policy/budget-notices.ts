import * as z from "zod";
import type { BudgetView, ScopeKind } from "../../gateway/contract/budgets.ts";
import type { State } from "../../gateway/contract/control.ts";
import type { KeyView } from "../../gateway/contract/key.ts";
import type { Notice } from "./notice.ts";
import type { Words } from "./words.ts";

/** Parts of a budget at which a notice is shown. */
const STEPS = [100, 80] as const;
const MOST_SINGLE = 3;

export interface Budget {
  /** `app`, the key's id, or the scope and period of another. */
  readonly id: string;
  /** Name of the key, client or project; null for the app's own. */
  readonly name: string | null;
  /** Missing for the app's own and for those of keys. */
  readonly scope?: ScopeKind;
  /** Period, e.g. `2026-11`: each has its own notices. */
  readonly period: string;
  readonly spentNano: number;
  readonly limitNano: number;
}

/** The notices of each budget that were shown, stored over restarts. */
export const reportedBudgetsSchema = z.record(
  z.string(),
  z.object({ period: z.string(), limitNano: z.number(), percent: z.number() }),
);
export type ReportedBudgets = z.infer<typeof reportedBudgetsSchema>;

/**
 * The app's budget, those of its keys, and those of clients and projects. A limit of nothing is a lock, not a budget.
 * @param now Unix milliseconds; days and months are UTC.
 */
export function getBudgets(
  state: State,
  keys: readonly KeyView[],
  budgets: readonly BudgetView[],
  now: number,
): readonly Budget[] {
  const day = new Date(now).toISOString().slice(0, 10);
  const month = day.slice(0, 7);
  const periods: Record<KeyView["reset"], string> = { never: "", daily: day, monthly: month };
  const whole = state.monthly_budget_nano;
  const app =
    whole === null ? [] : [{ id: "app", name: null, period: month, spentNano: state.month.nano, limitNano: whole }];
  const own = keys
    .filter(({ limit_usd: limit, disabled }) => limit !== null && !disabled)
    .map((key) => ({
      id: key.id,
      name: key.name,
      period: periods[key.reset],
      spentNano: key.spent_nano,
      limitNano: Math.round((key.limit_usd ?? 0) * 1e9),
    }));
  const scoped = budgets.map(({ scope, reset, spent_nano, limit_usd }) => ({
    id: `${reset} ${scope.kind} ${scope.name}`,
    name: scope.name,
    scope: scope.kind,
    period: periods[reset],
    spentNano: spent_nano,
    limitNano: Math.round(limit_usd * 1e9),
  }));
  return [...app, ...own, ...scoped].filter(({ limitNano }) => limitNano > 0);
}

/** A budget that has reached a step without a notice yet. */
export interface Reached {
  readonly budget: Budget;
  readonly percent: (typeof STEPS)[number];
}

/**
 * Finds the budgets that have reached 80 or 100 %, each step once per period; a changed limit resets them.
 * @returns the notices to show, and the new state: the same object if nothing changed.
 */
export function createBudgetStep(
  reported: ReportedBudgets,
  budgets: readonly Budget[],
): { readonly reported: ReportedBudgets; readonly reached: readonly Reached[] } {
  const reached: Reached[] = [];
  const next: ReportedBudgets = {};
  for (const budget of budgets) {
    const { id, period, limitNano } = budget;
    const before = Object.hasOwn(reported, id) ? reported[id] : undefined;
    const isSame = before?.period === period && before.limitNano === limitNano;
    const known = isSame ? before.percent : 0;
    const percent = STEPS.find((step) => budget.spentNano * 100 >= limitNano * step);
    if (percent !== undefined && percent > known) reached.push({ budget, percent });
    const most = Math.max(known, percent ?? 0);
    if (most > 0) next[id] = { period, limitNano, percent: most };
  }
  return JSON.stringify(next) === JSON.stringify(reported) ? { reported, reached } : { reported: next, reached };
}

/** Page for budgets of clients and projects. */
const BUDGETS = { page: "settings", params: { section: "budget" } };

function makeNotice({ budget, percent }: Reached, { notices }: Words): Notice {
  const title = budget.name === null ? notices.wholeBudget : notices.budgetOf[budget.scope ?? "key"](budget.name);
  const body = notices.budgetBody(title, budget.spentNano, budget.limitNano);
  const opens = budget.scope !== undefined ? BUDGETS : budget.name === null ? { page: "usage" } : { page: "keys" };
  return percent === 100
    ? { title: notices.budgetSpent, body: `${body} ${notices.refusedFromNow}`, opens }
    : { title: notices.budgetNear(percent), body, opens };
}

/** The app's own budget comes first; of many keys only the first are named. */
export function listBudgetNotices(reached: readonly Reached[], words: Words): readonly Notice[] {
  const shown = reached.length > MOST_SINGLE ? reached.toSorted((a, b) => b.percent - a.percent) : reached;
  return shown.slice(0, MOST_SINGLE).map((one) => makeNotice(one, words));
}
