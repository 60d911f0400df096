import { setBudgetSchema, type BudgetView, type SetBudget } from "../../../gateway/contract/budgets.ts";

/** A budget in the form: text, so that partial numbers are kept. */
export interface BudgetDraft {
  readonly kind: BudgetView["scope"]["kind"];
  readonly name: string;
  readonly amount: string;
  readonly reset: BudgetView["reset"];
}

export type BudgetField = "name" | "amount";

/** Default values of a new budget. */
export const emptyBudget: BudgetDraft = { kind: "client", name: "", amount: "5", reset: "daily" };

export const draftOfBudget = ({ scope, reset, limit_usd: limit }: BudgetView): BudgetDraft => ({
  ...scope,
  amount: String(limit),
  reset,
});

/** The form's text as a budget, by the contract's own bounds; or what of it is wrong. */
export function readBudget({ kind, name, amount, reset }: BudgetDraft): SetBudget | ReadonlySet<BudgetField> {
  const text = amount.trim().replace(/^\$/, "");
  const limit = text === "" ? Number.NaN : Number(text);
  const read = setBudgetSchema.safeParse({ scope: { kind, name }, reset, limit_usd: limit });
  if (read.success) return read.data;
  return new Set(read.error.issues.map(({ path }): BudgetField => (path[0] === "scope" ? "name" : "amount")));
}
