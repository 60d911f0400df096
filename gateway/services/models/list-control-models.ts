import { findEnding } from "../../catalog/endings.ts";
import type { ModelView, PriceView } from "../../contract/model-view.ts";
import { ENDPOINTS, guessCapabilities, withMessages } from "../../core/models/capability.ts";
import type { Abilities, Capability, ModelSpec, Price } from "../../core/models/model.ts";
import { utcDay } from "../../lib/clock.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import { servesOwner } from "../../providers/profile.ts";
import { providerName } from "../calls/call-record.ts";
import type { Routes } from "../routes/routes.ts";
import { isServed } from "./list-models.ts";
import type { ModelIndex } from "./model-index.ts";
import { getAbilities } from "./served-model.ts";
import type { Candidate, ServedModel } from "./served-model.ts";
import { OWNER, ownPrice } from "./own-names.ts";
import { getSpec, getProvider } from "./served-by.ts";

/** Lists models for the pages: all of them, regardless of keys. */
export class ListControlModels {
  readonly #index: ModelIndex;
  readonly #store: Pick<Store, "document" | "usage">;
  readonly #routes: Pick<Routes, "find">;
  readonly #clock: Pick<Clock, "now">;

  constructor(index: ModelIndex, store: Pick<Store, "document" | "usage">, routes: Pick<Routes, "find">, clock: Clock) {
    this.#index = index;
    this.#store = store;
    this.#routes = routes;
    this.#clock = clock;
  }

  /** Lists the reachable models, then those that only an alias or a custom price names. */
  list(): readonly ModelView[] {
    const servedModels = this.#index.list().filter(isServed);
    const listed = new Set(servedModels.map(({ id }) => id));
    const { aliases, prices } = this.#store.document;
    const named = new Set([...[...aliases.values()].map(({ model }) => model), ...prices.keys()]);
    return [
      ...servedModels.map((servedModel) => this.#describeServed(servedModel)),
      ...[...named].map((id) => this.one(id)).filter(({ id }) => !listed.has(id)),
    ];
  }

  /** Returns one model by its id, served or not. */
  one(id: string): ModelView {
    const servedModel = this.#index.findId(id);
    return servedModel !== undefined && isServed(servedModel)
      ? this.#describeServed(servedModel)
      : this.#describeUnserved(id);
  }

  #describeServed(servedModel: ServedModel): ModelView {
    const { id, spelling, spec, discovered, capabilities, candidates, aliases } = servedModel;
    const first = candidates[0];
    return {
      ...this.#common(id, spec, capabilities, spelling),
      ...getAbilityFields(getAbilities(servedModel)),
      owner: spec?.owner ?? discovered?.owned_by ?? "",
      provider: first === undefined ? "" : providerName(first),
      group: first === undefined ? "" : getGroup(first, spec),
      connections: candidates.map((candidate) => candidate.connection.name),
      context_length: discovered?.context_length ?? spec?.contextLength ?? null,
      max_output: discovered?.max_output ?? spec?.maxOutput ?? null,
      ...priceFields(first?.price ?? null, first?.listPrice),
      ...this.#endingField(servedModel),
      aliases: [...(aliases ?? [])],
      sandbox: first?.connection.from === "sandbox",
      served: true,
    };
  }

  /** A provider's list is authoritative for its models' end dates; the sandbox has none. */
  #endingField({ id, spec, listedEnd, candidates }: ServedModel): Pick<ModelView, "ends"> {
    if (candidates.every(({ connection }) => connection.from === "sandbox")) return {};
    const ending = spec === null ? null : findEnding(spec);
    const on = listedEnd ?? ending?.on;
    if (on === undefined) return {};
    const since = utcDay(this.#clock.now() - 30 * 86_400_000);
    const apps = this.#store.usage.days.countApps(id, { since, until: null });
    return { ends: { on, successor: ending?.successor ?? null, apps } };
  }

  #describeUnserved(id: string): ModelView {
    const { aliases, prices } = this.#store.document;
    const spec = getSpec(id) ?? null;
    const own = prices.get(id);
    return {
      ...this.#common(id, spec, withMessages(spec?.capabilities ?? guessCapabilities(id))),
      ...getAbilityFields(spec?.abilities ?? {}),
      owner: spec?.owner ?? "",
      provider: "",
      group: "",
      connections: [],
      context_length: spec?.contextLength ?? null,
      max_output: spec?.maxOutput ?? null,
      ...priceFields(own === undefined ? null : ownPrice(own), null),
      aliases: [...aliases.values()].filter(({ model }) => model === id).map((alias) => alias.id),
      sandbox: false,
      served: false,
    };
  }

  #common(id: string, spec: ModelSpec | null, capabilities: readonly Capability[], spelling = id) {
    const others = spec === null || spec.id !== id ? [spelling] : [spelling, ...spec.aliases, spec.upstreamId ?? id];
    return {
      id,
      name: spec?.displayName ?? id,
      capabilities: [...capabilities],
      ...(spec !== null && { reasoning: spec.reasoning !== undefined }),
      endpoints: capabilities.flatMap((capability) => ENDPOINTS[capability]),
      other_names: [...new Set(others)].filter((name) => name !== id),
      hidden_by: this.#store.document.aliases.get(id)?.model ?? this.#routes.find(id)?.id ?? null,
    };
  }
}

/** The sandbox serves models of many owners: they are listed under their owner. */
function getGroup({ connection }: Candidate, spec: ModelSpec | null): string {
  if (connection.from === "sandbox" && spec !== null) {
    const provider = getProvider(spec);
    return servesOwner(provider, spec.owner) ? provider.label : spec.owner;
  }
  return connection.provider.id === "openai-compatible" ? connection.name : connection.provider.label;
}

const getAbilityFields = (abilities: Abilities) => (Object.keys(abilities).length === 0 ? {} : { abilities });

/** @param listed price without the custom one; undefined if there is no such price */
function priceFields(price: Price | null, listed: Price | null | undefined) {
  const rates = price?.tiers[0]?.rates;
  return {
    input_nano_per_million: rates?.input ?? null,
    output_nano_per_million: rates?.output ?? null,
    price: priceView(price),
    own_price: price?.source === OWNER,
    list_price: priceView(listed === undefined ? price : listed),
  };
}

function priceView(price: Price | null): PriceView | null {
  if (price === null) return null;
  return {
    tiers: price.tiers.map(({ above, rates }) => ({ above, rates })),
    variants: (price.variants ?? []).map(({ when, rates }) => ({ when, rates })),
    source: price.source,
    as_of: price.as_of,
    ...(price.until === undefined ? {} : { until: price.until }),
    ...(price.factors === undefined ? {} : { factors: price.factors }),
  };
}
