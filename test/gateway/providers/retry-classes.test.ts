import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterProviderError } from "../../../gateway/core/attempts/retry.ts";
import { toGatewayError, type ProviderErrorKind } from "../../../gateway/core/attempts/provider-error.ts";
import { providerIds, providers, type ProviderId } from "../../../gateway/providers/registry.ts";

/** Whose error, its status and its body as docs/providers gives them. */
type Row = readonly [provider: ProviderId, status: number, body: unknown];

const nested = (code: string | null, message = "…", type = "invalid_request_error"): unknown => ({
  error: { message, type, param: null, code },
});
const anthropic = (type: string, message = "…"): unknown => ({
  type: "error",
  error: { type, message },
  request_id: "req_011CSHoEeqs5C35K2UUqR7Fy",
});
const native = (code: string): unknown => ({ request_id: "a4d78a5f", code, message: "…" });
const google = (code: number, status: string, message = "…", details: readonly unknown[] = []): unknown => ({
  error: { code, message, status, details },
});
const ark = (code: string, type: string): unknown => ({
  error: { code, message: "… Request id: 0217", param: "", type },
});
const KEY_DETAILS = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }];

/** docs/providers/README.md#retry-classes, row by row, with the codes of each provider's page. */
const classes: Readonly<Record<Exclude<ProviderErrorKind, "loop">, readonly Row[]>> = {
  bad_request: [
    ["openai", 400, nested("unsupported_parameter")],
    ["openai", 400, nested("content_policy_violation")],
    ["openai", 400, nested("moderation_blocked", "…", "image_generation_user_error")],
    ["openai", 413, null],
    ["openai", 422, null],
    ["anthropic", 400, anthropic("invalid_request_error", "thinking.budget_tokens: Extra inputs are not permitted")],
    ["anthropic", 413, anthropic("request_too_large")],
    ["dashscope", 400, native("InvalidParameter")],
    ["dashscope", 400, native("InvalidParameter.DataInspection")],
    ["dashscope", 400, native("InvalidURL.Timeout")],
    ["dashscope", 400, native("InvalidFile.Resolution")],
    ["dashscope", 400, native("InvalidFile.Duration")],
    ["dashscope", 400, { ...(native("InvalidParameter") as object), message: "Field required: input.img_url" }],
    ["dashscope", 400, native("DataInspectionFailed")],
    ["dashscope", 400, nested("data_inspection_failed")],
    ["dashscope", 400, nested("invalid_parameter_error")],
    ["dashscope", 400, native("IPInfringementSuspect")],
    ["dashscope", 400, native("FaqRuleBlocked")],
    ["dashscope", 400, native("UnsupportedOperation")],
    ["dashscope", 409, native("Conflict")],
    ["dashscope", 413, native("RequestTooLarge")],
    // A native error inside a response or a stream that said 200: the story knows no better status than 500.
    ["dashscope", 500, native("DataInspectionFailed")],
    ["gemini", 400, google(400, "INVALID_ARGUMENT")],
    ["gemini", 400, [google(400, "INVALID_ARGUMENT", 'Invalid JSON payload received. Unknown name "store"')]],
    ["gemini", 400, google(400, "FAILED_PRECONDITION", "User location is not supported for the API use.")],
    ["voyage", 400, { detail: "…" }],
    ["ark", 400, ark("InvalidParameter.OversizedImage", "BadRequest")],
    ["ark", 400, ark("MissingParameter.prompt", "BadRequest")],
    ["ark", 400, ark("SensitiveContentDetected.Violence", "BadRequest")],
    ["ark", 400, ark("InputTextSensitiveContentDetected", "BadRequest")],
    ["ark", 400, ark("InputImageSensitiveContentDetected.PrivacyInformation", "BadRequest")],
    ["ark", 400, ark("OutputVideoSensitiveContentDetected.PolicyViolation", "BadRequest")],
    ["ark", 400, ark("OutputVideoSensitiveContentDetected", "BadRequest")],
    ["ark", 400, ark("InputVideoSensitiveContentDetected", "BadRequest")],
    ["ark", 400, ark("InputAudioSensitiveContentDetected", "BadRequest")],
    ["ark", 400, ark("InvalidParameter.TaskTypeConstraint", "BadRequest")],
    ["ark", 500, ark("OutputImageSensitiveContentDetected", "")],
    ["ark", 403, ark("OperationDenied.InvalidState", "Forbidden")],
    [
      "xai",
      400,
      { code: "Client specified an invalid argument", error: "Model grok-4 does not support parameter stop." },
    ],
    ["xai", 400, { code: "Client specified an invalid argument", error: "Edits do not take a duration." }],
    ["xai", 422, { error: "Failed to deserialize the JSON body into the target type" }],
  ],
  model_not_found: [
    ["openai", 404, nested("model_not_found")],
    ["openai", 403, nested("model_not_found", "Your organization must be verified")],
    ["anthropic", 404, anthropic("not_found_error", "model: claude-x")],
    ["dashscope", 404, native("ModelNotFound")],
    ["dashscope", 404, nested("model_not_found")],
    ["gemini", 404, google(404, "NOT_FOUND")],
    ["gemini", 404, [google(404, "NOT_FOUND")]],
    ["voyage", 404, null],
    ["ark", 404, ark("InvalidEndpointOrModel.NotFound", "NotFound")],
    ["ark", 404, ark("InvalidEndpointOrModel.ModelIDAccessDisabled", "NotFound")],
    ["ark", 404, ark("ModelNotOpen", "NotFound")],
    ["ark", 404, ark("UnsupportedModel", "NotFound")],
    ["xai", 404, { code: "Some requested entity was not found", error: "The model grok-9 does not exist" }],
  ],
  auth: [
    ["openai", 401, nested("invalid_api_key")],
    ["openai", 403, nested("unsupported_country_region_territory")],
    ["anthropic", 401, anthropic("authentication_error", "invalid x-api-key")],
    ["anthropic", 403, anthropic("permission_error")],
    ["dashscope", 401, native("InvalidApiKey")],
    ["dashscope", 401, nested("invalid_api_key")],
    ["dashscope", 403, native("AccessDenied")],
    ["dashscope", 403, native("AccessDenied.Unpurchased")],
    ["dashscope", 403, native("Model.AccessDenied")],
    ["gemini", 400, google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", KEY_DETAILS)],
    ["gemini", 400, google(400, "INVALID_ARGUMENT", "API key expired. Please renew the API key.", KEY_DETAILS)],
    ["gemini", 400, [google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")]],
    ["gemini", 403, google(403, "PERMISSION_DENIED")],
    ["voyage", 401, { detail: "Provided API key is invalid." }],
    ["ark", 401, ark("AuthenticationError", "Unauthorized")],
    ["ark", 403, ark("AccessDenied", "Forbidden")],
    ["ark", 403, ark("OperationDenied.ServiceNotOpen", "Forbidden")],
    ["xai", 400, { code: "Client specified an invalid argument", error: "Incorrect API key provided: xa***zz." }],
    ["xai", 400, { error: "Incorrect API key provided: xa***zz." }],
    ["xai", 401, { error: { message: "No API key", type: null, param: null, code: null } }],
    ["xai", 403, { code: "The caller does not have permission", error: "This key may not use the model." }],
  ],
  no_money: [
    ["openai", 429, nested("insufficient_quota", "…", "insufficient_quota")],
    ["openai", 400, nested("billing_hard_limit_reached")],
    [
      "anthropic",
      400,
      anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
    ],
    ["anthropic", 402, anthropic("billing_error")],
    ["dashscope", 400, native("Arrearage")],
    ["dashscope", 403, native("AllocationQuota.FreeTierOnly")],
    ["dashscope", 429, native("PrepaidBillOverdue")],
    ["dashscope", 429, native("PostpaidBillOverdue")],
    ["dashscope", 400, nested("Arrearage")],
    ["gemini", 400, google(400, "FAILED_PRECONDITION", "Please enable billing on project 1.")],
    ["ark", 403, ark("AccountOverdueError", "Forbidden")],
    ["xai", 403, { code: "permission", error: "Your newly created team doesn't have any credits yet." }],
    ["xai", 403, { error: { message: "Your newly created team doesn't have any credits yet." } }],
  ],
  rate: [
    ["openai", 429, nested("rate_limit_exceeded", "…", "tokens")],
    ["anthropic", 429, anthropic("rate_limit_error")],
    ["anthropic", 500, anthropic("rate_limit_error")],
    ["dashscope", 429, native("Throttling")],
    ["dashscope", 429, native("Throttling.RateQuota")],
    ["dashscope", 429, native("Throttling.AllocationQuota")],
    ["dashscope", 429, native("Throttling.BurstRate")],
    ["dashscope", 429, nested("insufficient_quota", "You exceeded your current quota", "insufficient_quota")],
    ["dashscope", 429, nested("limit_requests")],
    ["dashscope", 429, nested("limit_burst_rate")],
    ["gemini", 429, google(429, "RESOURCE_EXHAUSTED")],
    ["gemini", 429, [google(429, "RESOURCE_EXHAUSTED")]],
    ["voyage", 429, { detail: "…" }],
    ["ark", 429, ark("RateLimitExceeded.EndpointRPMExceeded", "TooManyRequests")],
    ["ark", 429, ark("RateLimitExceeded.EndpointTPMExceeded", "TooManyRequests")],
    ["ark", 429, ark("ModelAccountRpmRateLimitExceeded", "TooManyRequests")],
    ["ark", 429, ark("QuotaExceeded", "TooManyRequests")],
    ["ark", 429, ark("RequestBurstTooFast", "TooManyRequests")],
    ["ark", 429, ark("InflightBatchsizeExceeded", "TooManyRequests")],
    ["xai", 429, { code: "Some resource has been exhausted", error: "Too many requests" }],
  ],
  overload: [
    ["openai", 500, nested(null, "The server had an error", "server_error")],
    ["openai", 503, nested("slow_down", "…", "server_error")],
    ["anthropic", 500, anthropic("api_error")],
    ["anthropic", 504, anthropic("timeout_error")],
    ["anthropic", 529, anthropic("overloaded_error", "Overloaded")],
    ["anthropic", 502, "<html>Bad gateway</html>"],
    ["dashscope", 500, native("InternalError.Timeout")],
    ["dashscope", 503, native("ModelUnavailable")],
    ["gemini", 500, google(500, "INTERNAL")],
    ["gemini", 503, google(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")],
    ["gemini", 503, [google(503, "UNAVAILABLE")]],
    ["gemini", 504, google(504, "DEADLINE_EXCEEDED")],
    ["voyage", 503, null],
    ["ark", 429, ark("ServerOverloaded", "TooManyRequests")],
    ["ark", 429, ark("ModelLoadingError", "TooManyRequests")],
    ["ark", 500, ark("InternalServiceError", "InternalServerError")],
    ["xai", 503, { error: "The service is currently unavailable" }],
  ],
};

/** The code and status that a client of the common API gets for each class. */
const shownAs: Readonly<Record<keyof typeof classes, readonly [status: readonly number[], code: string | null]>> = {
  bad_request: [[400, 403, 409, 413, 422], null],
  model_not_found: [[404], "model_not_found"],
  auth: [[502], "vendor_auth"],
  no_money: [[503], "vendor_out_of_credit"],
  rate: [[429], "rate_limit_exceeded"],
  overload: [[502, 503, 504, 529], "upstream_error"],
};

const kinds = Object.keys(classes) as (keyof typeof classes)[];

describe.each(kinds)("%s", (kind) => {
  it.each(classes[kind])("%s %i %j", (provider, status, body) => {
    const error = providers[provider].errors.fromResponse(status, {}, body);
    expect(error.kind).toBe(kind);

    const shown = toGatewayError(error, "Provider", []);
    const [statuses, code] = shownAs[kind];
    expect(statuses).toContain(shown.status);
    if (code !== null) expect(shown.code).toBe(code);

    const next = afterProviderError(error, 0, 0).do;
    if (kind === "bad_request" || kind === "model_not_found") expect(next).toBe("give_up");
    if (kind === "auth" || kind === "no_money") expect(next).toBe("elsewhere");
    if (kind === "rate") expect(next).toBe("again");
  });
});

it("tries overload again, whatever status an overloaded Ark gives it", () => {
  for (const [provider, status, body] of classes.overload) {
    const error = providers[provider].errors.fromResponse(status, {}, body);
    expect(afterProviderError(error, 0, 0)).toEqual({ do: "again", waitMs: 0 });
  }
});

it.each(providerIds)("%s that is Postern itself is distinguished from one that is unwell", (provider) => {
  for (const body of [
    nested("loop_detected", "A connection points back at Postern itself.", "upstream_error"),
    anthropic("api_error", "A connection points back at Postern itself."),
  ]) {
    const error = providers[provider].errors.fromResponse(508, {}, body);
    expect(error.kind).toBe("loop");
    expect(toGatewayError(error, "Provider", [])).toMatchObject({ status: 508, code: "loop_detected" });
    expect(afterProviderError(error, 0, 0).do).toBe("give_up");
  }
});

it("waits as long as Google says, which has no header for it", () => {
  const details = [
    {
      "@type": "type.googleapis.com/google.rpc.QuotaFailure",
      violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier", quotaValue: "50" }],
    },
    { "@type": "type.googleapis.com/google.rpc.Help", links: [{ description: "…", url: "…" }] },
    { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.400956798s" },
  ];
  const exhausted = google(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", details);
  for (const body of [exhausted, [exhausted]]) {
    const error = providers.gemini.errors.fromResponse(429, {}, body);
    expect(error).toMatchObject({ kind: "rate", code: "RESOURCE_EXHAUSTED", retryAfter: 34.400956798 });
    expect(toGatewayError(error, "Gemini", []).details.retryAfter).toBe(34.400956798);
  }
});

it("keeps an Anthropic error's words, status and type", () => {
  const message = "messages.1.content.0: `thinking` blocks cannot be modified";
  const error = providers.anthropic.errors.fromResponse(400, {}, anthropic("invalid_request_error", message));
  const shown = toGatewayError(error, "Anthropic", []);
  expect(shown).toMatchObject({ message, status: 400 });
  expect(shown.details.provider).toMatchObject({ type: "invalid_request_error" });
});

it("knows the status of an Anthropic error in a stream by its type", () => {
  const inStream = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  expect(providers.anthropic.errors.fromResponse(500, {}, inStream)).toMatchObject({ kind: "overload", status: 529 });
});

it("never throws and always has words, for any input", () => {
  const word = fc.constantFrom("constructor", "__proto__", "InvalidParameter.", ".", "", "Throttling");
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record({ code: word, message: fc.jsonValue() }),
    fc.record({ error: fc.record({ type: word, code: word, status: word, details: fc.jsonValue() }) }),
    fc.record({ data: fc.array(fc.jsonValue()), candidates: fc.array(fc.jsonValue()), promptFeedback: fc.jsonValue() }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...providerIds), fc.integer({ min: 100, max: 599 }), body, (id, status, json) => {
      const { errors } = providers[id];
      for (const error of [errors.fromResponse(status, {}, json), errors.inResponse?.(json) ?? null]) {
        if (error === null) continue;
        expect(error.message.length).toBeGreaterThan(0);
        expect(toGatewayError(error, "Provider", []).status).toBeGreaterThanOrEqual(400);
      }
    }),
  );
});
