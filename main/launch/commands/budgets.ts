import {
  budgetResetSchema,
  scopeKindSchema,
  type BudgetScope,
  type BudgetView,
} from "../../../gateway/contract/budgets.ts";
import { endInWords } from "../../../gateway/core/money/outlook.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import { CommandError, UsageError } from "../command-errors.ts";
import type { Command, CommandOption, CommandValues } from "../command.ts";
import { table } from "../table.ts";
import { choiceOption, numberOption } from "../values.ts";

const headings = ["OF", "NAME", "RESET", ">SPENT", ">HELD", ">LEFT", ">LIMIT", "AT THIS PACE"];

/** A row for each budget. */
export function budgetTable(budgets: readonly BudgetView[]): string {
  if (budgets.length === 0)
    return 'There are no budgets. Make one with "postern budgets set --client NAME --limit-usd USD --reset daily".';
  const rows = budgets.map((budget) => [
    budget.scope.kind,
    budget.scope.name,
    budget.reset,
    moneyLabel(budget.spent_nano),
    moneyLabel(budget.held_nano),
    moneyLabel(budget.left_nano),
    `$${budget.limit_usd}`,
    budget.ends_at === null ? "" : `ends ${endInWords(budget.reset, budget.ends_at)}`,
  ]);
  return table(headings, rows);
}

/** The owner of the budget that a command is about. */
const scopeOptions: Readonly<Record<string, CommandOption>> = {
  client: { value: "NAME", about: "of the client, as receipts name it, or of those that match a glob as 'claude-*'" },
  project: { value: "NAME", about: "of the project, or of those that match a glob" },
};

function scopeOption(values: CommandValues): BudgetScope {
  const given = scopeKindSchema.options.flatMap((kind) => {
    const name = values.text(kind);
    return name === undefined ? [] : [{ kind, name }];
  });
  const [scope] = given;
  if (scope === undefined || given.length > 1) throw new UsageError("Either --client or --project.");
  return scope;
}

const resetOption = (values: CommandValues) => choiceOption(values, "reset", budgetResetSchema.options);

export const listBudgets: Command = {
  name: "budgets list",
  about: "budgets of clients and projects, with what is spent and left of each",
  options: {},
  async run({ control }) {
    const { data } = await control.call("listBudgets");
    return { json: { data }, text: budgetTable(data) };
  },
};

export const setBudget: Command = {
  name: "budgets set",
  about: "what a client or project may spend in a UTC day or month; calls beyond it are refused",
  options: {
    ...scopeOptions,
    "limit-usd": { value: "USD", about: "how much", required: true },
    reset: { value: "PERIOD", about: "when it starts anew: daily or monthly (UTC)", required: true },
  },
  async run({ control }, values) {
    const scope = scopeOption(values);
    const limit = numberOption(values, "limit-usd") ?? 0;
    const budget = await control.call("setBudget", {
      scope,
      limit_usd: limit,
      reset: resetOption(values) ?? "monthly",
    });
    return { json: budget, text: budgetTable([budget]) };
  },
};

export const removeBudget: Command = {
  name: "budgets remove",
  about: "let a client or project spend as much as its keys and the month allow",
  options: {
    ...scopeOptions,
    reset: { value: "PERIOD", about: "the daily or the monthly one; without it both" },
  },
  async run({ control }, values) {
    const scope = scopeOption(values);
    const reset = resetOption(values);
    const { data } = await control.call("listBudgets");
    const found = data.filter(
      (budget) =>
        budget.scope.kind === scope.kind &&
        budget.scope.name === scope.name &&
        (reset === undefined || budget.reset === reset),
    );
    const which = reset === undefined ? "" : `${reset} `;
    if (found.length === 0) {
      throw new CommandError(
        `There is no ${which}budget of the ${scope.kind} "${scope.name}". "postern budgets list" names them.`,
        "not_found",
      );
    }
    for (const budget of found) await control.call("removeBudget", { scope, reset: budget.reset });
    return { json: { ok: true }, text: `The ${scope.kind} "${scope.name}" has no ${which}budget any more.` };
  },
};
