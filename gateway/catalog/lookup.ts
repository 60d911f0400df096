import type { Capability, ModelSpec } from "../core/models/model.ts";
import { providers } from "../providers/registry.ts";
import type { Provider } from "../providers/provider.ts";

/** The order in which kinds of models are listed, by the first capability of each. */
const KINDS: readonly Capability[] = ["chat", "embedding", "speech", "image", "video"];
const LISTED: ReadonlySet<Capability | null> = new Set(KINDS);
const byKind = Map.groupBy(
  Object.values<Provider>(providers).flatMap(({ catalog }) => catalog),
  ({ capabilities: [first = null] }) => (LISTED.has(first) ? first : null),
);

const MODELS: readonly ModelSpec[] = [null, ...KINDS].flatMap((kind) => byKind.get(kind) ?? []);

let index: Map<string, ModelSpec> | null = null;

/** Ids first, so that no alias can hide a model. */
function byName(): Map<string, ModelSpec> {
  if (index !== null) return index;
  index = new Map(MODELS.map((model) => [model.id, model]));
  for (const model of MODELS) {
    for (const name of [model.upstreamId, ...model.aliases]) {
      if (name !== undefined && !index.has(name)) index.set(name, model);
    }
  }
  return index;
}

/** `gpt-5.4-2026-03-05`, `claude-haiku-4-5-20251001`, `doubao-seed-1-6-250615`, `claude-sonnet-4-5@20250929`. */
const SNAPSHOT = /(-\d{4}-\d{2}-\d{2}|[-@]\d{8}|-\d{6})$/;

/** Returns all catalog models, the most popular first. */
export function allModels(): readonly ModelSpec[] {
  return MODELS;
}

/**
 * Finds a model by its public id, an alias, its provider's own id, or a dated snapshot of one of these, which has the
 * model's limits and price unless listed separately.
 */
export function findModel(id: string): ModelSpec | undefined {
  const names = byName();
  return names.get(id) ?? names.get(id.replace(SNAPSHOT, ""));
}
