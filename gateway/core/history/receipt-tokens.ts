import type { ReceiptTerm } from "../../contract/receipt.ts";
import { FEES } from "../../contract/units.ts";
import { HISTORY_UNITS } from "./history-entry.ts";
import type { HistoryTokens } from "./history-entry.ts";

/** Usage of a conversation, in the units of histories. */
export interface ReceiptTokens {
  readonly tokens: HistoryTokens;
  /** 10⁻⁹ USD that do not hang on the model's tokens; null where other units than tokens were used. */
  readonly fees: number | null;
}

/** Reads the terms of a receipt. A fee per request belongs to its model's price; searches cost the same with any model. */
export function receiptTokens(terms: readonly ReceiptTerm[]): ReceiptTokens {
  const tokens: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];
  let fees: number | null = 0;
  for (const { unit, quantity, nano: paid } of terms) {
    // A picture in a prompt counts as regular input if it has no separate price.
    const place = HISTORY_UNITS.findIndex((one) => one === unit || (one === "input" && unit === "image_input"));
    if (place >= 0) tokens[place] = (tokens[place] as number) + quantity;
    else if (!FEES.has(unit)) fees = null;
    else if (unit !== "request") fees = fees === null ? null : fees + paid;
  }
  return { tokens, fees };
}
