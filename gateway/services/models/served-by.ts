import { allModels, findModel } from "../../catalog/lookup.ts";
import type { DiscoveredModel, ListedPrice } from "../../core/models/discovered-model.ts";
import { getSlug } from "../../core/models/model-id.ts";
import { KINDS } from "../../core/models/capability.ts";
import type { Abilities, Capability, ModelSpec } from "../../core/models/model.ts";
import { servesOwner } from "../../providers/profile.ts";
import { providers } from "../../providers/registry.ts";
import type { Provider } from "../../providers/provider.ts";
import type { Connection } from "../connections/connection.ts";

/** A model as a connection has it. */
export interface Served {
  /** Id as the connection spells it; prefixed with its name if the model would be taken for another's. */
  readonly id: string;
  /** Id in the connection's own list; missing: the same. */
  readonly listedId?: string;
  readonly spec: ModelSpec | undefined;
  readonly discovered: DiscoveredModel | null;
  /** Price by the provider's own list; null if it has none. */
  readonly listed: ListedPrice | null;
  /** Abilities of a catalog model by the provider's own list; absent if unknown. */
  readonly abilities?: Abilities | undefined;
  /** End date by the provider's own list; absent if none is announced. */
  readonly ends?: string | undefined;
  /** Endpoints that the user declared; absent if none. */
  readonly kinds?: readonly Capability[] | undefined;
}

/**
 * Lists what a connection serves: a provider its catalog models and its list's additions, a compatible server its list.
 */
export function listServed(connection: Connection): readonly Served[] {
  const { provider } = connection;
  if (connection.from === "sandbox")
    return allModels()
      .filter((spec) => getProvider(spec) === provider)
      .map((spec) => fromCatalog(spec));
  const discovered = (connection.discovered ?? []).map((model) => ({
    id: model.id,
    spec: getSpec(model.id),
    discovered: model,
    listed: model.price ?? null,
  }));
  return addOwnModels(provider.owners.length === 0 ? discovered : listOwned(connection, discovered), connection);
}

function listOwned({ provider }: Connection, discovered: readonly Served[]): readonly Served[] {
  const listed = new Map(discovered.map((model) => [model.spec, model.discovered]));
  const owners = new Set(provider.owners.map(({ id }) => id));
  const own = allModels().filter((spec) => owners.has(spec.owner));
  const known = new Set(own.flatMap((spec) => [spec.id, spec.upstreamId ?? spec.id, ...spec.aliases]));
  const whole = own.some((spec) => listed.has(spec)) ? (provider.models?.whole ?? []) : [];
  const offered = own.filter(
    (spec) => listed.has(spec) || (spec.retired === undefined && !spec.capabilities.some((one) => whole.includes(one))),
  );
  return [
    ...offered.map((spec) => fromCatalog(spec, listed.get(spec) ?? undefined)),
    ...discovered.filter((model) => !known.has(model.id)),
  ];
}

/** Applies the user's declarations to the models, then adds models that only the user declared. */
function addOwnModels(served: readonly Served[], connection: Connection): readonly Served[] {
  const { ownModels, provider, standsIn } = connection;
  const rest = new Map(ownModels.map((model) => [model.id.toLowerCase(), model]));
  const known = served.map((model): Served => {
    const own = rest.get(model.id.toLowerCase());
    rest.delete(model.id.toLowerCase());
    return own?.kind === undefined ? model : { ...model, kinds: KINDS[own.kind] };
  });
  const added = [...rest.values()].map(({ id, kind }): Served => {
    const spec = getSpec(id);
    const model = spec !== undefined && servesOwner(provider, spec.owner) ? fromCatalog(spec) : { id, spec };
    return { discovered: null, listed: null, ...model, ...(kind !== undefined && { kinds: KINDS[kind] }) };
  });
  const all = [...known, ...added];
  return provider.owners.length === 0 && !standsIn ? all.map((model) => underOwnName(model, connection)) : all;
}

/**
 * A catalog name means the owner's model. Another server's model of that name is served as `ollama/gpt-5.4`; its
 * identity at a local server is unknown.
 */
function underOwnName(model: Served, { name, from }: Connection): Served {
  const { id } = model;
  const isClaimed = [id, id.replace(/:[^:/]*$/, "")].some((each) => getSpec(each.toLowerCase()) !== undefined);
  const spec = from === "local" ? undefined : model.spec;
  return isClaimed ? { ...model, id: `${getSlug(name)}/${id}`, listedId: id, spec } : model;
}

/** Catalog models that a provider has shut down or does not list: they are still called if requested by name. */
export function listUnlisted(connection: Connection): readonly Served[] {
  if (connection.from === "sandbox") return [];
  const listed = new Set(listServed(connection).map(({ spec }) => spec));
  const owners = new Set(connection.provider.owners.map(({ id }) => id));
  return allModels()
    .filter((spec) => owners.has(spec.owner) && !listed.has(spec))
    .map((spec) => fromCatalog(spec));
}

/** Providers' other names of models of the catalog. */
export function* getOtherNames(served: Iterable<Pick<Served, "id" | "spec">>): Generator<string> {
  for (const { id, spec } of served) {
    if (spec?.id !== id) continue;
    yield* spec.aliases;
    if (spec.upstreamId !== undefined) yield spec.upstreamId;
  }
}

/** @param listed the same model in its provider's own list */
function fromCatalog(spec: ModelSpec, listed?: DiscoveredModel): Served {
  return {
    id: spec.id,
    spec,
    discovered: null,
    listed: listed?.price ?? null,
    abilities: listed?.abilities,
    ends: listed?.ends,
  };
}

/** Providers by the owners of their models, the first one of each: a start asks two thousand times. */
const byOwner: ReadonlyMap<string, Provider> = new Map(
  Object.values(providers)
    .toReversed()
    .flatMap((provider) => provider.owners.map(({ id }) => [id, provider])),
);

/** Returns the protocol of a catalog model's owner. */
export const getProvider = ({ owner }: ModelSpec): Provider => byOwner.get(owner) ?? providers["openai-compatible"];

/** Whether the connection is to the model's owner, who knows it by its upstream id. */
export function owns({ provider }: Connection, { spec }: Served): boolean {
  return spec !== undefined && servesOwner(provider, spec.owner);
}

/** Owners as Amazon Bedrock writes them: `anthropic.claude-haiku-4-5`. */
const DOTTED_OWNER = /^(?:anthropic|openai|xai|google)\./;

/** Finds the catalog entry of an id, with or without its owner's name in front. */
export function getSpec(id: string): ModelSpec | undefined {
  const bare = id.slice(id.lastIndexOf("/") + 1).replace(DOTTED_OWNER, "");
  return findModel(id) ?? (bare === id ? undefined : findModel(bare));
}
