import type { ProviderError, ProviderErrorKind } from "../core/attempts/provider-error.ts";
import { asList, isRecord } from "../lib/records.ts";
import type { ResponseHeaders } from "../upstream/response-headers.ts";

/** An error response's content before its meaning is known. */
export type ErrorEnvelope = Omit<ProviderError, "kind">;

const MAX_MESSAGE = 2_000;
const LONGEST_WAIT_S = 86_400;

/**
 * Reads the known error envelopes (docs/providers/README.md#error-envelopes): `{error:{message,type,param,code}}` with
 * a string, number or no code; `{error:"…"}`, with or without a `code` (xAI); unwrapped `{message,type,code}` (vLLM,
 * DashScope); `{detail}` (FastAPI, Voyage); any of them in a one-element array (Gemini). Anything else (an HTML page,
 * nothing) is described by its status, never by its bytes. Never throws.
 */
export function readEnvelope(status: number, headers: ResponseHeaders, body: unknown): ErrorEnvelope {
  const record = buildErrorRecord(body);
  const inner = isRecord(record["error"]) ? record["error"] : record;
  const message =
    getText(record["error"]) ??
    getText(inner["message"]) ??
    getText(inner["detail"]) ??
    invalidField(inner["detail"]) ??
    `The provider responded with status ${status}.`;
  return {
    status,
    message: message.slice(0, MAX_MESSAGE),
    type: getText(inner["type"]),
    code: typeof inner["code"] === "number" ? String(inner["code"]) : getText(inner["code"]),
    param: getText(inner["param"]),
    retryAfter: readRetryAfter(headers),
  };
}

/** FastAPI's list of what is wrong: the first entry, with the field that it is about. */
function invalidField(detail: unknown): string | null {
  const [first]: readonly unknown[] = asList(detail);
  if (!isRecord(first)) return null;
  const place = Array.isArray(first["loc"]) ? first["loc"].filter((part) => part !== "body").join(".") : "";
  const message = getText(first["msg"]) ?? getText(first["type"]);
  return message === null ? null : `${place === "" ? "" : `${place}: `}${message}`;
}

/** Returns an error response's object, unwrapped from an array; empty when it is not an object. */
export function buildErrorRecord(body: unknown): Record<string, unknown> {
  const outer: unknown = Array.isArray(body) ? body[0] : body;
  return isRecord(outer) ? outer : {};
}

/**
 * Reads MiniMax's error fields under their own names (https://platform.minimax.io/docs/api-reference/errorcode, from
 * memory).
 */
export function buildMinimaxError(base: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const code = Number(base["status_code"]);
  const message = getText(base["status_msg"]) ?? `The provider responded with code ${code}.`;
  return { error: { message, code: MINIMAX_CODES.get(code) ?? String(code) } };
}

const MINIMAX_CODES: ReadonlyMap<number, string> = new Map([
  [1002, "rate_limit_exceeded"],
  [1004, "invalid_api_key"],
  [1008, "insufficient_balance"],
  [1026, "content_filter"],
  [1027, "content_filter"],
  [1039, "rate_limit_exceeded"],
  [2013, "invalid_request_error"],
  [2049, "invalid_api_key"],
]);

/** Types and codes that identify the party at fault; the first match is used. */
const WORDS: readonly (readonly [words: RegExp, status: number])[] = [
  [/insufficient_(?:quota|balance)|billing|out_of_credit/i, 402],
  [/rate_?limit|too_many_requests/i, 429],
  [/overloaded/i, 529],
  [/unavailable/i, 503],
  [/authentication|invalid_api_key|unauthorized/i, 401],
  [/permission|forbidden/i, 403],
  [/model_not_found|not_found_error/i, 404],
  // https://github.com/Wei-Shaw/sub2api/pull/3381, read 2026-11-28.
  [
    /invalid_request|bad_?request|user_error|_blocked$|^content_|context_length|string_above_max|invalid_(?:value|prompt|type)|unsupported_/i,
    400,
  ],
];

/**
 * Returns the implied status of an error inside a response with status 200: its code, or what its message means.
 * @returns 500 if the party at fault is unknown, which counts as a provider failure
 */
export function formatStatusInWords(error: Readonly<Record<string, unknown>>): number {
  const inner = isRecord(error["error"]) ? error["error"] : error;
  const number = Number(inner["code"] ?? inner["status"]);
  if (Number.isInteger(number) && number >= 400 && number <= 599) return number;
  for (const code of [getText(inner["code"]), getText(inner["type"])]) {
    const found = code === null ? undefined : WORDS.find(([words]) => words.test(code));
    if (found !== undefined) return found[1];
  }
  return 500;
}

/** Returns the meaning of a status without further details (docs/providers/README.md#retry-classes). */
export function createKindByStatus(status: number): ProviderErrorKind {
  if (status === 402) return "no_money";
  if (status === 401 || status === 403 || status === 407) return "auth";
  if (status === 404) return "model_not_found";
  if (status === 429) return "rate";
  // No provider's own status: it is Postern's, whose base URL was given as a provider's.
  if (status === 508) return "loop";
  if (status === 408 || status >= 500 || status < 400) return "overload";
  return "bad_request";
}

/** Returns the kind of a dotted code: by the whole code, or by the part before its first dot. */
export function buildKindByCode(
  kinds: ReadonlyMap<string, ProviderErrorKind>,
  code: string | null,
): ProviderErrorKind | undefined {
  if (code === null) return undefined;
  return kinds.get(code) ?? kinds.get(code.split(".", 1)[0] ?? "");
}

/**
 * Creates the error with a corrected status, because an error inside a response or stream with status 200 has no status
 * of its own.
 */
export function createProviderError(envelope: ErrorEnvelope, kind: ProviderErrorKind): ProviderError {
  return { ...envelope, kind, status: getStatus(kind, envelope.status) };
}

function getStatus(kind: ProviderErrorKind, status: number): number {
  const clientError = status >= 400 && status < 500;
  switch (kind) {
    case "bad_request":
      return clientError ? status : 400;
    case "model_not_found":
      return 404;
    case "rate":
      return 429;
    case "overload":
      // Some use 429 for general overload, which is not the client's fault (Ark, docs/providers/ark.md#errors).
      return status === 429 ? 503 : status;
    default:
      return status;
  }
}

/** Reads `retry-after-ms`, then `retry-after` in seconds or as an HTTP date; null without a valid value. */
function readRetryAfter(headers: ResponseHeaders): number | null {
  const { "retry-after-ms": milliseconds, "retry-after": value } = headers;
  if (milliseconds !== undefined) {
    const wait = sensible(Number(milliseconds) / 1_000);
    if (wait !== null) return wait;
  }
  if (value === undefined || value === "") return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return sensible(seconds);
  return sensible((Date.parse(value) - Date.parse(headers["date"] ?? "")) / 1_000);
}

/** No provider is away for longer than a day. */
function sensible(seconds: number): number | null {
  return seconds >= 0 ? Math.min(seconds, LONGEST_WAIT_S) : null;
}

function getText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
