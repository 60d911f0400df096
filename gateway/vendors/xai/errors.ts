import type { VendorErrorKind } from "../../core/vendor-error.ts";
import { kindByStatus, readEnvelope, vendorError } from "../error-envelope.ts";
import type { ErrorEnvelope } from "../error-envelope.ts";
import type { ErrorsAdapter } from "../vendor.ts";

/**
 * Three shapes: `{error:{message,…}}`, `{code,error:"…"}`, `{error:"…"}` (upstreams reference 7.4). Codes are sentences
 * as often as not, so that only status and words tell what is meant.
 */
export const errors: ErrorsAdapter = {
  fromResponse: (status, headers, body) => {
    const envelope = readEnvelope(status, headers, body);
    return vendorError(envelope, kindOf(envelope));
  },
};

function kindOf({ status, message }: ErrorEnvelope): VendorErrorKind {
  if (status === 400 && /incorrect api key/i.test(message)) return "auth";
  // "Your newly created team doesn't have any credits…"; the limit of spending is a guess from the same family.
  if ((status === 403 || status === 429) && /\bcredits\b|spending limit/i.test(message)) return "no_money";
  return kindByStatus(status);
}
