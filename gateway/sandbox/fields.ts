import type { IncomingMessage } from "node:http";
import { exceedsDepth } from "../core/json-depth.ts";

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object whose fields have not been looked at yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** `value` as a list; empty when it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `value` as text; undefined when it is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A response that is an error, in the words and the shape of OpenAI's API (docs/providers/openai.md#errors). */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    details: { type?: string; code?: string; param?: string; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.type = details.type ?? "invalid_request_error";
    this.code = details.code ?? null;
    this.param = details.param ?? null;
    this.headers = details.headers ?? {};
  }
}

/** OpenAI's envelope of an error. */
export function failureBody(failure: Failure): string {
  const { message, type, param, code } = failure;
  return JSON.stringify({ error: { message, type, param, code } });
}

/** A field with a value that the provider would refuse. */
export function invalidValue(param: string, sentence: string): Failure {
  return new Failure(400, `Invalid value for '${param}': ${sentence}`, { param, code: "invalid_value" });
}

/** A field of the wrong JSON type. */
export function invalidType(param: string, expected: string): Failure {
  return new Failure(400, `Invalid type for '${param}': expected ${expected}.`, { param, code: "invalid_type" });
}

/** A field that must be there and is not. */
export function missing(param: string): Failure {
  return new Failure(400, `Missing required parameter: '${param}'.`, { param, code: "missing_required_parameter" });
}

/** The provider's sentence for a model that it does not have. */
export function modelNotFound(id: string): Failure {
  return new Failure(404, `The model \`${id}\` does not exist or you do not have access to it.`, {
    param: "model",
    code: "model_not_found",
  });
}

interface Kind {
  readonly type: string;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What OpenAI-compatible providers send with these statuses; 402 and 529 are those of other providers of the dialect. */
const KINDS: Readonly<Record<number, Kind>> = {
  401: { type: "invalid_request_error", code: "invalid_api_key" },
  402: { type: "insufficient_quota", code: "insufficient_quota" },
  403: { type: "permission_error" },
  404: { type: "invalid_request_error", code: "not_found" },
  413: { type: "invalid_request_error", code: "request_too_large" },
  429: { type: "requests", code: "rate_limit_exceeded", headers: { "retry-after": "1" } },
  503: { type: "service_unavailable_error", code: "slow_down" },
  529: { type: "overloaded_error" },
};

/** The error that a prompt asked for with `sandbox:error=STATUS` (400 to 599) or `sandbox:fail`. */
export function requestedFailure(status: number): Failure {
  const kind = KINDS[status] ?? { type: status >= 500 ? "server_error" : "invalid_request_error" };
  return new Failure(status, `The sandbox was asked to fail with status ${status}.`, kind);
}

/**
 * A number of the request within its bounds; undefined when it is absent or null.
 * @throws Failure (400) that names the field, the bound and the value
 */
export function numberOf(body: Fields, param: string, least = -Infinity, most = Infinity): number | undefined {
  const value = body[param];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number") throw invalidType(param, "a number");
  if (value < least) throw outOfBounds(param, value, `>= ${least}`, "below_min_value");
  if (value > most) throw outOfBounds(param, value, `<= ${most}`, "above_max_value");
  return value;
}

/** As `numberOf`, for whole numbers. */
export function integerOf(body: Fields, param: string, least = -Infinity, most = Infinity): number | undefined {
  const value = numberOf(body, param, least, most);
  if (value !== undefined && !Number.isInteger(value)) throw invalidType(param, "an integer");
  return value;
}

/** A switch of the request; undefined when it is absent or null. */
export function booleanOf(body: Fields, param: string): boolean | undefined {
  const value = body[param];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "boolean") throw invalidType(param, "a boolean");
  return value;
}

const MOST_STOPS = 4;

/** `stop`: one text or up to four. Empty ones would stop every response before it began and are left out. */
export function stopOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MOST_STOPS) {
    throw new Failure(400, `Invalid 'stop': array too long. Expected an array with maximum length ${MOST_STOPS}.`, {
      param: "stop",
      code: "array_above_max_length",
    });
  }
  return list
    .map((item) => {
      const text = textOf(item);
      if (text === undefined) throw invalidType("stop", "a string or an array of strings");
      return text;
    })
    .filter((text) => text !== "");
}

function outOfBounds(param: string, value: number, bound: string, code: string): Failure {
  const kind = Number.isInteger(value) ? "integer" : "decimal";
  return new Failure(400, `Invalid '${param}': expected a value ${bound}, but got ${value} instead.`, {
    param,
    code: `${kind}_${code}`,
  });
}

/** The largest request, as on the gateway itself. */
const LARGEST_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Reads a request's body.
 * @throws Failure 413 beyond `largest`, 415 for a compressed body; the stream's own error when the client goes away
 */
export async function readBody(request: IncomingMessage, largest = LARGEST_BODY_BYTES): Promise<Buffer> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw new Failure(415, `The request body must not be compressed (${encoding}).`);
  if (Number(request.headers["content-length"] ?? 0) > largest) throw tooLarge(largest);
  const parts: Buffer[] = [];
  let length = 0;
  // Leaving the loop must not destroy the stream: with it would go the connection, and the response.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > largest) throw tooLarge(largest);
    parts.push(part);
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

function tooLarge(largest: number): Failure {
  return new Failure(413, `The request body is larger than ${largest / 1024 / 1024} MiB.`, {
    code: "request_too_large",
  });
}

/** Nothing that a provider accepts is nested deeper; what is deeper could exhaust the stack further on. */
const DEEPEST_JSON = 200;

/**
 * The JSON value of a body.
 * @throws Failure (400) when it is not JSON in UTF-8, or nested too deeply
 */
export function parsedJson(body: Buffer): unknown {
  const value = jsonOf(body);
  if (exceedsDepth(value, DEEPEST_JSON)) {
    throw new Failure(400, `The JSON body of your request is nested more than ${DEEPEST_JSON} levels deep.`);
  }
  return value;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as unknown;
  } catch {
    throw new Failure(400, "We could not parse the JSON body of your request. It must be a JSON document in UTF-8.");
  }
}
