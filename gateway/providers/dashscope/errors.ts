import type { ProviderErrorKind } from "../../core/attempts/provider-error.ts";
import { buildKindByCode, createKindByStatus, readEnvelope, createProviderError } from "../error-envelope.ts";
import type { ErrorsAdapter } from "../provider.ts";

/**
 * Error kinds by code, native and of the compatible mode (docs/providers/dashscope.md#errors). `insufficient_quota` and
 * `Throttling.AllocationQuota` mean a limit of tokens per minute here, unlike at OpenAI.
 */
const KINDS: ReadonlyMap<string, ProviderErrorKind> = new Map([
  ["Arrearage", "no_money"],
  ["AllocationQuota.FreeTierOnly", "no_money"],
  ["PrepaidBillOverdue", "no_money"],
  ["PostpaidBillOverdue", "no_money"],
  ["CommodityNotPurchased", "no_money"],
  ["InvalidApiKey", "auth"],
  ["invalid_api_key", "auth"],
  ["AccessDenied", "auth"],
  ["Model.AccessDenied", "auth"],
  ["Workspace.AccessDenied", "auth"],
  ["App.AccessDenied", "auth"],
  ["Throttling", "rate"],
  ["insufficient_quota", "rate"],
  ["limit_requests", "rate"],
  ["limit_burst_rate", "rate"],
  ["ModelNotFound", "model_not_found"],
  ["model_not_found", "model_not_found"],
  ["InvalidParameter", "bad_request"],
  ["invalid_parameter_error", "bad_request"],
  ["InvalidURL", "bad_request"],
  ["InvalidFile", "bad_request"],
  ["DataInspectionFailed", "bad_request"],
  ["data_inspection_failed", "bad_request"],
  ["IPInfringementSuspect", "bad_request"],
  ["FaqRuleBlocked", "bad_request"],
  ["CustomRoleBlocked", "bad_request"],
  ["UnsupportedOperation", "bad_request"],
  ["Conflict", "bad_request"],
  ["RequestTooLarge", "bad_request"],
  ["InternalError", "overload"],
  ["SystemError", "overload"],
  ["ModelServiceFailed", "overload"],
  ["ModelUnavailable", "overload"],
  ["ServiceUnavailable", "overload"],
]);

/**
 * Native `{code,message,request_id}` and the compatible mode's `{error:{code,message,type,param},request_id}`. The code
 * decides regardless of the status: native errors also occur in responses and streams with status 200.
 */
export const errors: ErrorsAdapter = {
  fromResponse: (status, headers, body) => {
    const envelope = readEnvelope(status, headers, body);
    return createProviderError(envelope, buildKindByCode(KINDS, envelope.code) ?? createKindByStatus(status));
  },
};
