import type { Price } from "../../core/models/model.ts";
import { withFactors } from "../../core/models/catalog-entry.ts";

/**
 * OpenAI's tiers of processing: flex costs half (https://developers.openai.com/api/docs/guides/flex-processing), fast
 * mode, which was priority processing, a multiple that depends on the model (https://openai.com/api-fast-mode/).
 * @param fast the multiple; absent where it is not known for the present price.
 */
export function tiersOfService(price: Price, fast?: number): Price {
  return withFactors(price, { service_tier: { flex: 0.5, ...(fast === undefined ? {} : { priority: fast, fast }) } });
}
