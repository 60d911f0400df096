import type { ModelSpec, Reasoning } from "../../core/models/model.ts";
import { entries } from "../../core/models/catalog-entry.ts";
import { imageModels } from "./image-models.ts";
import { videoModels } from "./video-models.ts";

/**
 * Volcengine Ark and BytePlus ModelArk: the Doubao chat models. Ark sells in CNY by prompt size; no official USD price
 * list was found (docs/providers/ark.md#prices): unpriced.
 */

const THINKS: Reasoning = { efforts: [], dropsSampling: false };

const chat = (id: string, name: string, released: string) =>
  ({ id, name, released, context: 262_144, output: null, reasoning: THINKS, price: null }) as const;

export const catalog: readonly ModelSpec[] = entries("ark", [
  chat("doubao-seed-2-1-pro", "Doubao Seed 2.1 Pro", "2026-06-23"),
  chat("doubao-seed-2-0-pro", "Doubao Seed 2.0 Pro", "2026-02-15"),
  chat("doubao-seed-2-0-lite", "Doubao Seed 2.0 Lite", "2026-02-15"),
  chat("doubao-seed-2-0-mini", "Doubao Seed 2.0 Mini", "2026-02-15"),
  chat("doubao-seed-2-0-code", "Doubao Seed 2.0 Code", "2026-02-15"),
  chat("doubao-seed-1-8", "Doubao Seed 1.8", "2025-12-28"),
  chat("doubao-seed-1-6", "Doubao Seed 1.6", "2025-06-15"),
  chat("doubao-seed-1-6-flash", "Doubao Seed 1.6 Flash", "2025-06-15"),
  ...imageModels,
  ...videoModels,
]);
