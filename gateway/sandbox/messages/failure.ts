import { Failure, type Fields } from "../fields.ts";
import { seedOf } from "../seed.ts";

/** Anthropic's word for each status (docs/providers/anthropic.md#errors). */
const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** Anthropic's envelope of an error. */
export function anthropicFailureBody(failure: Failure): string {
  const type = TYPES[failure.status] ?? (failure.status >= 500 ? "api_error" : "invalid_request_error");
  const details = failure.code === THREAD_NOT_FOUND ? { details: { error_code: failure.code } } : {};
  return JSON.stringify({
    type: "error",
    error: { type, message: failure.message, ...details },
    request_id: requestIdOf(failure),
  });
}

/** A failure of this protocol: the same, with its request id in the headers too. */
export function withRequestId(failure: Failure): Failure {
  const { status, message, type, code, param, headers } = failure;
  return new Failure(status, message, {
    type,
    ...(code === null ? {} : { code }),
    ...(param === null ? {} : { param }),
    headers: { ...headers, "request-id": requestIdOf(failure) },
  });
}

function requestIdOf({ status, message }: Failure): string {
  return `req_${seedOf(`${status} ${message}`).digits("request", 24)}`;
}

/** A field that is wrong, in the words of Anthropic's own validation: the path with dots, then the sentence. */
export function invalid(path: string, sentence: string): Failure {
  return new Failure(400, `${path}: ${sentence}`);
}

const THREAD_NOT_FOUND = "thread_not_found";

/** The sandbox keeps no conversations, and Anthropic keeps them for a while: clients send all of it again then. */
export function threadNotFound(previous: string): Failure {
  return new Failure(404, `No usable thread was found for previous_message_id ${previous}.`, {
    code: THREAD_NOT_FOUND,
  });
}

/** A field that must be there. */
export function required(path: string): Failure {
  return invalid(path, "Field required");
}

/** A number within its bounds; null where it is absent. @throws Failure (400) in Anthropic's words */
export function numberIn(body: Fields, name: string, least: number, most: number): number | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== "number") throw invalid(name, "Input should be a valid number");
  if (value < least) throw invalid(name, `Input should be greater than or equal to ${least}`);
  if (value > most) throw invalid(name, `Input should be less than or equal to ${most}`);
  return value;
}

/** As `numberIn`, for whole numbers without an upper bound. */
export function wholeFrom(body: Fields, name: string, least: number, path = name): number | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== "number" || !Number.isInteger(value)) throw invalid(path, "Input should be a valid integer");
  if (value < least) throw invalid(path, `Input should be greater than or equal to ${least}`);
  return value;
}

/** A switch; false where it is absent. */
export function switchIn(body: Fields, name: string): boolean {
  const value = body[name];
  if (value === undefined || value === null) return false;
  if (typeof value !== "boolean") throw invalid(name, "Input should be a valid boolean");
  return value;
}
