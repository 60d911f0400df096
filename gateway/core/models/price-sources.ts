import type { PriceSource } from "./catalog-entry.ts";

/**
 * Collections of many providers' prices (docs/decisions/prices.md). A provider's own prices are in its catalog; the
 * newest figure wins.
 */

/** Pydantic's price collection, which cites the providers' own price pages. MIT. */
export const GENAI_PRICES: PriceSource = { source: "pydantic/genai-prices 0.1.8", as_of: "2026-09-23" };

/** LiteLLM's price file, copy of that day. MIT, Copyright (c) 2023 Berri AI. */
export const LITELLM: PriceSource = {
  source: "BerriAI/litellm model_prices_and_context_window.json",
  as_of: "2026-08-06",
};

/** The collection's later version, read on that day: prices of sound, which the earlier one did not have. */
export const GENAI_PRICES_SOUND: PriceSource = { source: "pydantic/genai-prices 0.2.3", as_of: "2026-11-24" };

/** The collection's prices of November 2026. */
export const GENAI_PRICES_NOVEMBER: PriceSource = { source: "pydantic/genai-prices 0.2.3", as_of: "2026-11-29" };

/** LiteLLM's price file as it lies in its release 1.110.2 on PyPI, which `npm run catalog:check` reads. */
export const LITELLM_NOVEMBER: PriceSource = { source: "BerriAI/litellm 1.110.2", as_of: "2026-11-28" };
