import type { PassedModel, Routed } from "../../contract/routed.ts";
import { noneFits } from "./none-fits.ts";
import { chooseChain } from "../../core/routes/choose-chain.ts";
import type { ChosenChain } from "../../core/routes/choose-chain.ts";
import { lacks } from "../../core/routes/lacks.ts";
import { movesOn } from "../../core/routes/moves-on.ts";
import type { RequestFacts } from "../../core/routes/request-facts.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Capability } from "../../core/models/model.ts";
import { priceUnits } from "../../core/money/price.ts";
import type { Clock } from "../../lib/clock.ts";
import type { StoredRoute } from "../../store/document.ts";
import type { Admission } from "../calls/admission.ts";
import { mayBeAsked } from "../calls/attempts.ts";
import { isSandbox } from "../calls/paid-call.ts";
import type { CallCost, PaidCall, Pricing } from "../calls/paid-call.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { ResolveModel } from "../models/resolve-model.ts";
import { abilitiesOf, namesOf } from "../models/served-model.ts";
import type { ServedModel } from "../models/served-model.ts";
import type { ChainOf, RouteMemory } from "./route-memory.ts";

export interface ChainDeps {
  readonly resolveModel: ResolveModel;
  readonly admission: Admission;
  readonly routeMemory: RouteMemory;
  readonly keyRing: Pick<KeyRing, "objection">;
  readonly clock: Clock;
}

/** What a chain needs of the call that goes along it. @template P its plan for one model */
export interface ChainCall<P extends Pricing> {
  readonly call: PaidCall;
  readonly capability: Capability;
  readonly facts: RequestFacts;
  /** Bytes of the request. */
  readonly bytes: number;
  /** Whether words come into the place of pictures and files that a model does not take. */
  readonly mediaInWords: boolean;
  /** What has to be there before the model is asked, then the plan for it. @throws GatewayError where it cannot be put to it */
  plan(servedModel: ServedModel): P | Promise<P>;
}

/** A model of a chain that the call can be put to. */
interface Link<P> {
  readonly servedModel: ServedModel;
  /**
   * Output tokens, where its longest response is shorter than what is asked for: it is asked when nobody else is left, for
   * as much as it can give. Agents ask for the longest response there is, and rarely have it.
   */
  readonly longest: number | null;
  /** Made when it is its turn, or for its price where a limit of money applies. */
  plan: P | null;
}

const isMedium = (what: string): boolean => what === "pictures" || what === "files";

/** How many output tokens a request is compared by where it does not say how many it wants. */
const USUAL_OUTPUT = 1_000;

/**
 * One call's way along a fallback chain: which of the models it is put to, in which order, and which were passed over.
 * The call is let in once, and holds what the dearest of the models costs that can still be asked.
 */
export class FallbackChain<P extends Pricing> {
  readonly #deps: ChainDeps;
  readonly #route: StoredRoute;
  readonly #asked: ChainCall<P>;
  readonly #passed: PassedModel[] = [];
  readonly #links: Link<P>[] = [];
  /** The longest response of those that are too short for what is asked. */
  readonly #short = new Map<string, number>();
  #rule: number | null = null;
  #current: Link<P> | null = null;
  #nanoBefore = 0;

  constructor(deps: ChainDeps, route: StoredRoute, asked: ChainCall<P>) {
    this.#deps = deps;
    this.#route = route;
    this.#asked = asked;
  }

  /**
   * Chooses the chain, lets the call in, and plans it for the first model.
   * @throws GatewayError where none of the models can take it, or the key has not the money for any
   */
  async first(): Promise<P> {
    const { call } = this.#asked;
    const { models, rule } = this.#chosen();
    this.#rule = rule;
    const routed: Routed = { name: this.#route.id, ...(rule === null ? {} : { rule }), passed: this.#passed };
    call.record.routed(routed);
    this.#links.push(...this.#inOrder(await this.#served(models)));
    if (this.#links.length === 0) throw noneFits(this.#route.id, this.#passed);
    await this.#admit();
    return this.#next();
  }

  #chosen(): ChosenChain {
    const { rules, models } = this.#route;
    // Who asks, and when, is for rules.
    if (rules.length === 0) return { models, rule: null };
    const { admission, clock } = this.#deps;
    const { call, facts } = this.#asked;
    return chooseChain(this.#route, facts, {
      client: call.record.client,
      key: call.input.key.record.id,
      minuteOfDay: minuteOfDay(new Date(clock.now())),
      budgetUsed: () => admission.budgetUsed(call.input.key),
    });
  }

  /**
   * The plan for the next model after a failure.
   * @throws what was thrown, where no other model is to be asked
   */
  async after(thrown: unknown): Promise<P> {
    const { call, facts } = this.#asked;
    const failed = this.#current;
    if (!(thrown instanceof GatewayError) || failed === null || call.record.hasFirstByte) throw thrown;
    if (call.stopping || !movesOn(thrown, facts.unsafe)) throw thrown;
    const objection = this.#deps.keyRing.objection(call.input.key);
    if (objection !== null) throw objection;
    call.unseenResponses();
    const nano = call.record.unseenNano - this.#nanoBefore;
    this.#passed.push({
      model: failed.servedModel.id,
      reason: "failed",
      provider: call.record.provider,
      status: thrown.status,
      code: thrown.code,
      ...(nano > 0 ? { nano } : {}),
    });
    try {
      return await this.#next();
    } catch (error) {
      // That the others cannot take it says less than why the last one failed.
      throw error === NOBODY_LEFT ? thrown : error;
    }
  }

  /** The model that is asked has responded. */
  responded(): void {
    const { call, facts } = this.#asked;
    const id = this.#current?.servedModel.id;
    if (id === undefined) return;
    const { routeMemory } = this.#deps;
    const first = call.record.firstMs;
    if (first !== null) routeMemory.measured(id, first);
    if (this.#route.sticky && facts.session !== null) routeMemory.stay(this.#chain, facts.session, id);
  }

  /** A session's small requests, which a rule takes elsewhere, take the session nowhere. */
  get #chain(): ChainOf {
    return { route: this.#route.id, rule: this.#rule };
  }

  /** Takes the next model, and plans the call for it. @throws NOBODY_LEFT */
  async #next(): Promise<P> {
    const { call } = this.#asked;
    for (;;) {
      const link = this.#links.shift();
      if (link === undefined) throw NOBODY_LEFT;
      if (!this.#affords(link)) continue;
      let { plan } = link;
      try {
        plan ??= await this.#asked.plan(link.servedModel);
      } catch (error) {
        if (this.#links.length === 0 || !(error instanceof GatewayError)) throw error;
        this.#pass(link.servedModel, "capability");
        continue;
      }
      this.#current = { ...link, plan };
      if (link.longest !== null) this.#takeBack(link.servedModel);
      this.#nanoBefore = call.record.unseenNano;
      call.goesTo(link.servedModel, this.#links.length === 0 ? "safe" : "others", link.longest);
      return plan;
    }
  }

  /** Whether what is held, less what earlier attempts may have cost, is enough for a model. */
  #affords({ servedModel, plan }: Link<P>): boolean {
    const { call } = this.#asked;
    if (plan === null || this.#current === null || call.record.unseenNano === 0) return true;
    const { least } = plan.cost(call.record.held);
    if (least <= call.record.held) return true;
    this.#pass(servedModel, "price");
    return false;
  }

  /** The first list of a provider may still be on its way, and people pull new local models while we run. */
  async #served(models: readonly string[]): Promise<readonly ServedModel[]> {
    const fitting = this.#seeing(models);
    if (fitting.length > 0 || this.#passed.some(({ reason }) => reason !== "not_served")) return fitting;
    await this.#deps.resolveModel.settled();
    this.#passed.length = 0;
    return this.#seeing(models);
  }

  /** Where none takes the pictures or files that are in the request, those that can be given words instead. */
  #seeing(models: readonly string[]): readonly ServedModel[] {
    const { facts, mediaInWords } = this.#asked;
    const fitting = this.#comparable(this.#fitting(models, facts));
    if (fitting.length > 0 || !mediaInWords || !this.#passed.some(({ reason }) => isMedium(reason))) return fitting;
    this.#passed.length = 0;
    const { outputTokens } = facts;
    const needs = facts.needs.filter((need) => !isMedium(need));
    return this.#fitting(models, { needs, outputTokens, inputTokens: () => facts.inputTokens() });
  }

  /** Vectors of two models do not compare, so embeddings always go to the same one, well or not. */
  #comparable(fitting: readonly ServedModel[]): readonly ServedModel[] {
    return this.#asked.capability === "embedding" ? fitting.slice(0, 1) : fitting;
  }

  /** Those that serve the request as far as anybody knows. */
  #fitting(models: readonly string[], facts: Parameters<typeof lacks>[1]): readonly ServedModel[] {
    const { resolveModel } = this.#deps;
    const { capability, bytes } = this.#asked;
    const seen = new Set<string>();
    return models.flatMap((id) => {
      const servedModel = resolveModel.served(id);
      if (servedModel === undefined) return this.#pass({ id }, "not_served");
      // A name that was nobody's when the route was made may be another name of a model of it by now.
      if (seen.has(servedModel.id)) return [];
      seen.add(servedModel.id);
      const able = resolveModel.able(servedModel, capability);
      if (able === null) return this.#pass(servedModel, "capability");
      if (!this.#mayUse(servedModel)) return this.#pass(servedModel, "not_allowed");
      const { spec, discovered } = servedModel;
      const maxOutput = spec?.maxOutput ?? discovered?.max_output ?? null;
      const lacking = lacks(
        {
          abilities: abilitiesOf(servedModel),
          contextLength: spec?.contextLength ?? discovered?.context_length ?? null,
          maxOutput,
        },
        facts,
        bytes,
      );
      if (lacking === null) return [able];
      this.#pass(servedModel, lacking);
      if (lacking !== "output" || maxOutput === null) return [];
      this.#short.set(able.id, maxOutput);
      return [able];
    });
  }

  /** A key that may use the route may use its models. */
  #mayUse(servedModel: ServedModel): boolean {
    return this.#deps.admission.mayUse(this.#asked.call.input.key, [this.#route.id, ...namesOf(servedModel)]);
  }

  /** As the route orders them; those whose providers all fail now are left out while another is there. */
  #inOrder(fitting: readonly ServedModel[]): readonly Link<P>[] {
    const { clock, routeMemory } = this.#deps;
    const { facts } = this.#asked;
    const now = clock.monotonic();
    const well = fitting.filter(({ candidates }) => mayBeAsked(candidates, now));
    const left = well.length === 0 ? fitting : well;
    if (left !== fitting)
      for (const servedModel of fitting) if (!left.includes(servedModel)) this.#pass(servedModel, "unavailable");
    const ordered = this.#sorted(left);
    const stays =
      this.#route.sticky && facts.session !== null ? routeMemory.stayed(this.#chain, facts.session) : undefined;
    const first = ordered.filter(({ id }) => id === stays);
    const all = [...first, ...ordered.filter((each) => !first.includes(each))];
    const links = all.map((servedModel) => ({
      servedModel,
      longest: this.#short.get(servedModel.id) ?? null,
      plan: null,
    }));
    return this.#short.size === 0 ? links : sortedBy(links, ({ longest }) => Number(longest !== null));
  }

  #sorted(models: readonly ServedModel[]): readonly ServedModel[] {
    const { routeMemory } = this.#deps;
    switch (this.#route.order) {
      case "cheapest":
        return sortedBy(models, (model) => this.#priceAt(model));
      case "fastest":
        return sortedBy(models, ({ id }) => routeMemory.firstMs(id));
      default:
        return models;
    }
  }

  /** Nano USD that the request is likely to cost; infinite where no price is known. */
  #priceAt({ candidates: [first] }: ServedModel): number {
    const { facts } = this.#asked;
    const units = { input: facts.inputTokens(), output: Math.min(facts.outputTokens ?? USUAL_OUTPUT, USUAL_OUTPUT) };
    return priceUnits(units, first?.price ?? null).nano ?? Infinity;
  }

  /**
   * Lets the call in. Where a limit of money applies, models that cost more than is left are passed over, and what the
   * dearest of the others costs is held.
   */
  async #admit(): Promise<void> {
    const { call } = this.#asked;
    const { admission } = this.#deps;
    let dearest: CallCost = { nano: 0, least: 0, open: false };
    const sandbox = this.#links.every(({ servedModel }) => isSandbox(servedModel));
    if (admission.isMetered(call.input.key, sandbox, call.record)) {
      const remaining = admission.remaining(call.input.key, sandbox, call.record) ?? Infinity;
      const affordable = await this.#affordable(remaining);
      if (affordable.length > 0) this.#links.splice(0, this.#links.length, ...affordable.map(({ link }) => link));
      // Where the key has the money for none, it is refused for what the cheapest needs.
      dearest = affordable.reduce((most, { cost }) => dearer(most, cost), dearest);
    }
    const [asked] = this.#links;
    if (asked === undefined) throw NOBODY_LEFT;
    if (this.#asked.mediaInWords) await this.#planned(asked);
    const likely: Pricing["likely"] = (candidate) => (this.#current?.plan ?? asked.plan)?.likely(candidate) ?? {};
    call.admit(asked.servedModel, { cost: () => dearest, likely }, sandbox);
  }

  /** What describes pictures is a call of its own: it is over before this one takes its place among those of its key. */
  async #planned(link: Link<P>): Promise<void> {
    try {
      link.plan ??= await this.#asked.plan(link.servedModel);
    } catch (error) {
      // Told when it is its turn.
      if (!(error instanceof GatewayError)) throw error;
    }
  }

  async #affordable(remaining: number): Promise<readonly { readonly link: Link<P>; readonly cost: CallCost }[]> {
    const costs: { readonly link: Link<P>; readonly cost: CallCost }[] = [];
    let failure: unknown = null;
    for (const link of this.#links) {
      try {
        link.plan = await this.#asked.plan(link.servedModel);
        costs.push({ link, cost: link.plan.cost(remaining) });
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        failure ??= error;
        this.#pass(link.servedModel, "capability");
      }
    }
    if (costs.length === 0) throw failure;
    const affordable = costs.filter(({ cost }) => Math.min(cost.least, cost.nano) <= remaining);
    if (affordable.length === 0) return [costs.reduce((a, b) => (b.cost.least < a.cost.least ? b : a))];
    for (const each of costs) if (!affordable.includes(each)) this.#pass(each.link.servedModel, "price");
    return affordable;
  }

  #pass({ id: model }: { readonly id: string }, reason: PassedModel["reason"]): [] {
    this.#passed.push({ model, reason });
    return [];
  }

  /** It is asked after all. */
  #takeBack({ id }: ServedModel): void {
    const at = this.#passed.findIndex(({ model, reason }) => model === id && reason === "output");
    if (at >= 0) this.#passed.splice(at, 1);
  }
}

/** Nothing for clients: what led here is told. */
const NOBODY_LEFT = new Error("no model of the chain is left");

function dearer(one: CallCost, other: CallCost): CallCost {
  return {
    nano: Math.max(one.nano, other.nano),
    least: Math.max(one.least, other.least),
    open: one.open || other.open,
  };
}

/** Stable: what is equal keeps its order. */
function sortedBy<T>(items: readonly T[], value: (item: T) => number): readonly T[] {
  return items
    .map((item) => ({ item, at: value(item) }))
    .toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at))
    .map(({ item }) => item);
}

/** Minutes since midnight, by the clock of this machine. */
export function minuteOfDay(at: Date): number {
  return at.getHours() * 60 + at.getMinutes();
}
