import type { BudgetScope, BudgetView, RemoveBudget, SetBudget } from "../../contract/budgets.ts";
import { GatewayError } from "../../core/errors.ts";
import { utcDay, utcMonth } from "../../lib/clock.ts";
import type { Clock } from "../../lib/clock.ts";
import { usdFromNano } from "../../lib/money.ts";
import { redact } from "../../lib/redact.ts";
import type { Store } from "../../store/store.ts";
import type { Events } from "../events.ts";
import { budgetId, findBudget, nameScope, newBudget } from "./budget-record.ts";
import { isCovered } from "./budgets.ts";
import type { Budget, Budgets } from "./budgets.ts";
import type { Forecasts, SpentIn } from "./forecasts.ts";

export interface ManageBudgetsDeps {
  readonly budgets: Budgets;
  readonly forecasts: Forecasts;
  readonly store: Pick<Store, "document" | "transact" | "usage">;
  readonly clock: Pick<Clock, "now">;
  readonly events: Events;
}

/** Manages budgets of clients and projects. They survive restarts and apply as soon as a change is acknowledged. */
export class ManageBudgets {
  readonly #deps: ManageBudgetsDeps;

  constructor(deps: ManageBudgetsDeps) {
    this.#deps = deps;
  }

  /** Returns the budgets, oldest first. Amounts are on the disk before they are returned. */
  async list(): Promise<readonly BudgetView[]> {
    const { budgets, forecasts, store } = this.#deps;
    const records = budgets.list().map(({ record }) => record);
    const groups = records.map(({ scope }) => scope.kind);
    await forecasts.prepare(new Set(records.map(({ reset }) => reset)), groups);
    return store.usage.readDurable(() => this.views());
  }

  /** Returns the budgets from the usage that is already read. */
  views(): readonly BudgetView[] {
    const spentIn = new Map<string, SpentIn>();
    return this.#deps.budgets.list().map((budget) => {
      const { reset, scope } = budget.record;
      const group = `${reset} ${scope.kind}`;
      const found = spentIn.get(group) ?? this.#deps.forecasts.readSpend(reset, scope.kind, false);
      spentIn.set(group, found);
      return this.#view(budget, found);
    });
  }

  /** Makes a budget, or changes the amount of the one of this scope and period. What was spent before counts. */
  async set(input: SetBudget): Promise<BudgetView> {
    const { store, clock } = this.#deps;
    const id = budgetId(input);
    await store.transact([{ in: "budgets" }], async (commit) => {
      const record = newBudget(input, store.document.budgets, clock.now());
      await commit([{ op: "put", in: "budgets", record }]);
      this.applyChanges();
    });
    const views = await store.usage.readDurable(() => this.views());
    return requireBudget(
      views.find((view) => budgetId(view) === id),
      input,
    );
  }

  /** @throws GatewayError not_found */
  async remove(named: RemoveBudget): Promise<void> {
    const { store } = this.#deps;
    await store.transact([{ in: "budgets" }], async (commit) => {
      const { id } = requireBudget(findBudget(store.document.budgets, named), named);
      await commit([{ op: "delete", in: "budgets", id }]);
      this.applyChanges();
    });
  }

  /** Records were changed: what runs follows them. */
  applyChanges(): void {
    this.#deps.budgets.reload();
    this.#deps.events.emit({ type: "budgets.changed" });
  }

  #view(budget: Budget, spentIn: SpentIn): BudgetView {
    const { scope, reset, limit_nano: limit, created_at } = budget.record;
    const { spent } = budget;
    const slots = [...spentIn].flatMap(([name, each]) => (isCovered(scope, name) ? each : []));
    return {
      scope: nameScope(scope),
      seen: this.#isSeen(scope),
      reset,
      limit_usd: usdFromNano(limit),
      created_at,
      spent_nano: spent,
      held_nano: budget.reserved,
      left_nano: budget.remaining,
      resets_at: budget.startsAnew,
      ends_at: this.#deps.forecasts.predictEnd(
        reset,
        limit,
        spent,
        slots.toSorted((a, b) => a - b),
      ),
    };
  }

  /** Whether a request of this month has a name of the scope. */
  #isSeen(scope: BudgetScope): boolean {
    const { days } = this.#deps.store.usage;
    const now = this.#deps.clock.now();
    const names = days.names[scope.kind];
    const month = days.columns({ since: `${utcMonth(now)}-01`, until: utcDay(now) }, scope.kind);
    const numbers = new Set(month.flatMap(({ groups }) => [...groups[scope.kind]]));
    return [...numbers].some((number) => isCovered(scope, names.text(number)));
  }
}

/** @throws GatewayError not_found */
function requireBudget<T>(found: T | undefined, { scope, reset }: RemoveBudget): T {
  if (found !== undefined) return found;
  throw new GatewayError("not_found", `There is no ${reset} budget of the ${scope.kind} "${redact(scope.name)}".`, {
    param: "scope",
  });
}
