import type { ProviderErrorKind } from "../../core/attempts/provider-error.ts";
import { createKindByStatus, readEnvelope, createProviderError } from "../error-envelope.ts";
import type { ErrorEnvelope } from "../error-envelope.ts";
import type { ErrorsAdapter } from "../provider.ts";

/**
 * `{error:{message,type,param,code}}`, whose code says `invalid_request_error` whatever is wrong: status and words tell
 * (https://api-docs.deepseek.com/quick_start/error_codes, read 2026-11-23).
 */
export const errors: ErrorsAdapter = {
  fromResponse: (status, headers, body) => {
    const envelope = readEnvelope(status, headers, body);
    return createProviderError(envelope, readKind(envelope));
  },
};

function readKind({ status, message }: ErrorEnvelope): ProviderErrorKind {
  // 402; in a stream that said 200 it has no status of its own.
  if (/insufficient balance/i.test(message)) return "no_money";
  // The status is 400, as users of api.deepseek.com report.
  if (status === 400 && /model not exist/i.test(message)) return "model_not_found";
  return createKindByStatus(status);
}
