import { Failure } from "../failure.ts";
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
