import { setBudgetSchema, type BudgetView, type RemoveBudget } from "../../../gateway/contract/budgets.ts";
import { getSpan } from "../../../gateway/contract/pace.ts";
import type { FakeControl } from "./fake-control.ts";

/** Budgets behind the pages: kept as the gateway keeps them. */

const now = Date.now();
const { from, to } = getSpan("monthly", now);
const MIDNIGHT = getSpan("daily", now).to;

export function budgetOf(change: Partial<BudgetView> = {}): BudgetView {
  return {
    scope: { kind: "client", name: "Claude Code" },
    seen: true,
    reset: "daily",
    limit_usd: 5,
    created_at: from,
    spent_nano: 0,
    held_nano: 0,
    left_nano: 5_000_000_000,
    resets_at: MIDNIGHT,
    ends_at: null,
    ...change,
  };
}

/** One that lasts, one that ends before its month, and one that is spent. */
export const budgets: readonly BudgetView[] = [
  budgetOf({ spent_nano: 1_204_000_000, held_nano: 310_000_000, left_nano: 3_486_000_000 }),
  budgetOf({
    scope: { kind: "project", name: "site" },
    reset: "monthly",
    limit_usd: 40,
    spent_nano: 33_120_000_000,
    left_nano: 6_880_000_000,
    resets_at: to,
    // The 24th.
    ends_at: from + 23.5 * 86_400_000,
  }),
  budgetOf({
    scope: { kind: "client", name: "nightly-evaluation-*" },
    reset: "monthly",
    limit_usd: 2.5,
    spent_nano: 2_500_310_000,
    left_nano: 0,
    resets_at: to,
  }),
];

const isSame = (one: RemoveBudget, other: RemoveBudget): boolean =>
  one.reset === other.reset && one.scope.kind === other.scope.kind && one.scope.name === other.scope.name;

/** @returns undefined for what is about no budget */
export function budgetsResponse(fake: FakeControl, route: string, body: Record<string, unknown>): unknown {
  switch (route) {
    case "GET /control/budgets":
      return { data: fake.budgets };
    case "POST /control/budgets": {
      const input = setBudgetSchema.parse(body);
      const before = fake.budgets.find((budget) => isSame(budget, input)) ?? budgetOf();
      const left = Math.max(0, input.limit_usd * 1e9 - before.spent_nano);
      const budget = { ...before, ...input, left_nano: left };
      fake.budgets = fake.budgets.some((one) => isSame(one, input))
        ? fake.budgets.map((one) => (isSame(one, input) ? budget : one))
        : [...fake.budgets, budget];
      return budget;
    }
    case "POST /control/budgets/remove":
      fake.budgets = fake.budgets.filter((one) => !isSame(one, body as unknown as RemoveBudget));
      return { ok: true };
    default:
      return undefined;
  }
}
