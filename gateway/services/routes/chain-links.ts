import type { GatewayError } from "../../core/errors.ts";
import type { Capability } from "../../core/models/model.ts";
import { priceUnits } from "../../core/money/price.ts";
import { chooseChain, minuteOfDay } from "../../core/routes/choose-chain.ts";
import type { ChosenChain } from "../../core/routes/choose-chain.ts";
import { isMedium, lacks } from "../../core/routes/lacks.ts";
import type { RequestFacts } from "../../core/routes/request-facts.ts";
import type { Clock } from "../../lib/clock.ts";
import { isLocalOrigin } from "../../upstream/targets.ts";
import type { StoredRoute } from "../../store/document.ts";
import type { Admission } from "../calls/admission.ts";
import { hasAvailableCandidate } from "../calls/attempts.ts";
import type { CallScope } from "../budgets/budgets.ts";
import type { PaidCall } from "../calls/paid-call.ts";
import type { RingKey } from "../keys/key-ring.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";
import type { ChainModel, ChainModels } from "./chain-models.ts";
import type { PassedModels } from "./passed-models.ts";
import type { RouteMemory } from "./route-memory.ts";

export interface ChainLinksDeps {
  readonly chainModels: ChainModels;
  readonly admission: Admission;
  readonly routeMemory: RouteMemory;
  readonly clock: Clock;
}

/** A call that looks for models along a route. */
export interface Routing {
  readonly call: PaidCall;
  readonly route: StoredRoute;
  /** Number of the matching rule, from 1; null: the route's default chain. */
  readonly rule: number | null;
  readonly capability: Capability;
  readonly facts: RequestFacts;
  /** Bytes of the request. */
  readonly bytes: number;
  /** Whether unsupported pictures and files are replaced by text. */
  readonly mediaInWords: boolean;
  /** Tells which models search the web if the request requires it; undefined: search is not required. */
  readonly searches: ((servedModel: ServedModel) => boolean) | undefined;
  readonly passed: PassedModels;
}

/** A model of a chain that can take the call. @template P the call's plan for it */
export interface Link<P> {
  readonly servedModel: ServedModel;
  /**
   * Max output tokens, if lower than the request's: such a model is tried last, with its own maximum. Agents request
   * the maximum and rarely use it.
   */
  readonly longest: number | null;
  /** Unsupported media is replaced by text: it is tried after models that support it. */
  readonly inWords: boolean;
  /** It has failed recently: it is tried after all others have failed. */
  readonly isFailing: boolean;
  /** It lacks the web search that the request needs: it is tried last, and the response reports what is missing. */
  readonly isSearchless: boolean;
  /** The model that its session stays with, or returns to when it is healthy again. */
  isHome: boolean;
  /** Planned on its turn, or earlier for its price if a money limit applies. */
  plan: P | null;
  /** Why the model cannot take the call; null if not known yet. */
  failure: GatewayError | null;
}

/** Selects the chain of a routed call, once; searches and descriptions use it too. */
export function selectChain(
  { admission, clock }: Pick<ChainLinksDeps, "admission" | "clock">,
  route: StoredRoute,
  { key, scope }: { readonly key: RingKey; readonly scope: CallScope },
  facts: Pick<RequestFacts, "kinds" | "inputTokens">,
): ChosenChain {
  // Only rules depend on the client and the time.
  if (route.rules.length === 0) return { models: route.models, rule: null };
  return chooseChain(route, facts, {
    client: scope.client,
    key: key.record.id,
    minuteOfDay: minuteOfDay(new Date(clock.now())),
    budgetUsed: () => admission.budgetUsed(key, scope),
  });
}

/** Output tokens assumed for comparing prices if the request sets no max tokens. */
const USUAL_OUTPUT = 1_000;

/**
 * Returns the models of a chain that can take a request as far as known, in candidate order.
 * @param models stored list of the route or its rule
 */
export function createLinks<P>(deps: ChainLinksDeps, models: readonly string[], routing: Routing): readonly Link<P>[] {
  const links: Link<P>[] = [];
  const chain = deps.chainModels.of(models, routing.capability);
  // A hot path of every routed call: `for…of` allocates an iterator result per step until V8 has optimized it.
  for (let index = 0; index < chain.length; index += 1) {
    const model = chain[index];
    const link = model === undefined ? null : getLink<P>(deps, model, routing);
    if (link === null) continue;
    links.push(link);
    // Vectors of two models do not compare, so embeddings always go to the same one, well or not.
    if (routing.capability === "embedding") break;
  }
  return links.length < 2 ? links : inOrder(deps, links, routing);
}

function getLink<P>(deps: ChainLinksDeps, { id, able, names, fit }: ChainModel, routing: Routing): Link<P> | null {
  const { facts, bytes, mediaInWords, searches, passed } = routing;
  if (typeof able === "string") return passed.pass(id, able);
  if (!mayUse(deps, names, routing)) return passed.pass(id, "not_allowed");
  const missing = lacks(fit, facts, bytes);
  const inWords = mediaInWords && missing !== null && isMedium(missing);
  const lacking = inWords ? lacks(fit, facts, bytes, true) : missing;
  if (lacking !== null) passed.pass(id, lacking);
  if (lacking !== null && lacking !== "output") return null;
  const isUnwell = !hasAvailableCandidate(able.candidates, deps.clock.monotonic());
  const isSearchless = searches?.(able) === false;
  const longest = lacking === null ? null : fit.maxOutput;
  return {
    servedModel: able,
    longest,
    inWords,
    isFailing: isUnwell,
    isSearchless,
    isHome: false,
    plan: null,
    failure: null,
  };
}

/** A key that may use the route may use its models. */
function mayUse({ admission }: ChainLinksDeps, names: readonly string[], { call, route }: Routing): boolean {
  const { key } = call.input;
  return key.record.models === null || admission.mayUse(key, [route.id, ...names]);
}

function inOrder<P>(deps: ChainLinksDeps, given: readonly Link<P>[], routing: Routing): readonly Link<P>[] {
  const { route, rule, facts, passed } = routing;
  let links = sortLinks(deps, given, routing);
  if (route.sticky && facts.session !== null) {
    const stays = deps.routeMemory.findHome({ route: route.id, rule }, facts.session);
    if (stays !== undefined) links = sortStably(links, ({ servedModel }) => Number(servedModel.id !== stays));
    const [home] = sortStably(links, (link) => lateness({ ...link, isFailing: false }));
    if (home !== undefined) home.isHome = true;
  }
  if (!hasLate(links)) return links;
  // A weakness that all models share is no reason to skip one.
  const allInWords = links.every(({ inWords }) => inWords);
  const allUnwell = links.every(({ isFailing: isUnwell }) => isUnwell);
  const medium = facts.needs.includes("pictures") ? "pictures" : "files";
  for (const { servedModel, inWords, isFailing: isUnwell, isSearchless } of links) {
    if (isSearchless) passed.pass(servedModel.id, "web_search");
    else if (isUnwell && !allUnwell) passed.pass(servedModel.id, getWeakness(servedModel, deps.clock.monotonic()));
    else if (inWords && !allInWords) passed.pass(servedModel.id, medium);
  }
  return sortStably(links, lateness);
}

function getWeakness({ candidates }: ServedModel, now: number): "no_credit" | "unavailable" {
  const credentials = candidates.flatMap(({ connection }) => connection.credentials).filter(({ locked }) => !locked);
  return credentials.every(({ health }) => health.isOutOfCredit(now)) ? "no_credit" : "unavailable";
}

function sortLinks<P>(
  { routeMemory, clock }: ChainLinksDeps,
  links: readonly Link<P>[],
  { call, route, facts }: Routing,
): readonly Link<P>[] {
  switch (route.order) {
    case "cheapest":
      return sortStably(links, ({ servedModel }) => estimateLikelyPrice(servedModel, facts));
    case "fastest": {
      const { stream } = call.record;
      const paced = sortStably(links, ({ servedModel }) => routeMemory.pace(servedModel.id, stream));
      const slower = paced.slice(1).filter(({ isFailing: isUnwell }) => !isUnwell);
      const due = routeMemory.findDue(
        slower.map(({ servedModel }) => servedModel.id),
        stream,
        clock.monotonic(),
      );
      return due === null ? paced : sortStably(paced, ({ servedModel }) => Number(servedModel.id !== due));
    }
    default:
      return links;
  }
}

/**
 * Returns the request's probable cost in nano USD; infinite without a known price, except for a server on this machine.
 */
function estimateLikelyPrice({ candidates: [first] }: ServedModel, facts: RequestFacts): number {
  const units = { input: facts.inputTokens(), output: Math.min(facts.outputTokens ?? USUAL_OUTPUT, USUAL_OUTPUT) };
  return priceUnits(units, first?.price ?? null).nano ?? getUnpricedCost(first);
}

/** Cost of an unpriced model under the cheapest-first order; free on this machine. */
export function getUnpricedCost(candidate: Candidate | undefined): number {
  return candidate !== undefined && isLocalOrigin(candidate.connection.origin) ? 0 : Infinity;
}

/** Rank of a model within the chain; 0: its place in the route. */
function lateness({ longest, inWords, isFailing: isUnwell, isSearchless }: Link<unknown>): number {
  return Number(isSearchless) * 8 + Number(isUnwell) * 4 + Number(inWords) * 2 + Number(longest !== null);
}

function hasLate(links: readonly Link<unknown>[]): boolean {
  for (let index = 0; index < links.length; index += 1) {
    const link = links[index];
    if (link !== undefined && isLate(link)) return true;
  }
  return false;
}

/** Tells whether the model is tried after others that are listed after it. */
export function isLate(link: Link<unknown>): boolean {
  return lateness(link) > 0;
}

/** Sorts stably: equal items keep their order. */
function sortStably<T>(items: readonly T[], value: (item: T) => number): readonly T[] {
  return items
    .map((item) => ({ item, at: value(item) }))
    .toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at))
    .map(({ item }) => item);
}
