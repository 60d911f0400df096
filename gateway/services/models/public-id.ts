import { findModel } from "../../catalog/lookup.ts";
import type { ServedModel } from "./served-model.ts";

/** Fields of a model that naming rules need. */
export type KnownModel = Pick<ServedModel, "id" | "spelling" | "capabilities">;

/** Lookup of known models, implemented by `ModelIndex`. */
export interface KnownModels {
  find(name: string): KnownModel | undefined;
  findId(id: string): KnownModel | undefined;
  getTarget(name: string): string | undefined;
}

/**
 * Returns a model's public id for one of its own names, served or not; the name itself if it is unknown. Aliases are
 * ignored.
 */
export function getPublicId(index: Pick<KnownModels, "findId">, name: string): string {
  const served = index.findId(name);
  if (served !== undefined) return served.id;
  const spec = findModel(name);
  return spec !== undefined && [...spec.aliases, spec.upstreamId].includes(name) ? spec.id : name;
}

/** Whether a model has this name by itself, served or not. */
export function isModelName(index: Pick<KnownModels, "findId">, name: string): boolean {
  return index.findId(name) !== undefined || findModel(name) !== undefined;
}
