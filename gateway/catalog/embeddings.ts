import type { EmbeddingRules } from "../core/embeddings/embedding-rules.ts";
import type { ModelSpec } from "../core/models/model.ts";
import { entries, usdPerMillion } from "./entry.ts";
import type { UsdRates } from "./entry.ts";
import { DASHSCOPE_EMBEDDING, GENAI_PRICES, LITELLM } from "./sources.ts";

/**
 * Embedding models: OpenAI's, DashScope's, and the specification's zeta (Gemini) and eta (Voyage) families. Accepted
 * dimensions: docs/providers/openai.md#embeddings, docs/providers/dashscope.md#embeddings,
 * docs/providers/gemini.md#embeddings, docs/providers/voyage.md#embeddings; docs/specification.md#post-v1embeddings for
 * text-embedding-v4 and eta.
 */

const EMBEDDING = { output: null, capabilities: ["embedding"] } as const;
const upTo = (most: number): EmbeddingRules => ({ dimensions: { least: 1, most }, standard: most });
/** Vectors of gemini-embedding-001 below 3072 are not of unit length; they are passed on as they come. */
const GEMINI: EmbeddingRules = { dimensions: { least: 128, most: 3_072 }, standard: 3_072 };
const VOYAGE = {
  ...EMBEDDING,
  embedding: { dimensions: { oneOf: [256, 512, 1_024, 2_048] }, standard: 1_024 },
  context: 32_000,
  released: "2026-01-15",
} as const;
const price = (rates: UsdRates) => usdPerMillion(GENAI_PRICES, rates);

export const embeddingModels: readonly ModelSpec[] = [
  ...entries("openai", [
    {
      id: "text-embedding-3-small",
      name: "Text Embedding 3 small",
      released: "2024-01-25",
      context: 8_192,
      ...EMBEDDING,
      embedding: upTo(1_536),
      price: usdPerMillion(GENAI_PRICES, { input: 0.02 }),
    },
    {
      id: "text-embedding-3-large",
      name: "Text Embedding 3 large",
      released: "2024-01-25",
      context: 8_192,
      ...EMBEDDING,
      embedding: upTo(3_072),
      price: usdPerMillion(GENAI_PRICES, { input: 0.13 }),
    },
    {
      id: "text-embedding-ada-002",
      name: "Text Embedding Ada 002",
      released: "2022-12-15",
      context: 8_192,
      ...EMBEDDING,
      embedding: { dimensions: "fixed", standard: 1_536 },
      price: usdPerMillion(GENAI_PRICES, { input: 0.1 }),
    },
  ]),
  ...entries("dashscope", [
    {
      id: "text-embedding-v4",
      name: "Text Embedding v4",
      released: "2025-06-05",
      context: 8_192,
      ...EMBEDDING,
      embedding: { dimensions: { oneOf: [2_048, 1_536, 1_024, 768, 512, 256, 128, 64] }, standard: 1_024 },
      price: usdPerMillion(DASHSCOPE_EMBEDDING, { input: 0.07 }),
    },
  ]),
  ...entries("google", [
    {
      id: "zeta-embedding-001",
      name: "Zeta Embedding 001",
      released: "2025-07-14",
      context: 2_048,
      ...EMBEDDING,
      embedding: GEMINI,
      upstreamId: "gemini-embedding-001",
      price: price({ input: 0.15 }),
    },
    {
      id: "zeta-embedding-2-preview",
      name: "Zeta Embedding 2 (preview)",
      released: "2026-03-10",
      context: 8_192,
      ...EMBEDDING,
      // A guess for what is accepted: its default is documented, its bounds are taken to be those of its predecessor.
      embedding: GEMINI,
      upstreamId: "gemini-embedding-2-preview",
      aliases: ["gemini-embedding-2"],
      price: price({ input: 0.2 }),
    },
    // Named by the specification, so that asking for it is answered in words (docs/providers/gemini.md#embeddings).
    {
      id: "text-embedding-004",
      name: "Text Embedding 004",
      released: "2024-05-14",
      context: 2_048,
      ...EMBEDDING,
      embedding: upTo(768),
      retired: { on: "2026-01-14", successor: "zeta-embedding-001" },
      price: usdPerMillion(LITELLM, { input: 0.1 }),
    },
  ]),
  ...entries("voyage", [
    { id: "eta-4-large", upstreamId: "voyage-4-large", name: "Eta 4 Large", ...VOYAGE, price: price({ input: 0.12 }) },
    { id: "eta-4", upstreamId: "voyage-4", name: "Eta 4", ...VOYAGE, price: price({ input: 0.06 }) },
    { id: "eta-4-lite", upstreamId: "voyage-4-lite", name: "Eta 4 Lite", ...VOYAGE, price: price({ input: 0.02 }) },
  ]),
];
