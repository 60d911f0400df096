import { GatewayError } from "../../core/errors.ts";
import type { Capability } from "../../core/models/model.ts";
import type { ChosenChain } from "../../core/routes/choose-chain.ts";
import { cannotBeTranslated, movesOn } from "../../core/routes/moves-on.ts";
import type { RequestFacts } from "../../core/routes/request-facts.ts";
import type { StoredRoute } from "../../store/document.ts";
import type { Persistence } from "../calls/attempts.ts";
import { isPriced, isSandbox } from "../calls/paid-call.ts";
import type { CallCost, PaidCall, Pricing, Quote } from "../calls/paid-call.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { ResolveModel } from "../models/resolve-model.ts";
import type { ServedModel } from "../models/served-model.ts";
import { selectChain, isLate, createLinks } from "./chain-links.ts";
import type { ChainLinksDeps, Link } from "./chain-links.ts";
import { createNoModelError } from "./none-fits.ts";
import { PassedModels } from "./passed-models.ts";

export interface ChainDeps extends ChainLinksDeps {
  readonly resolveModel: ResolveModel;
  readonly keyRing: Pick<KeyRing, "objection">;
}

/** The call that follows a chain. @template P its plan for one model */
export interface ChainCall<P extends Pricing> {
  readonly call: PaidCall;
  readonly capability: Capability;
  readonly facts: RequestFacts;
  /** Input tokens for rules; `facts` counts for the contexts of models. */
  readonly inputTokens: () => number;
  /** Bytes of the request. */
  readonly bytes: number;
  /** Whether unsupported pictures and files are replaced by text. */
  readonly mediaInWords: boolean;
  /** Tells which models search the web if the request requires it; undefined: search is not required. */
  readonly searches: ((servedModel: ServedModel) => boolean) | undefined;
  /** The chain that was chosen for the request already; undefined: it is chosen now. */
  readonly chosen: ChosenChain | undefined;
  /** Plans the call for a model. @throws GatewayError if the model cannot take it */
  plan(servedModel: ServedModel): Promise<P>;
}

const FREE: CallCost = { nano: 0, least: 0, open: false };

const RETRY_SAFE: Persistence = { repeats: "safe", asksRefused: false };
const RETRY_SHORT: Persistence = { repeats: "briefly", asksRefused: false };
const OTHER_KEYS_ONLY: Persistence = { repeats: "others", asksRefused: false };
/** Retry policy for models that have failed recently. */
const PROBE_ONLY: Persistence = { repeats: "others", asksRefused: true };
const LAST_RESORT: Persistence = { repeats: "safe", asksRefused: true };

/**
 * Runs a call along a fallback chain and records the models that were skipped. The call is admitted once, with a hold
 * for the most expensive model that may still be tried.
 */
export class FallbackChain<P extends Pricing> {
  readonly #deps: ChainDeps;
  readonly #route: StoredRoute;
  readonly #chainCall: ChainCall<P>;
  readonly #passed = new PassedModels();
  #links: readonly Link<P>[] = [];
  /** Index of the next model. */
  #next = 0;
  #rule: number | null = null;
  #current: Link<P> | null = null;
  /** The cost that the call holds; null if no money limit applies. */
  #maxCost: CallCost | null = null;
  #nanoBefore = 0;
  #hasHomeFailed = false;
  /** Error of the model that failed last. */
  #failure: GatewayError | null = null;

  constructor(deps: ChainDeps, route: StoredRoute, chainCall: ChainCall<P>) {
    this.#deps = deps;
    this.#route = route;
    this.#chainCall = chainCall;
  }

  /**
   * Selects the chain, admits the call, and plans it for the first model.
   * @throws GatewayError if no model can take it, or the key cannot pay for any
   */
  async start(): Promise<P> {
    const { models, rule } = this.#chooseChain();
    this.#rule = rule;
    const { id: name } = this.#route;
    const passed = this.#passed.list;
    this.#chainCall.call.record.setRoute(rule === null ? { name, passed } : { name, rule, passed });
    this.#find(models);
    if (this.#links.length === 0) {
      if (!passed.every(({ reason }) => reason === "not_served")) throw createNoModelError(name, passed);
      await this.#findLate(models);
    }
    return this.#begin();
  }

  #chooseChain(): ChosenChain {
    const { call, facts, inputTokens, chosen } = this.#chainCall;
    const by = { key: call.input.key, scope: call.record };
    return chosen ?? selectChain(this.#deps, this.#route, by, { kinds: facts.kinds, inputTokens });
  }

  #find(models: readonly string[]): void {
    const { call, capability, facts, bytes, mediaInWords, searches } = this.#chainCall;
    this.#links = createLinks(this.#deps, models, {
      call,
      route: this.#route,
      rule: this.#rule,
      capability,
      facts,
      bytes,
      mediaInWords,
      searches,
      passed: this.#passed,
    });
  }

  /** Finds models that appeared late: a provider's first list may still be loading, and users pull new local models. */
  async #findLate(models: readonly string[]): Promise<void> {
    await this.#deps.resolveModel.waitUntilReported();
    this.#passed.clear();
    this.#find(models);
    if (this.#links.length > 0) return;
    throw createNoModelError(this.#route.id, this.#passed.list, this.#deps.resolveModel.awaited);
  }

  /**
   * Estimates the call's max cost: the amount that would be held, which is the cost of the most expensive model that
   * may be asked. The quote names that model, or an unpriced one.
   * @throws GatewayError if none of the models can take it
   */
  async quote(): Promise<Quote> {
    const { models } = this.#chooseChain();
    this.#find(models);
    if (this.#links.length === 0) await this.#findLate(models);
    const mostExpensive = await this.#weigh();
    const unpriced = this.#links.find(({ servedModel }) => !isPriced(servedModel));
    return this.#chainCall.call.quote((unpriced ?? mostExpensive).servedModel, () => this.#cost, this.#isSandbox);
  }

  /**
   * The plan for the next model after a failure.
   * @throws the thrown error, if no other model is tried
   */
  async continueAfter(thrown: unknown): Promise<P> {
    const { call, facts } = this.#chainCall;
    const failed = this.#current;
    if (!(thrown instanceof GatewayError) || failed === null || call.record.hasFirstByte) throw thrown;
    const { provider } = call.record;
    const isUnsaid = provider === "" && cannotBeTranslated(thrown);
    if (call.stopping || !(isUnsaid || movesOn(thrown, facts.unsafe))) throw thrown;
    const objection = this.#deps.keyRing.objection(call.input.key);
    if (objection !== null) throw objection;
    call.billUnobserved();
    if (isUnsaid) this.#passed.pass(failed.servedModel.id, "capability");
    else this.#noteFailure(failed, thrown, provider);
    try {
      return await this.#takeNext();
    } catch (error) {
      // The other models' refusals are less informative than the last failure.
      throw error === CHAIN_EXHAUSTED ? (this.#failure ?? thrown) : error;
    }
  }

  #noteFailure(failed: Link<P>, failure: GatewayError, provider: string): void {
    const { call } = this.#chainCall;
    this.#failure = failure;
    this.#hasHomeFailed ||= failed.isHome;
    const nano = call.record.unobservedNano - this.#nanoBefore;
    this.#passed.addFailed({
      model: failed.servedModel.id,
      ...(provider === "" ? {} : { provider }),
      status: failure.status,
      code: failure.code,
      ...(nano > 0 ? { nano } : {}),
    });
  }

  /** Notes that the current model has responded. */
  noteSuccess(): void {
    const { call, facts } = this.#chainCall;
    const id = this.#current?.servedModel.id;
    if (id === undefined) return;
    const { routeMemory } = this.#deps;
    const { firstMs, stream, outputTokens } = call.record;
    if (firstMs !== null) routeMemory.noteLatency(id, stream, stream ? firstMs : firstMs / Math.max(1, outputTokens));
    if (!this.#route.sticky || facts.session === null) return;
    // A session returns to its model once that is healthy again, unless that model cannot take the request.
    const home = this.#links.find(({ isHome, isFailing: isUnwell }) => isHome && (isUnwell || this.#hasHomeFailed));
    // A session's small requests, which a rule takes elsewhere, take the session nowhere.
    routeMemory.stay({ route: this.#route.id, rule: this.#rule }, facts.session, home?.servedModel.id ?? id);
  }

  /** Lets the call in, and takes the first model. */
  async #begin(): Promise<P> {
    const [first] = this.#links;
    if (this.#deps.admission.isMetered(this.#chainCall.call.input.key, this.#isSandbox, this.#chainCall.call.record))
      await this.#weigh();
    // A call that describes pictures ends before this call takes its concurrency slot.
    else if (first !== undefined) await this.#planLink(first);
    return this.#admit();
  }

  /** Works like `#afford`, but makes slow plans one at a time, yielding to the event loop. */
  async #weigh(): Promise<Link<P>> {
    const [first] = this.#links;
    // Descriptions of pictures cost money, so other models that need them are planned when they are asked.
    for (const link of this.#links) if (link === first || !link.inWords) await this.#planLink(link);
    for (;;) {
      const affordable = this.#afford();
      if (affordable !== null) return affordable;
      const unplanned = this.#links.find(({ plan, failure }) => plan === null && failure === null);
      if (unplanned !== undefined) await this.#planLink(unplanned);
    }
  }

  /** Plans the call for a model; records the reason if it cannot take it. */
  async #planLink(link: Link<P>): Promise<void> {
    try {
      link.plan ??= await this.#chainCall.plan(link.servedModel);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      link.failure = error;
    }
  }

  async #admit(): Promise<P> {
    const { call } = this.#chainCall;
    const [link] = this.#links;
    if (link === undefined) throw CHAIN_EXHAUSTED;
    call.hold(link.servedModel, () => this.#cost, this.#isSandbox);
    return link.plan === null ? this.#takeNext() : this.#take(link, link.plan);
  }

  /** Whether only the sandbox can be called: its cost then counts for the key only. */
  get #isSandbox(): boolean {
    for (let index = 0; index < this.#links.length; index += 1) {
      const link = this.#links[index];
      if (link !== undefined && !isSandbox(link.servedModel)) return false;
    }
    return true;
  }

  /**
   * Skips models that cost more than is left.
   * @returns the most expensive remaining one, whose cost is held; null if only unplanned models are left
   */
  #afford(): Link<P> | null {
    const { admission } = this.#deps;
    const { record, input } = this.#chainCall.call;
    const real = admission.remaining(input.key, false, record) ?? Infinity;
    const own = admission.remaining(input.key, true, record) ?? Infinity;
    const unplanned: Link<P>[] = [];
    let mostExpensive: Link<P> | null = null;
    let cheapest: Link<P> | null = null;
    let [most, least] = [FREE, FREE];
    let maxCost = FREE;
    let failure: GatewayError | null = null;
    for (let index = 0; index < this.#links.length; index += 1) {
      const link = this.#links[index];
      if (link === undefined) break;
      const { servedModel, plan } = link;
      if (link.failure !== null) {
        failure ??= link.failure;
        this.#passed.pass(servedModel.id, "capability");
        continue;
      }
      // It is planned on its turn, and must then fit the existing hold.
      if (plan === null) {
        unplanned.push(link);
        continue;
      }
      const remaining = isSandbox(servedModel) ? own : real;
      const cost = plan.cost(remaining);
      if (cheapest === null || cost.least < least.least) [cheapest, least] = [link, cost];
      if (Math.min(cost.least, cost.nano) > remaining) {
        this.#passed.pass(servedModel.id, "price");
        continue;
      }
      unplanned.push(link);
      if (mostExpensive === null || cost.nano > most.nano) [mostExpensive, most] = [link, cost];
      maxCost = mergeCosts(maxCost, cost);
    }
    if (mostExpensive !== null) {
      this.#links = unplanned;
      this.#maxCost = this.#isSandbox ? maxCost : capCost(maxCost, real);
      return mostExpensive;
    }
    if (unplanned.length > 0) return null;
    if (cheapest === null) throw failure ?? CHAIN_EXHAUSTED;
    // The key cannot pay for any model, and is refused with the cost of the cheapest.
    this.#passed.takeBack(cheapest.servedModel.id);
    this.#links = [cheapest];
    this.#maxCost = least;
    return cheapest;
  }

  get #cost(): CallCost {
    return this.#maxCost ?? FREE;
  }

  /** Takes the next model, and plans the call for it. @throws NOBODY_LEFT */
  async #takeNext(): Promise<P> {
    for (;;) {
      const link = this.#links[this.#next];
      if (link === undefined) throw CHAIN_EXHAUSTED;
      let plan: P;
      try {
        plan = await (link.plan ?? this.#chainCall.plan(link.servedModel));
      } catch (error) {
        if (this.#next === this.#links.length - 1 || !(error instanceof GatewayError)) throw error;
        this.#next += 1;
        this.#passed.pass(link.servedModel.id, "capability");
        continue;
      }
      link.plan = plan;
      if (this.#canAfford(plan)) return this.#take(link, plan);
      this.#next += 1;
      this.#passed.pass(link.servedModel.id, "price");
    }
  }

  /**
   * Tells whether the hold minus the possible cost of earlier attempts suffices. The first model was admitted with it.
   */
  #canAfford(plan: P): boolean {
    if (this.#maxCost === null || this.#current === null) return true;
    const { availableHold } = this.#chainCall.call.record;
    return plan.cost(availableHold).least <= availableHold;
  }

  #take(link: Link<P>, plan: P): P {
    const { call } = this.#chainCall;
    this.#next += 1;
    this.#current = link;
    if (isLate(link)) this.#passed.takeBack(link.servedModel.id);
    this.#nanoBefore = call.record.unobservedNano;
    this.#deps.routeMemory.noteUse(link.servedModel.id, call.record.stream, this.#deps.clock.monotonic());
    call.switchModel(link.servedModel, plan, this.#persistence(link), link.longest);
    return plan;
  }

  #persistence({ isFailing: isUnwell }: Link<P>): Persistence {
    const next = this.#links[this.#next];
    if (next === undefined) return isUnwell && this.#links.length > 1 ? LAST_RESORT : RETRY_SAFE;
    if (isUnwell) return PROBE_ONLY;
    return next.isFailing ? RETRY_SHORT : OTHER_KEYS_ONLY;
  }
}

/** Internal signal; clients get the error that caused it. */
const CHAIN_EXHAUSTED = new Error("no model of the chain is left");

function mergeCosts(one: CallCost, other: CallCost): CallCost {
  return {
    nano: Math.max(one.nano, other.nano),
    least: Math.max(one.least, other.least),
    open: one.open || other.open,
  };
}

/** @param left nano USD that there are for it */
function capCost({ nano, least, open }: CallCost, left: number): CallCost {
  return { nano: Math.min(nano, left), least: Math.min(least, left), open };
}
