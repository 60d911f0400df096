import { GatewayError } from "../../core/errors.ts";
import { modelAllowed } from "../../core/glob.ts";
import { checkReach } from "../../core/keys/key-reach.ts";
import type { FieldRules } from "../../core/keys/key-reach.ts";
import { spentInPeriod, startsAnew } from "../../core/keys/key-state.ts";
import { APP_SPEND } from "../../core/usage/aggregate.ts";
import { Hold, SpendingLimit, tryHold } from "../../core/money/hold.ts";
import type { Refusal } from "../../core/money/hold.ts";
import type { Clock } from "../../lib/clock.ts";
import { Slots } from "../../lib/slots.ts";
import { dollars } from "../../lib/money.ts";
import type { Store } from "../../store/store.ts";
import type { RingKey } from "../keys/key-ring.ts";
import { getNames } from "../models/served-model.ts";
import type { ServedModel } from "../models/served-model.ts";
import type { ModelIndex } from "../models/model-index.ts";
import type { AppSettings } from "../settings.ts";
import { Budget } from "../budgets/budgets.ts";
import type { Budgets, CallScope } from "../budgets/budgets.ts";
import type { RunningPage, RunningRequest } from "../../contract/requests.ts";
import type { Events } from "../events.ts";
import { matchesRunning } from "../../contract/matches-request.ts";
import type { Search } from "../../contract/matches-request.ts";
import { ownCommand } from "../../store/folder/own-command.ts";

/** Max running calls that are listed. */
const MOST = 200;

/** A call as the log of requests shows it while it runs. */
export interface RunningCall {
  running(): RunningRequest;
}

/**
 * Calls that were admitted and are not settled. Their view is built only when it is read, so that calls stay cheap.
 */
export class RunningCalls {
  readonly #calls = new Slots<RunningCall>();

  /** @returns its place, for `leave` */
  enter(call: RunningCall): number {
    return this.#calls.add(call);
  }

  leave(place: number, call: RunningCall): void {
    this.#calls.remove(place, call);
  }

  /** The newest, and how many there are in all. */
  list(filter: Search): RunningPage {
    const matching = [...this.#calls].map((call) => call.running()).filter((call) => matchesRunning(call, filter));
    const newest = matching.toSorted((one, other) => other.at - one.at || (one.id < other.id ? -1 : 1));
    return { data: newest.slice(0, MOST), total: matching.length };
  }
}

const EVERY_MS = 500;

/** Tells how many calls are in flight, at most twice a second, the last figure always. */
export function trafficTicker(events: Events): (inFlight: number) => void {
  let latest = 0;
  let timer: NodeJS.Timeout | null = null;
  return (inFlight) => {
    latest = inFlight;
    if (timer !== null || !events.hears("traffic.changed")) return;
    timer = setTimeout(() => {
      timer = null;
      events.emit({ type: "traffic.changed", in_flight: latest });
    }, EVERY_MS).unref();
  };
}

const NONE: readonly SpendingLimit[] = [];

/** Seconds after which a client refused for concurrency may retry: it is unknown when another call ends. */
const CONCURRENCY_RETRY_AFTER = 1;

/** An admitted call: its hold and its place among the running calls. */
export class Admitted {
  readonly hold: Hold;
  readonly #admission: Admission;
  readonly #key: RingKey;
  #inside = true;
  #hasPlace = true;

  constructor(admission: Admission, key: RingKey, hold: Hold) {
    this.hold = hold;
    this.#admission = admission;
    this.#key = key;
  }

  /** Removes the call from the running calls, once; the hold is settled or released separately. */
  leave(): void {
    if (!this.#inside) return;
    this.#inside = false;
    this.freePlace();
    this.#admission.count(-1);
  }

  /** Frees the call's concurrency slot while it goes on without its client. */
  freePlace(): void {
    if (this.#hasPlace) this.#key.meter.flights.leave();
    this.#hasPlace = false;
  }
}

/** Arguments of a call to admit, in the order of `admit`. */
type Entering = readonly [
  key: RingKey,
  wanted: number,
  least: number,
  sandbox: boolean,
  servedModel: ServedModel,
  scope: CallScope,
];

/** Decides whether a call may be made: model access, then disk, requests per minute, concurrency and money, in this order. */
export class Admission {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #models: ModelIndex;
  readonly #budgets: Budgets;
  /** Returns the monthly budget in nano USD; null: none. */
  readonly #budget: () => number | null;
  /** The whole app's monthly budget; sandbox calls do not touch it. */
  readonly #appLimit: SpendingLimit;
  /** The app's limit as a list, for calls without budgets. */
  readonly #month: readonly SpendingLimit[];
  #inFlight = 0;
  readonly #onInFlight: (count: number) => void;

  constructor(
    store: Store,
    clock: Clock,
    settings: AppSettings,
    models: ModelIndex,
    budgets: Budgets,
    onInFlight: (count: number) => void,
  ) {
    this.#store = store;
    this.#models = models;
    this.#budgets = budgets;
    this.#clock = clock;
    this.#onInFlight = onInFlight;
    this.#budget = () => settings.stored.monthly_budget_nano ?? null;
    this.#appLimit = new SpendingLimit(this.#budget, () =>
      spentInPeriod(store.document.spend.get(APP_SPEND), "monthly", clock.now()),
    );
    this.#month = [this.#appLimit];
  }

  /** Calls of all keys in flight. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Nano USD that calls hold of the monthly budget; 0 without one. */
  get heldNano(): number {
    return this.#appLimit.reserved;
  }

  /** Per cent that are spent of the key's limit, the monthly budget or a budget of the scope, whichever is most. */
  budgetUsed(key: RingKey, scope: CallScope): number {
    const limits = [key.meter.limit, ...this.#listSharedLimits(false, scope)];
    return Math.max(...limits.map(({ used }) => used));
  }

  /** @param names of a model, or of a route that leads to it: one that the key may use is enough */
  mayUse(key: RingKey, names: readonly string[]): boolean {
    return modelAllowed(key.record.models, names);
  }

  /** @throws GatewayError model_not_allowed. */
  checkModel(key: RingKey, servedModel: ServedModel): void {
    const { models, name } = key.record;
    if (models === null) return;
    if (modelAllowed(models, getNames(servedModel))) return;
    throw new GatewayError(
      "model_not_allowed",
      `The key "${name}" may not use the model "${servedModel.id}". Allow it on the Keys page, or use another key.`,
      {
        param: "model",
      },
    );
  }

  /**
   * Checks an outgoing request for fields that reach further than the model of the call.
   * @returns whether the provider will do something that costs money in addition to tokens.
   * @throws GatewayError field_not_allowed, model_not_allowed.
   */
  checkReach({ record }: RingKey, rules: FieldRules, body: Readonly<Record<string, unknown>>): boolean {
    return checkReach(record, rules, body, (name) => {
      const servedModel = this.#models.find(name);
      return modelAllowed(record.models, servedModel === undefined ? [name] : getNames(servedModel));
    });
  }

  /** Whether limits of money apply to a call of this key: if not, its cost need not be estimated. */
  isMetered(key: RingKey, sandbox: boolean, scope: CallScope): boolean {
    if (key.meter.limit.limited) return true;
    return !sandbox && (this.#appLimit.limited || this.#budgets.of(scope).length > 0);
  }

  /** Nano USD that a call of this key may cost now at most; null without a limit. */
  remaining(key: RingKey, sandbox: boolean, scope: CallScope): number | null {
    let left = key.meter.limit.remaining;
    for (const limit of this.#listSharedLimits(sandbox, scope)) left = Math.min(left, limit.remaining);
    return left === Infinity ? null : left;
  }

  /** Returns a call's limits in addition to its key's own, which is the only one that counts the sandbox's money. */
  #listSharedLimits(sandbox: boolean, scope: CallScope): readonly SpendingLimit[] {
    if (sandbox) return NONE;
    const budgets = this.#budgets.of(scope);
    return budgets.length === 0 ? this.#month : [this.#appLimit, ...budgets];
  }

  /**
   * Admits a call and holds its money.
   * @param wanted max cost in nano USD. @param least min amount that must be available; if less than `wanted` is
   * available, that amount is held. @param servedModel the model of a call that may be refused for its cost
   * @param scope the budgets that apply
   * @throws GatewayError rate_limit_exceeded, concurrency_limit_exceeded, insufficient_quota, storage_unavailable.
   */
  admit(...call: Entering): Admitted {
    const [key] = call;
    const hold = this.#enter(...call);
    // A refused call was not admitted and must not use up one of the minute's requests.
    key.meter.enterMinute(this.#clock.monotonic());
    this.count(1);
    return new Admitted(this, key, hold);
  }

  /**
   * Throws what `admit` would throw, before other paid work is done for the call. Nothing is held. @throws as `admit`
   */
  rehearse(...call: Entering): void {
    this.#enter(...call).release();
    call[0].meter.flights.leave();
  }

  #enter(...[key, amount, least, sandbox, servedModel, scope]: Entering): Hold {
    if (!this.#store.writable) {
      throw new GatewayError(
        "storage_unavailable",
        `Postern cannot write to its data folder, so it takes no paid calls. Make room on the disk, or see \`${ownCommand("doctor")}\`.`,
        { retryAfter: 30 },
      );
    }
    const { record, meter } = key;
    const wait = meter.minuteWait(record.rpm, this.#clock.monotonic());
    if (wait > 0) {
      throw new GatewayError(
        "rate_limit_exceeded",
        `The key "${record.name}" is limited to ${record.rpm} requests per minute. Try again in ${Math.ceil(wait)} s.`,
        { retryAfter: wait },
      );
    }
    if (!meter.flights.tryEnter(record.concurrency)) {
      throw new GatewayError(
        "concurrency_limit_exceeded",
        `The key "${record.name}" is limited to ${record.concurrency} concurrent requests. Wait until one of them ends.`,
        { retryAfter: CONCURRENCY_RETRY_AFTER },
      );
    }
    const hold = tryHold([meter.limit, ...this.#listSharedLimits(sandbox, scope)], amount, least);
    if (!(hold instanceof Hold)) {
      meter.flights.leave();
      throw this.#spent(key, hold, needInWords(servedModel, Math.min(amount, least)));
    }
    return hold;
  }

  /**
   * Holds money again for work that was admitted before a restart, whatever the key may spend now.
   * @param key undefined if it was revoked meanwhile.
   */
  resume(key: RingKey | undefined, nano: number, sandbox: boolean, scope: CallScope): Hold {
    const shared = this.#listSharedLimits(sandbox, scope);
    return new Hold(nano, key === undefined ? shared : [key.meter.limit, ...shared]);
  }

  /** Moves the number of calls in flight. Only calls that were let in call this. */
  count(by: number): void {
    this.#inFlight += by;
    this.#onInFlight(this.#inFlight);
  }

  #spent(key: RingKey, { limit, remaining }: Refusal, need: string): GatewayError {
    if (limit === key.meter.limit) return this.#keySpent(key, need, remaining);
    return limit instanceof Budget ? createScopeSpent(limit, need, remaining) : this.#monthSpent(need, remaining);
  }

  #keySpent(key: RingKey, need: string, remaining: number): GatewayError {
    const { record } = key;
    const next = startsAnew(record, this.#store.document.spend.get(record.id), this.#clock.now());
    const again =
      next === null
        ? "Raise its limit on the Keys page."
        : `It starts anew at ${new Date(next).toISOString()}; or raise its limit on the Keys page.`;
    return new GatewayError(
      "insufficient_quota",
      `The key "${record.name}" has ${dollars(remaining)} left, and ${need}. ${again}`,
    );
  }

  #monthSpent(need: string, remaining: number): GatewayError {
    const budget = { limit_nano: this.#budget(), reset: "monthly" } as const;
    const next = startsAnew(budget, this.#store.document.spend.get(APP_SPEND), this.#clock.now()) ?? 0;
    return new GatewayError(
      "insufficient_quota",
      `Postern's monthly budget has ${dollars(remaining)} left, and ${need}. It starts anew at ${new Date(next).toISOString()}; or raise it in the settings.`,
    );
  }
}

function createScopeSpent({ record, startsAnew: next }: Budget, need: string, remaining: number): GatewayError {
  const { reset, scope } = record;
  return new GatewayError(
    "insufficient_quota",
    `The ${reset} budget of the ${scope.kind} "${scope.name}" has ${dollars(remaining)} left, and ${need}. It starts anew at ${new Date(next).toISOString()}; or raise it in the settings, under Budget.`,
  );
}

/** Explains what a refused call needs. Without a price the amount is an assumption, which a price would replace. */
function needInWords({ id, candidates }: ServedModel, nano: number): string {
  if (candidates.every(({ price }) => price !== null)) return `this call may cost ${dollars(nano)}`;
  return (
    `this call needs ${dollars(nano)}, the default reserve because "${id}" has no price. ` +
    "Set its price on the Models page"
  );
}
