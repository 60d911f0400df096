import { listEntries, usdPerMillion } from "../../core/models/catalog-entry.ts";
import type { UsdRates } from "../../core/models/catalog-entry.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { GENAI_PRICES } from "../../core/models/price-sources.ts";

/** The specification's eta family. Accepted dimensions: its table, and docs/providers/voyage.md. */

const VOYAGE = {
  output: null,
  capabilities: ["embedding"],
  embedding: { dimensions: { oneOf: [256, 512, 1_024, 2_048] }, standard: 1_024 },
  context: 32_000,
  released: "2026-01-15",
} as const;
const price = (rates: UsdRates) => usdPerMillion(GENAI_PRICES, rates);

export const catalog: readonly ModelSpec[] = listEntries("voyage", [
  { id: "eta-4-large", upstreamId: "voyage-4-large", name: "Eta 4 Large", ...VOYAGE, price: price({ input: 0.12 }) },
  { id: "eta-4", upstreamId: "voyage-4", name: "Eta 4", ...VOYAGE, price: price({ input: 0.06 }) },
  { id: "eta-4-lite", upstreamId: "voyage-4-lite", name: "Eta 4 Lite", ...VOYAGE, price: price({ input: 0.02 }) },
]);
