import type { ProviderErrorKind } from "../../core/attempts/provider-error.ts";
import { isRecord } from "../../lib/records.ts";
import { buildErrorRecord, createKindByStatus, readEnvelope } from "../error-envelope.ts";
import type { ErrorEnvelope } from "../error-envelope.ts";
import type { ErrorsAdapter } from "../provider.ts";

/** The meaning of each `error.type`, and its status (docs/providers/anthropic.md#errors). */
const TYPES: ReadonlyMap<string, readonly [ProviderErrorKind, number]> = new Map([
  ["invalid_request_error", ["bad_request", 400]],
  ["authentication_error", ["auth", 401]],
  ["billing_error", ["no_money", 402]],
  ["permission_error", ["auth", 403]],
  ["not_found_error", ["model_not_found", 404]],
  ["request_too_large", ["bad_request", 413]],
  ["rate_limit_error", ["rate", 429]],
  ["api_error", ["overload", 500]],
  ["timeout_error", ["overload", 504]],
  ["overloaded_error", ["overload", 529]],
]);

/**
 * `{type:"error",error:{type,message},request_id}`, or the same as an event in a stream with status 200, where only the
 * type implies the status.
 */
export const errors: ErrorsAdapter = {
  fromResponse: (answered, headers, body) => {
    const envelope = { ...readEnvelope(answered, headers, body), ...findDetails(body) };
    const byStatus = createKindByStatus(answered);
    const known = byStatus === "loop" ? undefined : TYPES.get(envelope.type ?? "");
    if (known === undefined) return { ...envelope, kind: byStatus };
    const [kind, status] = known;
    return {
      ...envelope,
      kind: isOutOfCredit(envelope.message) ? "no_money" : isLostThread(envelope) ? "bad_request" : kind,
      status: answered === 500 || byStatus !== kind ? status : answered,
    };
  },
};

/** `error.details`, as `{"error_code":"thread_not_found"}` (seen in the types of Anthropic's SDK 1.11). */
function findDetails(body: unknown): Pick<ErrorEnvelope, "details"> {
  const { error } = buildErrorRecord(body);
  return isRecord(error) && isRecord(error["details"]) ? { details: error["details"] } : {};
}

/** A 404 of a thread of messages: the model is there. */
function isLostThread({ details }: ErrorEnvelope): boolean {
  return details?.["error_code"] === "thread_not_found";
}

/** Detects a 400 `invalid_request_error` by its message (docs/providers/anthropic.md#errors). */
function isOutOfCredit(message: string): boolean {
  return /credit balance is too low/i.test(message);
}
