import { entries, usdPerMillion } from "../../core/models/catalog-entry.ts";
import type { PriceSource } from "../../core/models/catalog-entry.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { chatModels } from "./chat-models.ts";
import { imageModels } from "./image-models.ts";
import { speechModels } from "./speech-models.ts";
import { videoModels } from "./video-models.ts";

/** What a reseller of the Singapore region takes, which is the provider's own list price. */
const DASHSCOPE_EMBEDDING: PriceSource = {
  source: "empiriolabs, reseller of the Singapore region",
  as_of: "2026-08-06",
};

export const catalog: readonly ModelSpec[] = entries("dashscope", [
  ...chatModels,
  {
    id: "text-embedding-v4",
    name: "Text Embedding v4",
    released: "2025-06-05",
    context: 8_192,
    output: null,
    capabilities: ["embedding"],
    embedding: { dimensions: { oneOf: [2_048, 1_536, 1_024, 768, 512, 256, 128, 64] }, standard: 1_024 },
    price: usdPerMillion(DASHSCOPE_EMBEDDING, { input: 0.07 }),
  },
  ...speechModels,
  ...imageModels,
  ...videoModels,
]);
