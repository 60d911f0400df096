import type { ModelSpec } from "../core/model.ts";
import { entries } from "./entry.ts";

/**
 * Video models: the specification's alpha (Wan) and beta (HappyHorse) families, Seedance and Grok Imagine. No official
 * USD price of the alpha, beta and Seedance families was found: unpriced.
 */

const video = (id: string, upstreamId: string, name: string, released: string) =>
  ({ id, upstreamId, name, released, context: null, output: null, capabilities: ["video"], price: null }) as const;
const seedance = (id: string, name: string, released: string, aliases: readonly string[] = []) =>
  ({ id, name, released, context: null, output: null, capabilities: ["video"], aliases, price: null }) as const;

export const videoModels: readonly ModelSpec[] = [
  ...entries("dashscope", [
    video("alpha2.7-t2v", "wan2.7-t2v", "Alpha 2.7 text to video", "2026-04-25"),
    video("alpha2.7-t2v-2026-04-25", "wan2.7-t2v-2026-04-25", "Alpha 2.7 text to video (2026-04-25)", "2026-04-25"),
    video("alpha2.7-i2v", "wan2.7-i2v", "Alpha 2.7 image to video", "2026-04-25"),
    video("alpha2.7-i2v-2026-04-25", "wan2.7-i2v-2026-04-25", "Alpha 2.7 image to video (2026-04-25)", "2026-04-25"),
    video("alpha2.7-r2v", "wan2.7-r2v", "Alpha 2.7 reference to video", "2026-04-25"),
    video("alpha2.6-t2v", "wan2.6-t2v", "Alpha 2.6 text to video", "2025-12-16"),
    video("alpha2.6-i2v", "wan2.6-i2v", "Alpha 2.6 image to video", "2025-12-16"),
    video("alpha2.6-i2v-flash", "wan2.6-i2v-flash", "Alpha 2.6 image to video, fast", "2026-01-15"),
    video("alpha2.6-r2v", "wan2.6-r2v", "Alpha 2.6 reference to video", "2025-12-16"),
    video("alpha2.6-r2v-flash", "wan2.6-r2v-flash", "Alpha 2.6 reference to video, fast", "2026-01-15"),
    video("alpha2.5-t2v-preview", "wan2.5-t2v-preview", "Alpha 2.5 text to video (preview)", "2025-09-23"),
    video("alpha2.5-i2v-preview", "wan2.5-i2v-preview", "Alpha 2.5 image to video (preview)", "2025-09-23"),
    video("beta-1.0-t2v", "happyhorse-1.0-t2v", "Beta 1.0 text to video", "2026-04-27"),
    video("beta-1.0-i2v", "happyhorse-1.0-i2v", "Beta 1.0 image to video", "2026-04-27"),
    video("beta-1.0-r2v", "happyhorse-1.0-r2v", "Beta 1.0 reference to video", "2026-04-27"),
    video("beta-1.0-video-edit", "happyhorse-1.0-video-edit", "Beta 1.0 video edit", "2026-04-27"),
  ]),
  ...entries("ark", [
    seedance("doubao-seedance-2-5-260628", "Seedance 2.5", "2026-06-28"),
    seedance("doubao-seedance-2-0-260128", "Seedance 2.0", "2026-01-28", ["dreamina-seedance-2-0-260128"]),
    seedance("doubao-seedance-2-0-fast-260128", "Seedance 2.0 Fast", "2026-01-28", [
      "dreamina-seedance-2-0-fast-260128",
    ]),
    seedance("doubao-seedance-2-0-mini", "Seedance 2.0 Mini", "2026-06-15", ["dreamina-seedance-2-0-mini-260615"]),
    seedance("doubao-seedance-1-5-pro-251215", "Seedance 1.5 Pro", "2025-12-15", ["seedance-1-5-pro-251215"]),
    seedance("doubao-seedance-1-0-pro-250528", "Seedance 1.0 Pro", "2025-05-28", ["seedance-1-0-pro-250528"]),
    seedance("doubao-seedance-1-0-pro-fast-251015", "Seedance 1.0 Pro Fast", "2025-10-15", [
      "seedance-1-0-pro-fast-251015",
    ]),
    seedance("doubao-seedance-1-0-lite-t2v-250428", "Seedance 1.0 Lite text to video", "2025-04-28"),
    seedance("doubao-seedance-1-0-lite-i2v-250428", "Seedance 1.0 Lite image to video", "2025-04-28"),
  ]),
  ...entries("xai", [
    {
      id: "grok-imagine-video",
      name: "Grok Imagine Video",
      released: "2026-01-28",
      context: null,
      output: null,
      capabilities: ["video"],
      price: null,
    },
  ]),
];
