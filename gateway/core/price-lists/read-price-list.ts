import type { PriceListShape } from "../../contract/price-list.ts";
import { isRecord } from "../../lib/records.ts";
import type { HostOf, HostPrices } from "./collected-prices.ts";
import { isLiteLlm, readLiteLlm } from "./litellm.ts";
import { isModelsDev, readModelsDev } from "./models-dev.ts";

export interface ReadPriceList {
  readonly shape: PriceListShape;
  readonly hosts: HostPrices;
}

/**
 * Reads the token prices of a published list, identified by its shape. Prices without a known host, or in an unknown
 * form, are omitted.
 * @returns null if it has neither of the two formats
 */
export function readPriceList(list: unknown, hostOf: HostOf): ReadPriceList | null {
  if (!isRecord(list)) return null;
  if (isLiteLlm(list)) return { shape: "litellm", hosts: readLiteLlm(list, hostOf) };
  if (isModelsDev(list)) return { shape: "models.dev", hosts: readModelsDev(list, hostOf) };
  return null;
}
