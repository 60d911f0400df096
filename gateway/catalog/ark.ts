import type { Capability, ModelSpec, Reasoning } from "../core/model.ts";
import { entries } from "./entry.ts";

/**
 * Volcengine Ark and BytePlus ModelArk: Doubao chat, Seedance video, Seedream images. Ark sells in CNY by prompt size;
 * no official USD price list was found (upstreams reference, appendix B): unpriced.
 */

const THINKS: Reasoning = { efforts: [], dropsSampling: false };

const chat = (id: string, name: string, released: string) =>
  ({ id, name, released, context: 262_144, output: null, reasoning: THINKS, price: null }) as const;
const media = (capability: Capability, id: string, name: string, released: string, aliases: readonly string[] = []) =>
  ({ id, name, released, context: null, output: null, capabilities: [capability], aliases, price: null }) as const;

export const arkModels: readonly ModelSpec[] = entries("ark", [
  chat("doubao-seed-2-1-pro", "Doubao Seed 2.1 Pro", "2026-06-23"),
  chat("doubao-seed-2-0-pro", "Doubao Seed 2.0 Pro", "2026-02-15"),
  chat("doubao-seed-2-0-lite", "Doubao Seed 2.0 Lite", "2026-02-15"),
  chat("doubao-seed-2-0-mini", "Doubao Seed 2.0 Mini", "2026-02-15"),
  chat("doubao-seed-2-0-code", "Doubao Seed 2.0 Code", "2026-02-15"),
  chat("doubao-seed-1-8", "Doubao Seed 1.8", "2025-12-28"),
  chat("doubao-seed-1-6", "Doubao Seed 1.6", "2025-06-15"),
  chat("doubao-seed-1-6-flash", "Doubao Seed 1.6 Flash", "2025-06-15"),
  media("video", "doubao-seedance-2-5-260628", "Seedance 2.5", "2026-06-28"),
  media("video", "doubao-seedance-2-0-260128", "Seedance 2.0", "2026-01-28", ["dreamina-seedance-2-0-260128"]),
  media("video", "doubao-seedance-2-0-fast-260128", "Seedance 2.0 Fast", "2026-01-28", [
    "dreamina-seedance-2-0-fast-260128",
  ]),
  media("video", "doubao-seedance-2-0-mini", "Seedance 2.0 Mini", "2026-06-15", ["dreamina-seedance-2-0-mini-260615"]),
  media("video", "doubao-seedance-1-5-pro-251215", "Seedance 1.5 Pro", "2025-12-15", ["seedance-1-5-pro-251215"]),
  media("video", "doubao-seedance-1-0-pro-250528", "Seedance 1.0 Pro", "2025-05-28", ["seedance-1-0-pro-250528"]),
  media("video", "doubao-seedance-1-0-pro-fast-251015", "Seedance 1.0 Pro Fast", "2025-10-15", [
    "seedance-1-0-pro-fast-251015",
  ]),
  media("video", "doubao-seedance-1-0-lite-t2v-250428", "Seedance 1.0 Lite text to video", "2025-04-28"),
  media("video", "doubao-seedance-1-0-lite-i2v-250428", "Seedance 1.0 Lite image to video", "2025-04-28"),
  media("image", "doubao-seedream-5-0-260128", "Seedream 5.0", "2026-01-28", ["seedream-5-0-260128"]),
  media("image", "doubao-seedream-4-5-251128", "Seedream 4.5", "2025-11-28", ["seedream-4-5-251128"]),
  media("image", "doubao-seedream-4-0-250828", "Seedream 4.0", "2025-08-28", ["seedream-4-0-250828"]),
  media("image", "doubao-seedream-3-0-t2i-250415", "Seedream 3.0", "2025-04-15"),
]);
