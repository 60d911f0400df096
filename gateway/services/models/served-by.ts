import { allModels, findModel } from "../../catalog/lookup.ts";
import type { DiscoveredModel, ListedPrice } from "../../core/models/discovered-model.ts";
import { slugOf } from "../../core/models/model-id.ts";
import type { Abilities, ModelSpec } from "../../core/models/model.ts";
import { ownsModelsOf } from "../../providers/profile.ts";
import { providers } from "../../providers/registry.ts";
import type { Provider } from "../../providers/provider.ts";
import type { Connection } from "../connections/connection.ts";

/** A model as a connection has it. */
export interface Served {
  /** As the connection spells it; with its name in front where the model would be taken for another's. */
  readonly id: string;
  /** By which the connection knows it; missing: by the same. */
  readonly listedId?: string;
  readonly spec: ModelSpec | undefined;
  readonly discovered: DiscoveredModel | null;
  /** What the provider's own list says that it costs; null where it is silent. */
  readonly listed: ListedPrice | null;
  /** What the provider's own list says that a model of the catalog takes; absent where it is silent. */
  readonly abilities?: Abilities | undefined;
}

/** A provider serves its own models of the catalog and what its list adds; a compatible server what it lists. */
export function servedBy(connection: Connection): readonly Served[] {
  const { provider } = connection;
  if (connection.from === "sandbox")
    return allModels()
      .filter((spec) => providerOf(spec) === provider)
      .map((spec) => fromCatalog(spec));
  const discovered = (connection.discovered ?? []).map((model) => ({
    id: model.id,
    spec: specOf(model.id),
    discovered: model,
    listed: model.price ?? null,
  }));
  if (provider.owners.length === 0 && !connection.standsIn)
    return discovered.map((model) => underOwnName(model, connection));
  if (provider.owners.length === 0) return discovered;
  const listed = new Map(discovered.map((model) => [model.spec, model.discovered]));
  const own = allModels().filter((spec) => ownsModelsOf(provider, spec.owner));
  const known = new Set(own.flatMap((spec) => [spec.id, spec.upstreamId ?? spec.id, ...spec.aliases]));
  return [
    ...own.filter((spec) => !isGone(spec, discovered)).map((spec) => fromCatalog(spec, listed.get(spec))),
    ...discovered.filter((model) => !known.has(model.id)),
  ];
}

/**
 * Anyone who asks for a model of the catalog means its owner's. What another server lists by such a name is served as
 * `ollama/gpt-5.4`; at a found program, no one knows what it is.
 */
function underOwnName(model: Served, { name, from }: Connection): Served {
  const { id } = model;
  const isClaimed = [id, id.replace(/:[^:/]*$/, "")].some((each) => specOf(each.toLowerCase()) !== undefined);
  const spec = from === "local" ? undefined : model.spec;
  return isClaimed ? { ...model, id: `${slugOf(name)}/${id}`, listedId: id, spec } : model;
}

/** What a provider has shut down: in no list, and asked for all the same where it is named, as only its provider can tell. */
export function retiredBy({ provider, from, discovered }: Connection): readonly Served[] {
  if (from === "sandbox") return [];
  const listed = (discovered ?? []).map(({ id }) => ({ spec: specOf(id) }));
  return allModels()
    .filter((spec) => ownsModelsOf(provider, spec.owner) && isGone(spec, listed))
    .map((spec) => fromCatalog(spec));
}

/** A retired model is listed only while the provider's own list still has it. */
function isGone(spec: ModelSpec, discovered: readonly Pick<Served, "spec">[]): boolean {
  return spec.retired !== undefined && !discovered.some((model) => model.spec === spec);
}

/** Providers' other names of models of the catalog. */
export function* otherNamesOf(served: Iterable<Pick<Served, "id" | "spec">>): Generator<string> {
  for (const { id, spec } of served) {
    if (spec?.id !== id) continue;
    yield* spec.aliases;
    if (spec.upstreamId !== undefined) yield spec.upstreamId;
  }
}

/** @param listed the same model in its provider's own list */
function fromCatalog(spec: ModelSpec, listed?: DiscoveredModel): Served {
  return { id: spec.id, spec, discovered: null, listed: listed?.price ?? null, abilities: listed?.abilities };
}

/** The protocol by which a model of the catalog is reached at its owner. */
export function providerOf(spec: ModelSpec): Provider {
  return (
    Object.values(providers).find((provider) => ownsModelsOf(provider, spec.owner)) ?? providers["openai-compatible"]
  );
}

/** Whether the connection is to the model's owner, who knows it by its upstream id. */
export function owns({ provider }: Connection, { spec }: Served): boolean {
  return spec !== undefined && ownsModelsOf(provider, spec.owner);
}

/** What the catalog knows of an id, with or without the name of its owner in front. */
export function specOf(id: string): ModelSpec | undefined {
  return findModel(id) ?? (id.includes("/") ? findModel(id.slice(id.lastIndexOf("/") + 1)) : undefined);
}
