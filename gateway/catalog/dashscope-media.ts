import type { ModelSpec } from "../core/model.ts";
import { entries, usdPerMillion } from "./entry.ts";
import { DASHSCOPE_EMBEDDING, DASHSCOPE_SPEECH } from "./sources.ts";

/**
 * DashScope's other models: the specification's alpha (Wan), beta (HappyHorse) and gamma (Qwen) families by their
 * neutral names (upstreams reference 0). No official USD price of the image and video models was found: unpriced.
 */

const video = (id: string, upstreamId: string, name: string, released: string) =>
  ({ id, upstreamId, name, released, context: null, output: null, capabilities: ["video"], price: null }) as const;
const image = (id: string, upstreamId: string, name: string, released: string) =>
  ({ id, upstreamId, name, released, context: null, output: null, capabilities: ["image"], price: null }) as const;

export const dashscopeMediaModels: readonly ModelSpec[] = entries("dashscope", [
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
  image("gamma-image-2.0", "qwen-image-2.0", "Gamma Image 2.0", "2026-02-10"),
  image("gamma-image-2.0-pro", "qwen-image-2.0-pro", "Gamma Image 2.0 Pro", "2026-02-10"),
  image("gamma-image-max", "qwen-image-max", "Gamma Image Max", "2025-12-31"),
  image("gamma-image-edit", "qwen-image-edit", "Gamma Image Edit", "2025-08-19"),
  image("gamma-image-edit-plus", "qwen-image-edit-plus", "Gamma Image Edit Plus", "2025-09-22"),
  image("gamma-image-edit-max", "qwen-image-edit-max", "Gamma Image Edit Max", "2025-12-31"),
  {
    id: "gamma3-tts-flash",
    upstreamId: "qwen3-tts-flash",
    name: "Gamma 3 TTS Flash",
    released: "2025-09-23",
    context: null,
    output: null,
    capabilities: ["speech"],
    price: usdPerMillion(DASHSCOPE_SPEECH, { character: 10 }),
  },
  {
    id: "gamma3-tts-instruct-flash",
    upstreamId: "qwen3-tts-instruct-flash",
    name: "Gamma 3 TTS Instruct Flash",
    released: "2026-01-22",
    context: null,
    output: null,
    capabilities: ["speech"],
    price: usdPerMillion(DASHSCOPE_SPEECH, { character: 11.5 }),
  },
  {
    id: "text-embedding-v4",
    name: "Text Embedding v4",
    released: "2025-06-05",
    context: 8_192,
    output: null,
    capabilities: ["embedding"],
    price: usdPerMillion(DASHSCOPE_EMBEDDING, { input: 0.07 }),
  },
]);
