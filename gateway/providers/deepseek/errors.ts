import type { ProviderErrorKind } from "../../core/attempts/provider-error.ts";
import { createKindByStatus, readEnvelope, createProviderError } from "../error-envelope.ts";
import type { ErrorEnvelope } from "../error-envelope.ts";
import type { ErrorsAdapter } from "../provider.ts";

/**
 * `{error:{message,type,param,code}}`, whose code is always `invalid_request_error`, so that status and message decide
 * (https://api-docs.deepseek.com/quick_start/error_codes, read 2026-11-23).
 */
export const errors: ErrorsAdapter = {
  fromResponse: (status, headers, body) => {
    const envelope = readEnvelope(status, headers, body);
    return createProviderError(envelope, readKind(envelope));
  },
};

function readKind({ status, message }: ErrorEnvelope): ProviderErrorKind {
  // Status 402; in a stream with status 200 only the message reveals it.
  if (/insufficient balance/i.test(message)) return "no_money";
  // The status is 400, as users of api.deepseek.com report.
  if (status === 400 && /model not exist/i.test(message)) return "model_not_found";
  return createKindByStatus(status);
}
