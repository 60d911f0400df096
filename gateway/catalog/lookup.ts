import type { ModelSpec } from "../core/models/model.ts";
import { anthropicModels } from "./anthropic.ts";
import { arkModels } from "./ark.ts";
import { dashscopeModels } from "./dashscope.ts";
import { embeddingModels } from "./embeddings.ts";
import { googleModels } from "./google.ts";
import { imageModels } from "./images.ts";
import { openaiEarlierModels } from "./openai-earlier.ts";
import { openaiModels } from "./openai.ts";
import { otherModels } from "./others.ts";
import { speechModels } from "./speech.ts";
import { videoModels } from "./videos.ts";
import { xaiModels } from "./xai.ts";

const MODELS: readonly ModelSpec[] = [
  ...openaiModels,
  ...openaiEarlierModels,
  ...anthropicModels,
  ...googleModels,
  ...xaiModels,
  ...dashscopeModels,
  ...arkModels,
  ...otherModels,
  ...embeddingModels,
  ...speechModels,
  ...imageModels,
  ...videoModels,
];

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

/** Every model of the catalog, the most wanted first. */
export function allModels(): readonly ModelSpec[] {
  return MODELS;
}

/**
 * The model that an id means: its public id, an alias, its provider's own id, or a dated snapshot of one of these, which
 * has the limits and the price of its model unless the catalog lists it by itself.
 */
export function findModel(id: string): ModelSpec | undefined {
  const names = byName();
  return names.get(id) ?? names.get(id.replace(SNAPSHOT, ""));
}
