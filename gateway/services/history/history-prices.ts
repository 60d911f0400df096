import { hasEnded } from "../../catalog/endings.ts";
import { allModels } from "../../catalog/lookup.ts";
import { OWNERS } from "../../catalog/owners.ts";
import { earlierModel } from "../../core/history/earlier-models.ts";
import type { ModelSpec, Price } from "../../core/models/model.ts";
import { utcDay } from "../../lib/clock.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import type { ModelIndex } from "../models/model-index.ts";
import { ownPrice } from "../models/own-names.ts";
import { priceAtSeller } from "../models/price-at.ts";
import type { PriceList } from "../models/price-list.ts";
import { getSpec } from "../models/served-by.ts";

export interface HistoryPricesDeps {
  readonly store: Pick<Store, "document">;
  readonly index: Pick<ModelIndex, "findId" | "list" | "getTarget">;
  readonly clock: Pick<Clock, "now">;
  /** The price list that the owner has accepted; null without one. */
  readonly accepted: () => PriceList | null;
}

/** `us.anthropic.claude-opus-4-6-v1:0`, `claude-opus-4-6@20260205`, `claude-opus-4-6[1m]`: sellers' names of Claude. */
const CLAUDE = /(?:^|[./])(claude-[a-z0-9.-]*?[a-z0-9])(?:-v\d+(?::\d+)?)?(?:@[a-z0-9]+)?(?:\[[^\]]*\])?$/;

/** Prices the usage of models in logs, and of models that could replace them. */
export class HistoryPrices {
  readonly #deps: HistoryPricesDeps;

  constructor(deps: HistoryPricesDeps) {
    this.#deps = deps;
  }

  /** Returns the catalog's entry for a name in a log. */
  spec(model: string): ModelSpec | null {
    return getSpec(model) ?? getSpec(plainName(model)) ?? null;
  }

  /** Returns the owner and id of the model with this name; null if unknown. */
  identity(model: string): Pick<ModelSpec, "owner" | "id"> | null {
    return this.spec(model) ?? earlierModel(plainName(model)) ?? null;
  }

  /** Returns the id that receipts have for the model with this name; the name itself if it is unknown. */
  getId(model: string): string {
    const id = this.#deps.index.getTarget(model) ?? model;
    return this.identity(id)?.id ?? id;
  }

  /** Whether anything is known by this name: in the catalog, at a connection, or by the owner's word. */
  knows(model: string): boolean {
    const { index, store } = this.#deps;
    const id = index.getTarget(model) ?? model;
    return this.identity(id) !== null || index.findId(id) !== undefined || store.document.prices.has(id);
  }

  /**
   * Returns the owner's own price of a model; else the price at the model owner's API, by an accepted price list or the
   * catalog; else the price that a connection states or that calls were charged. Null if unknown.
   */
  price(model: string): Price | null {
    const { store, index, accepted } = this.#deps;
    const id = index.getTarget(model) ?? model;
    const spec = this.spec(id);
    const own = store.document.prices.get(id) ?? (spec === null ? undefined : store.document.prices.get(spec.id));
    if (own !== undefined) return ownPrice(own);
    const home = spec === null ? undefined : OWNERS.get(spec.owner)?.hosts[0];
    if (spec !== null && home !== undefined) {
      const price = priceAtSeller({ id: spec.id, spec }, home, accepted());
      if (price !== null) return price;
    }
    return index.findId(id)?.candidates[0]?.price ?? spec?.price ?? earlierModel(plainName(id))?.price ?? null;
  }

  /** Models of conversation with a price, as people may name them. */
  names(): string[] {
    const today = utcDay(this.#deps.clock.now());
    const ofCatalog = allModels().filter(
      (spec) => spec.capabilities.includes("chat") && spec.price !== null && !hasEnded(spec, today),
    );
    const served = this.#deps.index
      .list()
      .filter(({ capabilities, candidates: [first] }) => capabilities.includes("chat") && first?.price !== null);
    return [...new Set([...ofCatalog, ...served].map(({ id }) => id))];
  }

  /** Returns the context length of a model in tokens; null if unknown. */
  contextLength(model: string): number | null {
    const id = this.#deps.index.getTarget(model) ?? model;
    const served = this.#deps.index.findId(id);
    return served?.discovered?.context_length ?? this.spec(id)?.contextLength ?? null;
  }
}

/** Returns the model's bare name, without a reseller's prefix or suffix. */
function plainName(model: string): string {
  const low = model.toLowerCase();
  return CLAUDE.exec(low)?.[1] ?? low.slice(low.lastIndexOf("/") + 1);
}
