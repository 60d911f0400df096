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
 * Reads the token prices of a published list, identified by its shape. Prices of models whose provider has no known host, or
 * in ways that are not understood, are left out.
 * @returns null if it has neither of the two shapes
 */
export function readPriceList(list: unknown, hostOf: HostOf): ReadPriceList | null {
  if (!isRecord(list)) return null;
  if (isLiteLlm(list)) return { shape: "litellm", hosts: readLiteLlm(list, hostOf) };
  if (isModelsDev(list)) return { shape: "models.dev", hosts: readModelsDev(list, hostOf) };
  return null;
}
