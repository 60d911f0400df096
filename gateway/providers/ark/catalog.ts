import type { ModelSpec, Reasoning } from "../../core/models/model.ts";
import { listEntries } from "../../core/models/catalog-entry.ts";
import type { Entry } from "../../core/models/catalog-entry.ts";
import { videoModels } from "./video-models.ts";
import type { ImageRules } from "../../core/images/image-rules.ts";

/**
 * Seedream (docs/providers/ark.md#images). The least size of 4.0 is unsure there, that of 3.0 unknown: left to the
 * provider.
 */
const SEEDREAM_4: ImageRules = {
  family: "seedream",
  sizes: { kind: "pixels", words: ["1K", "2K", "3K", "4K"], least: 1, most: 16_777_216, ratio: 16 },
  defaultSize: null,
  most: 15,
  qualities: [],
  promptLimit: null,
  references: { least: 0, most: 14 },
  streams: true,
};
const SEEDREAM_4_5: ImageRules = {
  ...SEEDREAM_4,
  sizes: { kind: "pixels", words: ["1K", "2K", "3K", "4K"], least: 3_686_400, most: 16_777_216, ratio: 16 },
};
const SEEDREAM_3: ImageRules = { ...SEEDREAM_4, sizes: { kind: "any" }, references: { least: 0, most: 0 } };

const seedream = (id: string, name: string, released: string, rules: ImageRules, aliases: readonly string[] = []) =>
  ({
    id,
    name,
    released,
    context: null,
    output: null,
    capabilities: ["image"],
    image: rules,
    aliases,
    price: null,
  }) as const;

/** No official USD price was found: unpriced. */
const imageModels: readonly Entry[] = [
  seedream("doubao-seedream-5-0-260128", "Seedream 5.0", "2026-01-28", SEEDREAM_4_5, ["seedream-5-0-260128"]),
  seedream("doubao-seedream-4-5-251128", "Seedream 4.5", "2025-11-28", SEEDREAM_4_5, ["seedream-4-5-251128"]),
  seedream("doubao-seedream-4-0-250828", "Seedream 4.0", "2025-08-28", SEEDREAM_4, ["seedream-4-0-250828"]),
  seedream("doubao-seedream-3-0-t2i-250415", "Seedream 3.0", "2025-04-15", SEEDREAM_3),
];

/**
 * Volcengine Ark and BytePlus ModelArk: the Doubao chat models. Ark sells in CNY by prompt size; no official USD price
 * list was found (docs/providers/ark.md#prices): unpriced.
 */

const THINKS: Reasoning = { efforts: [], dropsSampling: false };

const chat = (id: string, name: string, released: string) =>
  ({ id, name, released, context: 262_144, output: null, reasoning: THINKS, price: null }) as const;

export const catalog: readonly ModelSpec[] = listEntries("ark", [
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
