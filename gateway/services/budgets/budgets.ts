import type { BudgetScope } from "../../contract/budgets.ts";
import { matchesGlob } from "../../core/glob.ts";
import { matchesApp } from "../../core/keys/client-name.ts";
import { unspentFrom } from "../../core/keys/key-state.ts";
import { SpendingLimit } from "../../core/money/hold.ts";
import type { ScopeSpend } from "../../core/usage/scope-spend.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { utcDay, utcMonth } from "../../lib/clock.ts";
import type { Clock } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";
import type { StoredBudget } from "../../store/document.ts";
import type { Store } from "../../store/store.ts";

/** Client and project of a call, as its receipt will name them. */
export interface CallScope {
  readonly client: string;
  /** Undefined if the client sends none. */
  readonly project?: string | undefined;
}

/** A budget as calls meet it. */
export class Budget extends SpendingLimit {
  /** Replaced when its amount changes: a call that runs sees the newest. */
  record: StoredBudget;
  readonly #spend: ScopeSpend;
  readonly #clock: Pick<Clock, "now">;

  constructor(record: StoredBudget, spend: ScopeSpend, clock: Pick<Clock, "now">) {
    super(
      () => this.record.limit_nano,
      () => this.spent,
    );
    this.record = record;
    this.#spend = spend;
    this.#clock = clock;
  }

  /** 10⁻⁹ USD, in the period that runs. */
  get spent(): number {
    return this.#getSpend(this.#clock.now());
  }

  /** When it can be spent again, Unix milliseconds. */
  get startsAnew(): number {
    const { limit_nano: limit, reset } = this.record;
    return unspentFrom(limit, reset, (moment) => this.#getSpend(moment), this.#clock.now());
  }

  covers(scope: CallScope): boolean {
    const { kind } = this.record.scope;
    return isCovered(this.record.scope, scope[kind] ?? "");
  }

  #getSpend(moment: number): number {
    return this.#spend.spent(this.record.reset === "daily" ? utcDay(moment) : utcMonth(moment));
  }
}

/** @param name as rows of usage have it: "" for clients and projects that have no name */
export function isCovered({ kind, name: pattern }: BudgetScope, name: string): boolean {
  // Calls without a project match no project pattern, not even `*`.
  return kind === "client" ? matchesApp(pattern, name) : name !== "" && matchesGlob(pattern, name);
}

const NONE: readonly Budget[] = [];
/** Max remembered pairs of client and project, each with the budgets that it falls under. */
const KNOWN_SCOPES = 500;

/** Budgets of clients and projects. Their spend is in the daily rows; what running calls hold is kept here. */
export class Budgets {
  readonly #store: Pick<Store, "document" | "usage">;
  readonly #clock: Clock;
  readonly #budgets = new Map<string, { readonly budget: Budget; readonly spend: ScopeSpend }>();
  readonly #known = new BoundedMap<string, readonly Budget[]>(KNOWN_SCOPES);

  constructor(store: Pick<Store, "document" | "usage">, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.reload();
  }

  /** Reads the days of the month beforehand, so that no call waits for it. */
  async prepare(): Promise<void> {
    if (this.list().length === 0) return;
    const now = this.#clock.now();
    const month = { since: `${utcMonth(now)}-01`, until: utcDay(now) };
    await this.#store.usage.days.prepare(month, new Slices(this.#clock));
  }

  /** Reloads budgets from the document. Call it after every change of budgets. */
  reload(): void {
    const { document, usage } = this.#store;
    this.#known.clear();
    for (const [id, { budget, spend }] of this.#budgets) {
      // Running calls still hold money of it, in case it is created again.
      if (document.budgets.has(id) || budget.reserved > 0) continue;
      usage.days.unfollow(spend);
      this.#budgets.delete(id);
    }
    for (const record of document.budgets.values()) {
      const known = this.#budgets.get(record.id)?.budget;
      if (known !== undefined) {
        known.record = record;
        continue;
      }
      const { scope } = record;
      const spend = usage.days.follow(scope.kind, (name) => isCovered(scope, name));
      this.#budgets.set(record.id, { budget: new Budget(record, spend, this.#clock), spend });
    }
  }

  /** Returns the budgets that apply to a call, oldest first. Without budgets nothing is computed. */
  of(scope: CallScope): readonly Budget[] {
    const { budgets } = this.#store.document;
    if (budgets.size === 0) return NONE;
    const { client, project = "" } = scope;
    const id = `${client}\n${project}`;
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const found = this.list().filter((budget) => budget.covers(scope));
    this.#known.set(id, found);
    return found;
  }

  /** All, in the order in which they were made. */
  list(): readonly Budget[] {
    return [...this.#store.document.budgets.keys()].flatMap((id) => this.#budgets.get(id)?.budget ?? []);
  }

  get(id: string): Budget | undefined {
    return this.#store.document.budgets.has(id) ? this.#budgets.get(id)?.budget : undefined;
  }
}
