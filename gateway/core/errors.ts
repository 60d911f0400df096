import type { ErrorFamily } from "../contract/errors.ts";
import { redact } from "../lib/redact.ts";

/**
 * The error registry: every expected failure of the gateway has one code here, and docs/errors.md has one row for
 * each (a test compares them). Codes are never reused for another meaning.
 *
 * `type` is the nested envelope's, `flat` the gamma-image family's code, `anthropic` the type on `/v1/messages*`.
 * `retry: false` sends `x-should-retry: false`, which the SDKs obey.
 */
interface ErrorRow {
  readonly status: number;
  readonly type: string;
  readonly flat: string;
  readonly anthropic: string;
  readonly retry?: false;
}

const invalid = (status = 400, flat = "InvalidParameter", anthropic = "invalid_request_error"): ErrorRow => ({
  status,
  type: "invalid_request_error",
  flat,
  anthropic,
});
const createUpstream = (status: number, anthropic = "api_error"): ErrorRow => ({
  status,
  type: "upstream_error",
  flat: "ServiceUnavailable",
  anthropic,
});

export const errorRegistry = {
  invalid_json: invalid(),
  invalid_body: invalid(),
  invalid_type: invalid(),
  invalid_value: invalid(),
  missing_required_parameter: invalid(),
  unsupported_value: invalid(),
  unsupported_parameter: invalid(),
  endpoint_model_mismatch: invalid(),
  invalid_mask: invalid(),
  conflicting_credentials: invalid(),
  invalid_api_key: invalid(401, "InvalidApiKey", "authentication_error"),
  key_expired: invalid(401, "InvalidApiKey", "authentication_error"),
  key_disabled: invalid(401, "InvalidApiKey", "authentication_error"),
  invalid_control_token: invalid(401, "InvalidApiKey", "authentication_error"),
  insufficient_quota: {
    status: 402,
    type: "insufficient_quota",
    flat: "Arrearage",
    anthropic: "billing_error",
    retry: false,
  },
  model_not_allowed: { status: 403, type: "permission_error", flat: "AccessDenied", anthropic: "permission_error" },
  field_not_allowed: { status: 403, type: "permission_error", flat: "AccessDenied", anthropic: "permission_error" },
  consent_needed: { status: 403, type: "permission_error", flat: "AccessDenied", anthropic: "permission_error" },
  forbidden_host: { status: 403, type: "permission_error", flat: "AccessDenied", anthropic: "permission_error" },
  forbidden_origin: { status: 403, type: "permission_error", flat: "AccessDenied", anthropic: "permission_error" },
  local_only: { status: 403, type: "permission_error", flat: "AccessDenied", anthropic: "permission_error" },
  invalid_media_link: { status: 403, type: "permission_error", flat: "AccessDenied", anthropic: "permission_error" },
  media_link_expired: { status: 403, type: "permission_error", flat: "AccessDenied", anthropic: "permission_error" },
  model_not_found: invalid(404, "InvalidParameter", "not_found_error"),
  not_found: invalid(404, "InvalidParameter", "not_found_error"),
  unknown_url: invalid(404, "InvalidParameter", "not_found_error"),
  method_not_allowed: invalid(405, "InvalidRequest"),
  request_timeout: invalid(408, "InvalidRequest"),
  idempotency_conflict: invalid(409, "InvalidRequest"),
  conflict: invalid(409, "InvalidRequest"),
  not_cancellable: invalid(409, "InvalidRequest"),
  request_too_large: invalid(413, "RequestTooLarge", "request_too_large"),
  unsupported_media_type: invalid(415, "InvalidRequest"),
  range_not_satisfiable: invalid(416, "InvalidRequest"),
  upgrade_refused: invalid(426, "InvalidRequest"),
  rate_limit_exceeded: {
    status: 429,
    type: "rate_limit_error",
    flat: "Throttling.RateQuota",
    anthropic: "rate_limit_error",
  },
  concurrency_limit_exceeded: {
    status: 429,
    type: "rate_limit_error",
    flat: "Throttling.RateQuota",
    anthropic: "rate_limit_error",
  },
  connection_paced: createUpstream(429, "rate_limit_error"),
  headers_too_large: invalid(431, "RequestTooLarge"),
  internal_error: { status: 500, type: "api_error", flat: "InternalError", anthropic: "api_error" },
  upstream_error: createUpstream(502),
  vendor_auth: { ...createUpstream(502), retry: false },
  no_upstream: createUpstream(503),
  model_list_pending: createUpstream(503),
  vendor_out_of_credit: { ...createUpstream(503), retry: false },
  storage_unavailable: { status: 503, type: "api_error", flat: "ServiceUnavailable", anthropic: "api_error" },
  shutting_down: { status: 503, type: "api_error", flat: "ServiceUnavailable", anthropic: "overloaded_error" },
  paused: { status: 503, type: "api_error", flat: "ServiceUnavailable", anthropic: "api_error", retry: false },
  upstream_timeout: createUpstream(504),
  loop_detected: { ...createUpstream(508), retry: false },
  upstream_overloaded: createUpstream(529, "overloaded_error"),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorRegistry;

export interface ProviderWords {
  readonly status?: number;
  readonly type?: string;
  readonly code?: string | null;
  /** The message alone. Anthropic's clients recover by its wording, so their envelope shows it without ours. */
  readonly message?: string;
}

export interface ErrorDetails {
  /** The field at fault, as `messages[0].role`. */
  readonly param?: string;
  /** Seconds after which another try makes sense. Always given for 429. */
  readonly retryAfter?: number;
  /** Extra response headers, e.g. `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The provider's own status, type and code where its error is passed on (they replace the registry's). */
  readonly provider?: ProviderWords;
  /** `error.details` of Anthropic's envelope: its SDKs recover by the `error_code` in it. */
  readonly anthropic?: Readonly<Record<string, unknown>>;
  /** The provider may have executed the request nevertheless: no response came, or one that does not rule it out. */
  readonly uncertain?: boolean;
  readonly cause?: unknown;
}

/**
 * An expected failure: shown to the client with its code, its status and a sentence that says what to do. Any other
 * thrown value is a bug: it is logged in full, and sent as `internal_error` without details.
 */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return this.details.provider?.status ?? errorRegistry[this.code].status;
  }
}

/** Longest sentence of an error in receipts. */
const MOST_CHARACTERS = 300;

/** Returns the sentence of an error as receipts keep it: without secrets, 300 characters at most. */
export function shortenSentence(message: string): string {
  return redact(message)
    .slice(0, MOST_CHARACTERS)
    .replace(/[\uD800-\uDBFF]$/, "");
}

/**
 * Anthropic's error types by status (docs/providers/anthropic.md#errors), used if a provider's own status is forwarded.
 */
export const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

function getAnthropicType({ details }: GatewayError, row: ErrorRow): string {
  return ANTHROPIC_TYPES[details.provider?.status ?? 0] ?? row.anthropic;
}

/** The JSON body of an error in the envelope of its route's family. */
export function errorBody(
  error: GatewayError,
  family: Exclude<ErrorFamily, "jsonrpc">,
  requestId: string,
): Record<string, unknown> {
  const row = errorRegistry[error.code];
  const provider = error.details.provider;
  if (family === "flat")
    return { code: getFlatCode(row.flat, provider?.code), message: error.message, request_id: requestId };
  if (family === "google") return createGoogleBody(error, requestId);
  if (family === "ollama") return { error: error.message };
  if (family === "anthropic") {
    const details = error.details.anthropic;
    return {
      type: "error",
      error: {
        type: getAnthropicType(error, row),
        message: provider?.message ?? error.message,
        ...(details === undefined ? {} : { details }),
      },
      request_id: requestId,
    };
  }
  const code = provider?.code ?? error.code;
  return {
    error: { message: error.message, type: provider?.type ?? row.type, param: error.details.param ?? null, code },
  };
}

/** Google's status names (docs/providers/gemini.md#errors and google.rpc.Code, 2026-11-29); others by status class. */
const GOOGLE_STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  402: "RESOURCE_EXHAUSTED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  405: "UNIMPLEMENTED",
  409: "ABORTED",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  504: "DEADLINE_EXCEEDED",
  508: "ABORTED",
};

const getGoogleStatus = (status: number): string =>
  GOOGLE_STATUSES[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "UNAVAILABLE");

/** Builds Google's error details: the code, the request id, and the retry delay. */
function createGoogleBody(error: GatewayError, requestId: string): Record<string, unknown> {
  const { provider, retryAfter, param } = error.details;
  const own = provider?.code ?? "";
  const metadata = { request_id: requestId, ...(param === undefined ? {} : { param }) };
  const info = { "@type": `${GOOGLE_TYPE}ErrorInfo`, reason: error.code.toUpperCase(), domain: "postern", metadata };
  const wait = { "@type": `${GOOGLE_TYPE}RetryInfo`, retryDelay: `${Math.max(0, Math.ceil(retryAfter ?? 0))}s` };
  return {
    error: {
      code: error.status,
      message: provider?.message ?? error.message,
      // Google's own status is kept if the provider is Google.
      status: GOOGLE_WORDS.has(own) ? own : getGoogleStatus(error.status),
      details: retryAfter === undefined ? [info] : [info, wait],
    },
  };
}

const GOOGLE_TYPE = "type.googleapis.com/google.rpc.";
const GOOGLE_WORDS: ReadonlySet<string> = new Set([
  ...Object.values(GOOGLE_STATUSES),
  "CANCELLED",
  "FAILED_PRECONDITION",
  "OUT_OF_RANGE",
  "UNAVAILABLE",
]);

/** The flat envelope is DashScope's own: its codes (`DataInspectionFailed`) stay, those of others are written otherwise. */
function getFlatCode(ours: string, providers: string | null | undefined): string {
  return providers != null && /^[A-Z][A-Za-z]*(\.[A-Z][A-Za-z]*)*$/.test(providers) ? providers : ours;
}

/** Seconds of wait from which a 429 tells SDKs not to retry. */
const LONG_WAIT_SECONDS = 60;

/** The response headers that belong to an error. */
export function errorHeaders(error: GatewayError): Record<string, string> {
  const row: ErrorRow = errorRegistry[error.code];
  const headers: Record<string, string> = { ...error.details.headers };
  const status = error.status;
  const wait = error.details.retryAfter;
  if (wait !== undefined) headers["retry-after"] = String(Math.max(0, Math.ceil(wait)));
  if (row.retry === false || (status === 429 && wait !== undefined && wait > LONG_WAIT_SECONDS)) {
    headers["x-should-retry"] = "false";
  }
  if (status === 401) headers["www-authenticate"] = "Bearer";
  return headers;
}
