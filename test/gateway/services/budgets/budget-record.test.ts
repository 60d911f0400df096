import { expect, it } from "vitest";
import { budgetId, findBudget, newBudget } from "../../../../gateway/services/budgets/budget-record.ts";
import type { StoredBudget } from "../../../../gateway/store/document.ts";

const record = (name: string, kind: StoredBudget["scope"]["kind"] = "client"): StoredBudget => ({
  id: `daily|${kind}|${name}`,
  scope: { kind, name },
  reset: "daily",
  limit_nano: 1_000_000_000,
  created_at: 7,
});
const scope = (name: string, kind: StoredBudget["scope"]["kind"] = "client") =>
  ({ scope: { kind, name }, reset: "daily" }) as const;
const stored = (...records: readonly StoredBudget[]) => new Map(records.map((one) => [one.id, one]));

it("finds a budget of an earlier version, which has the name in receipts, by any name of the app", () => {
  const old = record("codex_cli_rs");
  for (const name of ["Codex", "codex", "codex_exec", "codex_cli_rs"])
    expect(findBudget(stored(record("curl"), old), scope(name))).toBe(old);
  expect(findBudget(stored(old), scope("Claude Code"))).toBeUndefined();
});

it("keeps the id of such a budget and gives it the app's name", () => {
  const changed = newBudget({ ...scope("codex_exec"), limit_usd: 2 }, stored(record("codex_cli_rs")), 9);
  expect(changed).toEqual({ ...record("Codex"), id: "daily|client|codex_cli_rs", limit_nano: 2_000_000_000 });
});

it("prefers the budget that has the app's name", () => {
  const named = record("Codex");
  expect(findBudget(stored(record("codex_exec"), named), scope("codex_exec"))).toBe(named);
});

it("leaves the names of projects as they are", () => {
  expect(budgetId(scope("claude-cli", "project"))).toBe("daily|project|claude-cli");
  expect(findBudget(stored(record("claude-cli", "project")), scope("Claude Code", "project"))).toBeUndefined();
});
