import { CONVERSATIONS } from "../../contract/conversations.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Receipt } from "../../contract/receipt.ts";
import type { RouteEffect } from "../../contract/route-operations.ts";
import type { Route, SetRoute } from "../../contract/routes.ts";
import type { Capability, Price, Units } from "../../core/models/model.ts";
import { inputTokens, priceUnits } from "../../core/money/price.ts";
import { chooseChain, minuteOfDay } from "../../core/routes/choose-chain.ts";
import { isMedium, lacks } from "../../core/routes/lacks.ts";
import { NO_FACTS } from "../../core/routes/request-facts.ts";
import type { Need, RequestFacts } from "../../core/routes/request-facts.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import type { ResolveModel } from "../models/resolve-model.ts";
import type { ServedModel } from "../models/served-model.ts";
import { getUnpricedCost } from "./chain-links.ts";
import { getFit } from "./chain-models.ts";
import type { RouteMemory } from "./route-memory.ts";

/** Max requests examined, and max read per batch. */
const MOST = 1_000;
const PAGE = 100;
/** Max milliseconds of reading receipts for a rarely requested name. */
const MOST_MS = 2_000;
/** Max cached names that no request asked for. */
const MOST_UNASKED = 100;

/** Capabilities of requests by the endpoint of their receipts. */
const CAPABILITIES: Readonly<Record<string, Capability>> = {
  chat: "chat",
  messages: "chat",
  responses: "chat",
  embeddings: "embedding",
  speech: "speech",
  transcriptions: "transcription",
  translations: "translation",
  images: "image",
  edits: "image_edit",
  videos: "video",
  moderations: "moderation",
};

/** Other endpoints whose texts rules count. Those billed per character or item report no tokens. */
const TEXTS: ReadonlySet<string> = new Set(["embeddings", "speech", "images", "edits", "moderations"]);

const NEEDS: readonly Need[] = ["pictures", "files", "tools"];

export interface RouteEffectsDeps {
  readonly store: Pick<Store, "document" | "usage">;
  readonly clock: Clock;
  readonly resolveModel: Pick<ResolveModel, "findServed" | "able" | "getIds">;
  readonly routeMemory: Pick<RouteMemory, "pace">;
  /** Words come into the place of what models do not take, while it is on. */
  readonly mediaInWords: { readonly on: boolean };
}

type Draft = Pick<Route, "models" | "rules" | "order" | "sticky">;
type Moved = RouteEffect["moved"][number];

/** Computes where past requests would have been routed. Nothing is changed. */
export class RouteEffects {
  readonly #deps: RouteEffectsDeps;
  /**
   * Last receipt number up to which no request asked for a name: a form checks with each change and reads the same log
   * again.
   */
  readonly #unasked = new BoundedMap<string, number>(MOST_UNASKED);

  constructor(deps: RouteEffectsDeps) {
    this.#deps = deps;
  }

  /**
   * Evaluates the newest thousand requests for the route's name; for a new route, those for the first model of its
   * chain. Conditions that a receipt does not record, such as budget use, never match. A request goes to the first
   * served model of its chain that can take it; with session affinity, to the model of its session's earlier requests.
   * @param route disabled rules are ignored; for a renamed route, requests for the old name are used
   */
  async effect(route: SetRoute): Promise<RouteEffect> {
    const { renames = route.name } = route;
    const before = this.#deps.store.document.routes.get(renames);
    const draft: Draft = {
      models: route.models,
      rules: route.rules ?? before?.rules ?? [],
      order: route.order ?? before?.order ?? "listed",
      sticky: route.sticky ?? before?.sticky ?? false,
    };
    const own = await this.#look(renames, draft);
    const [first] = route.models;
    return own.looked_at > 0 || first === undefined ? own : this.#look(first, draft);
  }

  async #look(name: string, draft: Draft): Promise<RouteEffect> {
    const { store, clock, resolveModel } = this.#deps;
    const requested = [...new Set([name, ...resolveModel.getIds(name)])];
    const names = requested.join("\n");
    const [last, settledAfter] = [store.usage.lastNumber, this.#unasked.get(names)];
    const ends = clock.monotonic() + MOST_MS;
    const receipts: Receipt[] = [];
    let before: string | undefined;
    do {
      const page = await store.usage.list({
        asked: requested,
        settledAfter,
        limit: Math.min(PAGE, MOST - receipts.length),
        before,
      });
      receipts.push(...page.data);
      before = page.cursor ?? undefined;
      await nextTurn();
    } while (before !== undefined && receipts.length < MOST && clock.monotonic() < ends);
    if (receipts.length === 0 && before === undefined) this.#unasked.set(names, last);
    const moved = await this.#replay(receipts.toReversed(), draft);
    return {
      looked_at: receipts.length,
      since: receipts.at(-1)?.at ?? null,
      moved: moved.toSorted((a, b) => b.requests - a.requests),
    };
  }

  /** @param receipts the oldest first */
  async #replay(receipts: readonly Receipt[], draft: Draft): Promise<readonly Moved[]> {
    const replay: Replay = { draft, moved: new Map(), stays: new Map() };
    for (const [index, receipt] of receipts.entries()) {
      if (index % PAGE === PAGE - 1) await nextTurn();
      this.#count(receipt, replay);
    }
    return [...replay.moved.values()];
  }

  #count(receipt: Receipt, { draft, moved, stays }: Replay): void {
    const units = getUnits(receipt);
    const facts = getFacts(receipt, units);
    const conditions = TEXTS.has(receipt.endpoint)
      ? { kinds: facts.kinds, inputTokens: () => units.input ?? 0 }
      : facts;
    const { models, rule } = chooseChain(draft, conditions, {
      client: receipt.client,
      key: receipt.key,
      minuteOfDay: minuteOfDay(new Date(receipt.at - receipt.ms)),
      budgetUsed: () => 0,
    });
    const session = draft.sticky && receipt.session !== undefined ? `${rule}\n${receipt.session}` : null;
    const stayed = session === null ? undefined : stays.get(session);
    const to =
      (stayed === undefined ? null : this.#findFirst([stayed], draft.order, receipt, facts)) ??
      this.#findFirst(models, draft.order, receipt, facts);
    if (to === null) return;
    if (session !== null) stays.set(session, to.id);
    const from = this.#deps.resolveModel.findServed(receipt.model)?.id ?? receipt.model;
    if (to.id === from) return;
    const id = `${from}\n${to.id}\n${rule}`;
    const known = moved.get(id) ?? { from, to: to.id, rule, requests: 0, nano: 0, would_be_nano: 0 };
    moved.set(id, {
      ...known,
      requests: known.requests + 1,
      nano: sum(known.nano, receipt.nano),
      would_be_nano: sum(known.would_be_nano, getCost(to, units)),
    });
  }

  /** Returns the first model that would be tried; null if none can take the request. */
  #findFirst(models: readonly string[], order: Route["order"], receipt: Receipt, facts: Facts): ServedModel | null {
    const whole = this.#firstThatTakes(models, order, receipt, facts);
    if (whole !== null || !this.#deps.mediaInWords.on || !facts.needs.some(isMedium)) return whole;
    const needs = facts.needs.filter((need) => !isMedium(need));
    return this.#firstThatTakes(models, order, receipt, { ...facts, needs });
  }

  #firstThatTakes(
    models: readonly string[],
    order: Route["order"],
    receipt: Receipt,
    facts: Facts,
  ): ServedModel | null {
    const { resolveModel, routeMemory } = this.#deps;
    const capability = CAPABILITIES[receipt.endpoint];
    if (capability === undefined) return null;
    let best: ServedModel | null = null;
    let least = Infinity;
    for (const id of models) {
      const served = resolveModel.findServed(id);
      const able = served === undefined ? null : resolveModel.able(served, capability);
      if (able === null || !takes(able, facts)) continue;
      if (order === "listed") return able;
      const figure =
        order === "fastest"
          ? routeMemory.pace(able.id, receipt.stream)
          : (getCost(able, facts.units) ?? getUnpricedCost(able.candidates[0]));
      if (best !== null && figure >= least) continue;
      best = able;
      least = figure;
    }
    return best;
  }
}

/** Counts so far, and the model that each session stays at. */
interface Replay {
  readonly draft: Draft;
  readonly moved: Map<string, Moved>;
  readonly stays: Map<string, string>;
}

interface Facts extends Pick<RequestFacts, "kinds" | "needs" | "inputTokens" | "outputTokens"> {
  readonly units: Units;
}

/** Returns the facts of a request that its receipt records. */
function getFacts({ kinds = [], endpoint }: Receipt, units: Units): Facts {
  return {
    // Receipts of earlier versions lack this fact.
    kinds: endpoint === "embeddings" && !kinds.includes("embeddings") ? [...kinds, "embeddings"] : kinds,
    needs: NEEDS.filter((need) => kinds.some((kind) => kind === need)),
    inputTokens: CONVERSATIONS.has(endpoint) ? () => inputTokens(units) : NO_FACTS.inputTokens,
    outputTokens: null,
    units,
  };
}

function takes(servedModel: ServedModel, facts: Facts): boolean {
  return lacks(getFit(servedModel), facts, Infinity) === null;
}

/** Returns the billed units without the fee for a request, which belongs to the price. */
function getUnits({ terms }: Receipt): Units {
  const units: Units = {};
  for (const { unit, quantity } of terms) if (unit !== "request") units[unit] = (units[unit] ?? 0) + quantity;
  return units;
}

/** Nano USD of the same units at another model; null where no price of it is known for them. */
function getCost({ candidates: [first] }: ServedModel, units: Units): number | null {
  const price = first?.price ?? null;
  // Prices by size or quality cannot be computed from units.
  if (price === null || price.variants !== undefined) return null;
  return priceUnits(withoutCache(units, price), price).nano;
}

/** Counts cache writes with a price of their own as plain input for a provider that does not sell them. */
function withoutCache(units: Units, { tiers: [tier] }: Price): Units {
  const { cache_write: short = 0, cache_write_1h: long = 0, ...others } = units;
  const rates = tier?.rates ?? {};
  if (short + long === 0) return units;
  if (rates.cache_write === undefined) return { ...others, input: (units.input ?? 0) + short + long };
  return rates.cache_write_1h === undefined ? { ...others, cache_write: short + long } : units;
}

const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);
