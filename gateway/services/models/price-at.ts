import { listPriceFor } from "../../catalog/lookup.ts";
import { sellsInOtherCurrency } from "../../catalog/owners.ts";
import type { Price } from "../../core/models/model.ts";
import type { Connection } from "../connections/connection.ts";
import { owns } from "./served-by.ts";
import type { Served } from "./served-by.ts";

/** Price of a server on this machine: nothing is paid per token, image, character or second. */
const LOCAL_PRICE: Price = {
  tiers: [
    { above: 0, rates: { input: 0, output: 0, character: 0, image: 0, image_input: 0, image_output: 0, second: 0 } },
  ],
  source: "runs on this machine",
  as_of: "2026-11-20",
};

/** What the vendor lists, else what is known of the vendor's list prices; a found local server costs nothing. */
export function priceAt(served: Served, connection: Connection): Price | null {
  if (connection.from === "local") return LOCAL_PRICE;
  if (connection.from === "sandbox") return served.spec?.price ?? null;
  const { hostname } = new URL(connection.baseUrl);
  if (owns(connection, served)) return sellsInOtherCurrency(hostname) ? null : (served.spec?.price ?? null);
  const input = served.discovered?.input_rate;
  const output = served.discovered?.output_rate;
  if (input != null && output != null) {
    const day = new Date(connection.checkedAt ?? connection.createdAt).toISOString().slice(0, 10);
    return {
      tiers: [{ above: 0, rates: { input, output } }],
      source: `${connection.name}'s own model list`,
      as_of: day,
    };
  }
  return listPriceFor(served.id, hostname);
}
