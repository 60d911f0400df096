import { USAGE_DAY } from "../contract/billing.ts";
import type { Reset } from "../contract/key.ts";
import { GatewayError } from "../core/errors.ts";
import { spentInPeriod, startsAnew } from "../core/keys/key-state.ts";
import type { Clock } from "../lib/clock.ts";
import { APP_SPEND } from "../core/usage/aggregate.ts";
import { sumColumns } from "../core/usage/usage-series.ts";
import type { DaySpan, UsageDays } from "../core/usage/usage-days.ts";
import { addTotals, emptyTotals } from "../core/usage/usage-totals.ts";
import type { Totals } from "../contract/totals.ts";
import { NANO_PER_USD, usdFromNano } from "../lib/money.ts";
import { Slices } from "../lib/slices.ts";
import type { Store } from "../store/store.ts";
import type { Budget, Budgets, CallScope } from "./budgets/budgets.ts";
import type { Admission } from "./calls/admission.ts";
import type { Connections } from "./connections/connections.ts";
import type { RingKey } from "./keys/key-ring.ts";

/** The number that clients of this API read as "no limit" (docs/clients.md#quota-clients). */
const UNLIMITED_USD = 100_000_000;
/** 2100-01-01, for keys that do not expire (docs/specification.md#quota). */
const NEVER = 4_102_444_800;

export interface QuotaDeps {
  readonly store: Store;
  readonly connections: Connections;
  readonly clock: Clock;
  readonly admission: Pick<Admission, "remaining">;
  readonly budgets: Pick<Budgets, "of">;
}

/** The limits and usage of a key. Money in 10⁻⁹ USD, times in Unix milliseconds; null: no limit. */
export interface Standing {
  readonly name: string;
  readonly limit: number | null;
  /** The spend in this period of `reset`; the total if the key never resets. */
  readonly used: number;
  /** The amount held by running calls. */
  readonly reserved: number;
  /** Max cost of a call now: by the key's limit, and by budgets if real providers are connected. */
  readonly left: number | null;
  readonly reset: Reset;
  readonly resetsAt: number | null;
  readonly expiresAt: number | null;
  readonly models: readonly string[] | null;
  readonly rpm: number | null;
  readonly concurrency: number | null;
  readonly inFlight: number;
  /** The budget of all keys together, this month (UTC). Sandbox calls are not in it. */
  readonly budget: { readonly limit: number; readonly used: number } | null;
  /** Others that its calls fall under. */
  readonly budgets: readonly Budget[];
}

/** Reports the budget and spend of a key, also in the shapes that clients of the billing API read. */
export class Quota {
  readonly #deps: QuotaDeps;

  constructor(deps: QuotaDeps) {
    this.#deps = deps;
  }

  async subscription(key: RingKey) {
    const { record } = key;
    const budget = this.#deps.store.document.settings.get("settings")?.monthly_budget_nano ?? null;
    const hard = record.limit_nano === null ? UNLIMITED_USD : usdFromNano(record.limit_nano);
    return {
      object: "billing_subscription" as const,
      has_payment_method: this.#deps.connections.real().length > 0,
      plan: { id: "local", title: "Local" },
      soft_limit_usd: hard,
      hard_limit_usd: hard,
      system_hard_limit_usd: budget === null ? UNLIMITED_USD : usdFromNano(budget),
      access_until: record.expires_at === null ? NEVER : Math.floor(record.expires_at / 1_000),
    };
  }

  /** Returns all limits of the key at one moment, for a call of this scope. As in `usage`, reported spend is on the disk. */
  standing(key: RingKey, scope: CallScope): Promise<Standing> {
    return this.#deps.store.usage.readDurable(() => this.#standing(key, scope));
  }

  #standing(key: RingKey, scope: CallScope): Standing {
    const { store, clock, connections, admission, budgets } = this.#deps;
    const { record, meter } = key;
    const { spend, settings } = store.document;
    const now = clock.now();
    const budget = settings.get("settings")?.monthly_budget_nano ?? null;
    const spent = spend.get(record.id);
    return {
      name: record.name,
      limit: record.limit_nano,
      used: spentInPeriod(spent, record.reset, now),
      reserved: meter.reserved,
      left: admission.remaining(key, connections.real().length === 0, scope),
      reset: record.reset,
      resetsAt: startsAnew(record, spent, now),
      expiresAt: record.expires_at,
      models: record.models,
      rpm: record.rpm,
      concurrency: record.concurrency,
      inFlight: meter.inFlight,
      budget: budget === null ? null : { limit: budget, used: spentInPeriod(spend.get(APP_SPEND), "monthly", now) },
      budgets: budgets.of(scope),
    };
  }

  /**
   * Returns the key's own spend in US cents, sandbox calls among it, over inclusive UTC days; the total without dates. The
   * reported spend is on the disk: a power cut cannot revert it.
   */
  async usage(key: RingKey, start: unknown, end: unknown) {
    const from = getDay(start, "start_date");
    const until = getDay(end, "end_date");
    if (from !== null && until !== null && from > until) {
      throw new GatewayError("invalid_value", `start_date (${from}) is after end_date (${until}).`, {
        param: "start_date",
      });
    }
    const { days } = this.#deps.store.usage;
    const span = { since: from, until };
    await days.prepare(span, new Slices(this.#deps.clock));
    const total = await this.#deps.store.usage.readDurable(() => getTotals(key.record.id, days, span));
    return {
      object: "list" as const,
      total_usage: inCents(total.nano + total.sandbox_nano),
      estimated_usage: inCents(total.estimated_nano),
      estimated_requests: total.estimated_requests,
      unknown_requests: total.unknown_requests,
    };
  }
}

const inCents = (nano: number): number => nano / (NANO_PER_USD / 100);

/** Sums the usage of a key, by its id. */
function getTotals(id: string, days: UsageDays, span: DaySpan): Totals {
  const number = days.names.key.findNumber(id);
  const total = emptyTotals();
  if (number !== undefined)
    for (const columns of days.columns(span, "key")) addTotals(total, sumColumns(columns, { by: "key", number }));
  return total;
}

function getDay(value: unknown, name: string): string | null {
  if (value === undefined || value === "") return null;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const text = typeof first === "string" ? first : "";
  if (!USAGE_DAY.test(text)) {
    throw new GatewayError("invalid_value", `${name} must be a day as YYYY-MM-DD, not "${text.slice(0, 40)}".`, {
      param: name,
    });
  }
  return text.slice(0, 10);
}
