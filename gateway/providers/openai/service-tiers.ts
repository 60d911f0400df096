import type { Price } from "../../core/models/model.ts";
import { withFactors } from "../../core/models/catalog-entry.ts";

/**
 * OpenAI's service tiers: flex and batches cost half (https://developers.openai.com/api/docs/guides/flex-processing),
 * fast mode, which was priority processing, a multiple that depends on the model (https://openai.com/api-fast-mode/),
 * as does ultrafast. Multiples by model: LiteLLM 1.110.2, read 2026-11-28.
 * @param fast the multiple; absent if the model has no fast mode.
 */
export function buildTiersOfService(price: Price, fast?: number, ultrafast?: number): Price {
  const faster = fast === undefined ? {} : { priority: fast, fast };
  const fastest = ultrafast === undefined ? {} : { ultrafast };
  return withFactors(price, { service_tier: { flex: 0.5, batch: 0.5, ...faster, ...fastest } });
}
