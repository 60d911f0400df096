import { getAppName } from "../../contract/apps.ts";
import type { BudgetScope, RemoveBudget, SetBudget } from "../../contract/budgets.ts";
import { GatewayError } from "../../core/errors.ts";
import { nanoFromUsd } from "../../lib/money.ts";
import type { Document, StoredBudget } from "../../store/document.ts";

/** Max budgets. Each call is checked against all budgets that apply to it. */
const MOST_BUDGETS = 200;

/** Returns the scope with the app's name, whichever of its names (`claude-cli`) a person or an earlier version wrote. */
export const nameScope = ({ kind, name }: BudgetScope): BudgetScope => ({
  kind,
  name: kind === "client" ? getAppName(name) : name,
});

/** Returns the id of a budget; each scope and period has at most one. */
export function budgetId({ scope, reset }: RemoveBudget): string {
  const { kind, name } = nameScope(scope);
  return `${reset}|${kind}|${name}`;
}

/** Finds the budget of a scope and period; earlier versions wrote other ids for apps. */
export function findBudget(budgets: Document["budgets"], named: RemoveBudget): StoredBudget | undefined {
  const id = budgetId(named);
  return budgets.get(id) ?? [...budgets.values()].find((record) => budgetId(record) === id);
}

/** Builds the record of a new budget or of a changed amount. @throws GatewayError invalid_value above the max count */
export function newBudget(input: SetBudget, budgets: Document["budgets"], now: number): StoredBudget {
  const before = findBudget(budgets, input);
  if (before === undefined && budgets.size >= MOST_BUDGETS)
    throw new GatewayError("invalid_value", `There are ${MOST_BUDGETS} budgets already. Remove one first.`);
  const { reset, limit_usd } = input;
  const scope = nameScope(input.scope);
  return {
    id: before?.id ?? budgetId(input),
    scope,
    reset,
    limit_nano: nanoFromUsd(limit_usd),
    created_at: before?.created_at ?? now,
  };
}
