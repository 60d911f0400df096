import type { RemoveBudget, SetBudget } from "../../contract/budgets.ts";
import { GatewayError } from "../../core/errors.ts";
import { nanoFromUsd } from "../../lib/money.ts";
import type { Document, StoredBudget } from "../../store/document.ts";

/** Each call is held against those that it falls under, so they are not for every name that there may be. */
const MOST_BUDGETS = 200;

/** Returns the id of a budget; each scope and period has at most one. */
export const budgetId = ({ scope, reset }: RemoveBudget): string => `${reset}|${scope.kind}|${scope.name}`;

/** The record of a budget that is made, or whose amount changes. @throws GatewayError invalid_value for one too many */
export function newBudget(input: SetBudget, budgets: Document["budgets"], now: number): StoredBudget {
  const id = budgetId(input);
  const before = budgets.get(id);
  if (before === undefined && budgets.size >= MOST_BUDGETS)
    throw new GatewayError("invalid_value", `There are ${MOST_BUDGETS} budgets already. Remove one first.`);
  const { scope, reset, limit_usd } = input;
  return { id, scope, reset, limit_nano: nanoFromUsd(limit_usd), created_at: before?.created_at ?? now };
}
