import type { PriceSource } from "./entry.ts";

/** Where the catalog's figures were read (docs/decisions/2026-11-20-catalog-and-prices.md). The newest one wins. */

/** Pydantic's price collection, which cites the providers' own price pages. MIT. */
export const GENAI_PRICES: PriceSource = { source: "pydantic/genai-prices 0.1.8", as_of: "2026-09-23" };

/** LiteLLM's price file, copy of that day. MIT, Copyright (c) 2023 Berri AI. */
export const LITELLM: PriceSource = {
  source: "BerriAI/litellm model_prices_and_context_window.json",
  as_of: "2026-08-06",
};

export const ANTHROPIC_OCTOBER: PriceSource = { source: "platform.claude.com/docs pricing", as_of: "2026-10-07" };
export const ANTHROPIC_NOVEMBER: PriceSource = {
  source: "platform.claude.com/docs pricing, as third parties quote it",
  as_of: "2026-11-10",
};
export const OPENAI_OCTOBER: PriceSource = { source: "developers.openai.com/api/docs/pricing", as_of: "2026-10-26" };

export const DEEPSEEK_OCTOBER: PriceSource = {
  source: "api-docs.deepseek.com/quick_start/pricing",
  as_of: "2026-10-17",
};

/** Quoted by apidog.com from Alibaba's release post. */
export const QWEN_AUGUST: PriceSource = {
  source: "Alibaba's Qwen3.8 release post, as apidog.com quotes it",
  as_of: "2026-08-10",
};

/** The international region. */
export const DASHSCOPE_SPEECH: PriceSource = {
  source: "alibabacloud.com Model Studio price list",
  as_of: "2026-08-06",
};
/** What a reseller of the Singapore region takes, which is the provider's own list price. */
export const DASHSCOPE_EMBEDDING: PriceSource = {
  source: "empiriolabs, reseller of the Singapore region",
  as_of: "2026-08-06",
};
export const OPENAI_SPEECH: PriceSource = { source: "openai.com/api/pricing", as_of: "2026-08-06" };
