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
 * The token prices of a published list, told apart by its shape. What it says of models whose provider has no host that
 * is known, or in ways that are not understood, is left out.
 * @returns null where it is neither of the two
 */
export function readPriceList(list: unknown, hostOf: HostOf): ReadPriceList | null {
  if (!isRecord(list)) return null;
  if (isLiteLlm(list)) return { shape: "litellm", hosts: readLiteLlm(list, hostOf) };
  if (isModelsDev(list)) return { shape: "models.dev", hosts: readModelsDev(list, hostOf) };
  return null;
}
