import { findModel } from "../../catalog/lookup.ts";
import type { ServedModel } from "./served-model.ts";

/** Fields of a model that naming rules need. */
export type KnownModel = Pick<ServedModel, "id" | "spelling" | "capabilities">;

/** Which models there are, as `ModelIndex` says it. */
export interface KnownModels {
  find(name: string): KnownModel | undefined;
  findId(id: string): KnownModel | undefined;
  getTarget(name: string): string | undefined;
}

/**
 * The public id of a model by one of the names that it has by itself, served or not; the name itself where no one knows
 * it. The owner's own names are not looked at.
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
