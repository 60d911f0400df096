import { guessCapabilities, withMessages } from "../../core/models/capability.ts";
import { isSameId } from "../../core/models/model-id.ts";
import type { DiscoveredModel } from "../../core/models/discovered-model.ts";
import type { Abilities, Capability, ModelSpec, Price } from "../../core/models/model.ts";
import { servesOwner } from "../../providers/profile.ts";
import { canDo } from "../../providers/abilities.ts";
import type { Connection } from "../connections/connection.ts";
import { getOtherNames, owns, listServed } from "./served-by.ts";
import type { Served } from "./served-by.ts";

/** A connection that serves a model. */
export interface Candidate {
  readonly connection: Connection;
  /** This connection's id of the model. */
  readonly upstreamModel: string;
  /** Null: unpriced. */
  readonly price: Price | null;
  /** Endpoints declared by the user, the owner or the list; absent if only guessed, so that the server decides. */
  readonly kinds?: readonly Capability[];
  /** Price without the custom one; absent if there is no custom price. */
  readonly listPrice?: Price | null;
}

/** A model that a connection serves. */
export interface ServedModel {
  readonly id: string;
  /** Spelling of the id at its connections; absent if equal to the id. */
  readonly spelling?: string;
  /** Whether it is in no list: found by its name only. */
  readonly unlisted?: true;
  /** Null for models that only a provider's list names. */
  readonly spec: ModelSpec | null;
  readonly discovered: DiscoveredModel | null;
  /** Abilities of a catalog model by its owner's list; absent if unknown. */
  readonly listedAbilities?: Abilities;
  /** End date by its provider's list; absent if none is announced. */
  readonly listedEnd?: string;
  /** Capabilities of the model that its candidates support. */
  readonly capabilities: readonly Capability[];
  /** Candidates in order; at least one. Not all of them have every capability. */
  readonly candidates: readonly Candidate[];
  /** The user's aliases for it; absent without any. */
  readonly aliases?: readonly string[];
}

/** Finds the model with this id in a connection's list, or the only one that the model list shows under it. */
export function listedAs(id: string, list: readonly DiscoveredModel[]): DiscoveredModel | null {
  const [like, ...others] = list.filter((known) => isSameId(known.id, id));
  return list.find((known) => known.id === id) ?? (others.length === 0 ? (like ?? null) : null);
}

/**
 * Adds what a connection serves to the models.
 * @param id id that clients use
 * @param unlisted whether it is in no list
 */
export function addTo(
  models: Map<string, ServedModel>,
  served: Served,
  candidate: Candidate,
  { id, unlisted = false }: { readonly id: string; readonly unlisted?: boolean },
): void {
  const able = candidate.kinds ?? guessKinds(served, candidate.connection);
  if (able.length === 0 && candidate.kinds !== undefined) return;
  const before = models.get(id);
  const listedEnd = served.ends ?? served.discovered?.ends;
  // Neither a local server nor the sandbox takes part in another provider's failover.
  if (before !== undefined && !candidate.connection.standsIn) return;
  if (before === undefined) {
    models.set(id, {
      id,
      ...(id === served.id ? {} : { spelling: served.id }),
      ...(unlisted ? { unlisted: true } : {}),
      spec: served.spec ?? null,
      discovered: served.discovered,
      ...(served.abilities === undefined ? {} : { listedAbilities: served.abilities }),
      ...(listedEnd === undefined ? {} : { listedEnd }),
      capabilities: able,
      candidates: [candidate],
    });
    return;
  }
  models.set(id, {
    ...before,
    capabilities: [...new Set([...before.capabilities, ...able])],
    candidates: [...before.candidates, candidate],
  });
}

/** Reads a model's declared capabilities; undefined if only its name suggests them. */
export function readKinds(served: Served, connection: Connection): readonly Capability[] | undefined {
  const isOwned = owns(connection, served) || connection.from === "sandbox";
  const kinds = served.kinds ?? (isOwned ? served.spec?.capabilities : null) ?? served.discovered?.kinds;
  return kinds === undefined ? undefined : keepAble(kinds, connection);
}

/** Guesses a model's capabilities by its name. */
export function guessKinds({ id, spec }: Served, connection: Connection): readonly Capability[] {
  return keepAble(spec?.capabilities ?? guessCapabilities(id), connection);
}

function keepAble(kinds: readonly Capability[], { provider }: Connection): readonly Capability[] {
  return withMessages(kinds).filter((capability) => canDo(provider, capability));
}

/** Counts the models of a connection as the model list shows them: each once, and only callable ones. */
export function countServed(connection: Connection): number {
  const served = listServed(connection).filter(
    (each) => (readKinds(each, connection) ?? guessKinds(each, connection)).length > 0,
  );
  return new Set(served.map(({ id }) => id)).size;
}

export function getAliases(models: ReadonlyMap<string, ServedModel>): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const { id, spec, spelling } of models.values()) {
    for (const name of getOtherNames(spec === null ? [] : [{ id, spec }])) aliases.set(name, id);
    if (spelling !== undefined) aliases.set(spelling, id);
  }
  return aliases;
}

const NONE: readonly string[] = [];

/** Every name that means this model, the owner's own among them: a key that allows one of them allows it. */
export function getNames({ id, spelling, spec, aliases = NONE }: ServedModel): readonly string[] {
  const own = spelling === undefined ? NONE : [spelling];
  const others =
    spec === null ? NONE : [...spec.aliases, ...(spec.upstreamId === undefined ? NONE : [spec.upstreamId])];
  return [id, ...own, ...others, ...aliases];
}

/**
 * Returns the catalog's model if a candidate is its owner, whose rules then apply; else null, because other servers use
 * its name for their own models.
 */
export function findOwnedSpec({ spec, candidates }: ServedModel): ModelSpec | null {
  return candidates.some(({ connection }) => spec !== null && servesOwner(connection.provider, spec.owner))
    ? spec
    : null;
}

/** Returns the known abilities of a model: its connection's list takes precedence over the catalog. */
export function getAbilities({
  spec,
  discovered,
  listedAbilities,
}: Pick<ServedModel, "spec" | "discovered" | "listedAbilities">): Abilities {
  return { ...spec?.abilities, ...(listedAbilities ?? discovered?.abilities) };
}
