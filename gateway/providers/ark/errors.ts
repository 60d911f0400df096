import type { ProviderErrorKind } from "../../core/attempts/provider-error.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { buildKindByCode, createKindByStatus, readEnvelope, createProviderError } from "../error-envelope.ts";
import type { ErrorsAdapter } from "../provider.ts";

/**
 * Codes that are more specific than their status, or that also occur in responses with status 200: in items of an image
 * response, in stream events (docs/providers/ark.md#images and docs/providers/ark.md#errors).
 */
const KINDS: ReadonlyMap<string, ProviderErrorKind> = new Map([
  ["AccountOverdueError", "no_money"],
  ["AuthenticationError", "auth"],
  ["InvalidAccountStatus", "auth"],
  ["AccessDenied", "auth"],
  ["OperationDenied.ServiceNotOpen", "auth"],
  // A currently denied operation says nothing about the key.
  ["OperationDenied", "bad_request"],
  ["MissingParameter", "bad_request"],
  ["InvalidParameter", "bad_request"],
  ["InvalidEndpoint.ClosedEndpoint", "bad_request"],
  ["InvalidEndpoint", "model_not_found"],
  ["InvalidEndpointOrModel", "model_not_found"],
  ["ModelNotOpen", "model_not_found"],
  ["UnsupportedModel", "model_not_found"],
  // Both have status 429, though the client is not too fast (docs/providers/ark.md#errors); the second one by its name.
  ["ServerOverloaded", "overload"],
  ["ModelLoadingError", "overload"],
  ["InternalServiceError", "overload"],
  ["RateLimitExceeded", "rate"],
  ["QuotaExceeded", "rate"],
]);

/** `{error:{code,message,param,type}}`; `type` is the status name, which our clients do not read. */
export const errors: ErrorsAdapter = {
  fromResponse: (status, headers, body) => {
    const envelope = readEnvelope(status, headers, body);
    return createProviderError({ ...envelope, type: null }, readKind(status, envelope.code));
  },
  // Each image of a response may fail for its own reason (docs/providers/ark.md#images); the first is reported.
  inResponse: (body) => {
    const data = isRecord(body) ? asList(body["data"]) : [];
    const failed = data.find((item) => isRecord(item) && isRecord(item["error"]));
    return failed === undefined ? null : errors.fromResponse(500, {}, failed);
  },
};

function readKind(status: number, code: string | null): ProviderErrorKind {
  // Refused for its content, on the way in or out: text, image, video or audio, with or without the policy's name.
  if (code?.includes("SensitiveContentDetected") === true) return "bad_request";
  return buildKindByCode(KINDS, code) ?? createKindByStatus(status);
}
