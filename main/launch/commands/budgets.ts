import {
  budgetResetSchema,
  scopeKindSchema,
  type ScopeKind,
  type BudgetScope,
  type BudgetView,
} from "../../../gateway/contract/budgets.ts";
import { endInWords } from "../../../gateway/core/money/outlook.ts";
import { usdLabel } from "../../policy/money-label.ts";
import { CommandError, UsageError } from "../command-errors.ts";
import type { Command, CommandOption, CommandValues } from "../command.ts";
import { mirror } from "../mirror.ts";
import { printTable } from "../table.ts";
import { choiceOption, numberOption } from "../values.ts";

/** Words for the kinds of scopes, which are also the options. */
const KIND_WORDS: Readonly<Record<ScopeKind, string>> = { client: "app", project: "project" };

/** A row for each budget. */
function printBudgets(budgets: readonly BudgetView[]): string {
  if (budgets.length === 0)
    return 'There are no budgets. Make one with "postern budgets set --app NAME --limit-usd USD --reset daily".';
  return printTable(budgets, {
    OF: ({ scope }) => KIND_WORDS[scope.kind],
    NAME: ({ scope }) => scope.name,
    RESET: "reset",
    ">SPENT": "spent_nano",
    ">HELD": "held_nano",
    ">LEFT": "left_nano",
    ">LIMIT": ({ limit_usd: limit }) => usdLabel(limit),
    "AT THIS PACE": ({ reset, ends_at: at }) => (at === null ? "" : `ends ${endInWords(reset, at)}`),
  });
}

/** The owner of the budget that a command is about. */
const scopeOptions: Readonly<Record<string, CommandOption>> = {
  app: {
    value: "NAME",
    about: "of the app, as \"postern requests\" names it, or of those that match a glob as 'claude-*'",
    earlier: "client",
  },
  project: { value: "NAME", about: "of the project, or of those that match a glob" },
};

function scopeOption(values: CommandValues): BudgetScope {
  const given = scopeKindSchema.options.flatMap((kind) => {
    const name = values.text(KIND_WORDS[kind]);
    return name === undefined ? [] : [{ kind, name }];
  });
  const [scope] = given;
  if (scope === undefined || given.length > 1) throw new UsageError("Either --app or --project.");
  return scope;
}

const resetOption = (values: CommandValues) => choiceOption(values, "reset", budgetResetSchema.options);

const removeBudget: Command = {
  name: "budgets remove",
  about: "let an app or project spend as much as its keys and the month allow",
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
        `There is no ${which}budget of the ${KIND_WORDS[scope.kind]} "${scope.name}". "postern budgets list" names them.`,
        "not_found",
      );
    }
    for (const budget of found) await control.call("removeBudget", { scope, reset: budget.reset });
    return {
      json: { ok: true },
      text: `The ${KIND_WORDS[scope.kind]} "${scope.name}" has no ${which}budget any more.`,
    };
  },
};

export const budgetCommands: readonly Command[] = [
  mirror("budgets list", "listBudgets", "budgets of apps and projects, with what is spent and left of each", {
    print: ({ data }) => printBudgets(data),
  }),
  {
    name: "budgets set",
    about: "what an app or project may spend in a UTC day or month; calls beyond it are refused",
    options: {
      ...scopeOptions,
      "limit-usd": { value: "USD", about: "how much", required: true },
      reset: { value: "PERIOD", about: "when it resets: daily or monthly (UTC)", required: true },
    },
    async run({ control }, values) {
      const limit = { limit_usd: numberOption(values, "limit-usd") ?? 0, reset: resetOption(values) ?? "monthly" };
      const budget = await control.call("setBudget", { scope: scopeOption(values), ...limit });
      return { json: budget, text: printBudgets([budget]) };
    },
  },
  removeBudget,
];
