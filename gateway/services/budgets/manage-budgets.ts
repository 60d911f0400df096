import type { BudgetView, RemoveBudget, SetBudget } from "../../contract/budgets.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { nanoFromUsd, usdFromNano } from "../../lib/money.ts";
import { redact } from "../../lib/redact.ts";
import type { StoredBudget } from "../../store/document.ts";
import type { Store } from "../../store/store.ts";
import type { Events } from "../events.ts";
import { isIn } from "./budgets.ts";
import type { Budget, Budgets } from "./budgets.ts";
import type { Forecasts, SpentIn } from "./forecasts.ts";

/** Each call is held against those that it falls under, so they are not for every name that there may be. */
const MOST_BUDGETS = 200;

export interface ManageBudgetsDeps {
  readonly budgets: Budgets;
  readonly forecasts: Forecasts;
  readonly store: Pick<Store, "document" | "transact" | "usage">;
  readonly clock: Pick<Clock, "now">;
  readonly events: Events;
}

/** The owner's budgets of clients and projects: kept over restarts, held to from the moment they are acknowledged. */
export class ManageBudgets {
  readonly #deps: ManageBudgetsDeps;

  constructor(deps: ManageBudgetsDeps) {
    this.#deps = deps;
  }

  /** In the order in which they were made. What was spent is on the disk before it is told. */
  async list(): Promise<readonly BudgetView[]> {
    const { budgets, forecasts, store } = this.#deps;
    await forecasts.prepare(new Set(budgets.list().map(({ record }) => record.reset)));
    return store.usage.told(() => this.views());
  }

  /** The same as far as it is read. */
  views(): readonly BudgetView[] {
    const spentIn = new Map<string, SpentIn>();
    return this.#deps.budgets.list().map((budget) => {
      const { reset, scope } = budget.record;
      const group = `${reset} ${scope.kind}`;
      const found = spentIn.get(group) ?? this.#deps.forecasts.spentIn(reset, scope.kind, false);
      spentIn.set(group, found);
      return this.#view(budget, found);
    });
  }

  /** Makes a budget, or changes the amount of the one of this scope and period. What was spent before counts. */
  async set(input: SetBudget): Promise<BudgetView> {
    const { store, clock } = this.#deps;
    const id = idOf(input);
    await store.transact([{ in: "budgets" }], async (commit) => {
      const { budgets } = store.document;
      const before = budgets.get(id);
      if (before === undefined && budgets.size >= MOST_BUDGETS)
        throw new GatewayError("invalid_value", `There are ${MOST_BUDGETS} budgets already. Remove one first.`);
      const { scope, reset } = input;
      const record: StoredBudget = {
        id,
        scope,
        reset,
        limit_nano: nanoFromUsd(input.limit_usd),
        created_at: before?.created_at ?? clock.now(),
      };
      await commit([{ op: "put", in: "budgets", record }]);
      this.#changed();
    });
    const views = await store.usage.told(() => this.views());
    return required(
      views.find((view) => idOf(view) === id),
      input,
    );
  }

  /** @throws GatewayError not_found */
  async remove(named: RemoveBudget): Promise<void> {
    const { store } = this.#deps;
    const id = idOf(named);
    await store.transact([{ in: "budgets" }], async (commit) => {
      required(store.document.budgets.get(id), named);
      await commit([{ op: "delete", in: "budgets", id }]);
      this.#changed();
    });
  }

  #changed(): void {
    this.#deps.budgets.reload();
    this.#deps.events.emit({ type: "budgets.changed" });
  }

  #view(budget: Budget, spentIn: SpentIn): BudgetView {
    const { scope, reset, limit_nano: limit, created_at } = budget.record;
    const { spent } = budget;
    const slots = [...spentIn].flatMap(([name, each]) => (isIn(scope, name) ? each : []));
    return {
      scope,
      reset,
      limit_usd: usdFromNano(limit),
      created_at,
      spent_nano: spent,
      held_nano: budget.held,
      left_nano: budget.remaining,
      resets_at: budget.startsAnew,
      ends_at: this.#deps.forecasts.endsAt(
        reset,
        limit,
        spent,
        slots.toSorted((a, b) => a - b),
      ),
    };
  }
}

/** One of each scope and period. */
const idOf = ({ scope, reset }: RemoveBudget): string => `${reset}|${scope.kind}|${scope.name}`;

/** @throws GatewayError not_found */
function required<T>(found: T | undefined, { scope, reset }: RemoveBudget): T {
  if (found !== undefined) return found;
  throw new GatewayError("not_found", `There is no ${reset} budget of the ${scope.kind} "${redact(scope.name)}".`, {
    param: "scope",
  });
}
