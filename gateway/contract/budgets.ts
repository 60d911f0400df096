import * as z from "zod";
import { usdUpTo } from "./bounds.ts";
import { none, operation, type ControlOperation } from "./control-operation.ts";
import { resetSchema } from "./key.ts";
import { MOST_USD } from "./money.ts";

/** Budgets of clients and projects, next to the monthly budget of all. Money is `…_nano`, 10⁻⁹ USD, or USD. */

const count = z.number().int().nonnegative();

/** The property that groups calls, named as in receipts. */
export const scopeKindSchema = z.enum(["client", "project"]);
export type ScopeKind = z.infer<typeof scopeKindSchema>;

/**
 * A project's name, an app by any of its names ("Claude Code", `claude-cli`), or a glob (`claude-*`): what matches spends one
 * budget.
 */
export const budgetScopeSchema = z.object({ kind: scopeKindSchema, name: z.string().trim().min(1).max(100) }).strict();
export type BudgetScope = z.infer<typeof budgetScopeSchema>;

/** When it starts again, UTC. */
export const budgetResetSchema = resetSchema.exclude(["never"]);

/** A scope may have one of each day and one of each month; both hold. */
const named = { scope: budgetScopeSchema, reset: budgetResetSchema };

/** Makes a budget, or changes the amount of the one of this scope and period. */
export const setBudgetSchema = z.object({ ...named, limit_usd: usdUpTo(MOST_USD) }).strict();
export type SetBudget = z.infer<typeof setBudgetSchema>;

export const removeBudgetSchema = z.object(named).strict();
export type RemoveBudget = z.infer<typeof removeBudgetSchema>;

export const budgetViewSchema = z.object({
  ...named,
  /** Whether a request of this UTC month has this name, or one that it matches. */
  seen: z.boolean(),
  limit_usd: z.number().nonnegative(),
  created_at: z.number().int(),
  /** 10⁻⁹ USD of receipts in this period, sandbox calls excluded. */
  spent_nano: count,
  /** 10⁻⁹ USD held by calls in flight. */
  held_nano: count,
  /** 10⁻⁹ USD that calls may cost now. */
  left_nano: count,
  /** When it starts again, Unix milliseconds. */
  resets_at: z.number().int(),
  /** When it is used up at the current pace; null if it lasts, is already used up, or too little is known. */
  ends_at: z.number().int().nullable(),
});
export type BudgetView = z.infer<typeof budgetViewSchema>;

export const budgetOperations = {
  /** Lists budgets in order of creation. */
  listBudgets: operation("GET", "/control/budgets", none, z.object({ data: z.array(budgetViewSchema) })),
  setBudget: operation("POST", "/control/budgets", setBudgetSchema, budgetViewSchema),
  removeBudget: operation("POST", "/control/budgets/remove", removeBudgetSchema, z.object({ ok: z.literal(true) })),
} as const satisfies Record<string, ControlOperation>;
