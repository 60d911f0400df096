import type { Billed } from "../../core/models/model.ts";
import { priceUnits } from "../../core/money/price.ts";
import type { Opened } from "../calls/attempts.ts";
import { providerName } from "../calls/call-record.ts";
import type { PaidCall } from "../calls/paid-call.ts";
import type { MediaOrigin } from "./keep-media.ts";

/**
 * Returns the library's fields of a paid call: key, model, provider and cost.
 * @param units units by which the whole call was billed.
 */
export function callOrigin(
  paid: PaidCall,
  { candidate }: Opened,
  units: Billed,
): Omit<MediaOrigin, "prompt" | "parameters" | "seed"> {
  const { price, connection } = candidate;
  return {
    requestId: paid.input.requestId,
    keyId: paid.input.key.record.id,
    endpoint: paid.record.endpoint,
    model: paid.record.model,
    provider: providerName(candidate),
    nano: priceUnits(units, price).nano,
    sandbox: connection.from === "sandbox",
  };
}
