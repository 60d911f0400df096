import { listEntries, usdPerMillion } from "../../core/models/catalog-entry.ts";
import type { PriceSource, UsdRates } from "../../core/models/catalog-entry.ts";
import type { Abilities, ModelSpec, Price, Reasoning } from "../../core/models/model.ts";
import { LITELLM } from "../../core/models/price-sources.ts";

const PRICE_PAGE: PriceSource = { source: "api-docs.deepseek.com/quick_start/pricing", as_of: "2026-10-17" };

/**
 * Reasons unless `thinking` disables it; DeepSeek accepts every effort and maps it to its own
 * (https://api-docs.deepseek.com/guides/thinking_mode).
 */
const THINKS: Reasoning = { efforts: [], dropsSampling: false };

/**
 * DeepSeek charges double in two windows of working days, except on Chinese public holidays, when receipts are too
 * high. Cache hits have a separate rate; caching is automatic and cache writes are free.
 */
const byTheHour = (rates: UsdRates): Price => ({
  ...usdPerMillion(PRICE_PAGE, rates),
  peak: {
    factor: 2,
    hours: [
      [1, 4],
      [6, 10],
    ],
  },
});

/** docs/providers/deepseek.md#what-models-take: JSON, but by no schema. */
const CALLS_TOOLS: Abilities = { tools: true, json_schema: false };

/** "1M" and "384K"; the larger interpretation, so that holds are not too low. */
const V4 = { context: 1_000_000, output: 393_216, reasoning: THINKS } as const;

/** Two names of one model, withdrawn for the names of V4 (https://api-docs.deepseek.com/news/news260424). */
const V3 = {
  released: "2025-12-01",
  context: 131_072,
  abilities: { pictures: false, json_schema: false },
  retired: { on: "2026-07-24", successor: "deepseek-v4-flash" },
  price: usdPerMillion(LITELLM, { input: 0.28, cached_input: 0.028, output: 0.42 }),
} as const;

export const catalog: readonly ModelSpec[] = listEntries("deepseek", [
  {
    id: "deepseek-v4-pro",
    name: "DeepSeek V4 Pro",
    released: "2026-04-24",
    ...V4,
    abilities: CALLS_TOOLS,
    price: byTheHour({ input: 0.66, cached_input: 0.022, output: 1.98 }),
  },
  // Since 2026-09-10 its names mean V4.1 Flash, which DeepSeek calls by the first of these others.
  {
    id: "deepseek-v4-flash",
    name: "DeepSeek V4.1 Flash",
    released: "2026-04-24",
    ...V4,
    aliases: ["deepseek-flash", "deepseek-v4-flash-vision-exp"],
    abilities: { ...CALLS_TOOLS, pictures: true },
    price: byTheHour({ input: 0.15, cached_input: 0.003, output: 0.6 }),
  },
  { id: "deepseek-chat", name: "DeepSeek Chat", output: 8_192, ...V3 },
  { id: "deepseek-reasoner", name: "DeepSeek Reasoner", output: 65_536, reasoning: THINKS, ...V3 },
]);
