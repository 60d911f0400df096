import { isRecord } from "../lib/records.ts";
import type { Exchange, Route } from "./exchange.ts";
import { Failure, type Fields, parsedJson } from "./fields.ts";
import { seedOf } from "./seed.ts";

/** One of the things that DashScope does at its one path for pictures and speech: told by what `input` holds. */
export interface MultimodalOperation {
  /** A field of `input` that only this operation has: `text` for speech, `messages` for pictures. */
  readonly field: string;
  response(exchange: Exchange, body: Fields, input: Fields): void | Promise<void>;
}

/** `POST /api/v1/services/aigc/multimodal-generation/generation` (docs/providers/dashscope.md#images). */
export function multimodalRoute(operations: readonly MultimodalOperation[]): Route {
  return {
    method: "POST",
    path: "/api/v1/services/aigc/multimodal-generation/generation",
    failureBody: nativeFailureBody,
    handle: (exchange) => {
      const body = parsedJson(exchange.body);
      if (!isRecord(body)) throw invalidParameter("the body must be a JSON object.");
      const input = isRecord(body["input"]) ? body["input"] : {};
      const operation = operations.find(({ field }) => input[field] !== undefined);
      if (operation !== undefined) return operation.response(exchange, body, input);
      throw invalidParameter(`input must hold ${operations.map(({ field }) => field).join(" or ")}.`);
    },
  };
}

/** What DashScope calls a parameter that it refuses. */
export function invalidParameter(sentence: string): Failure {
  return new Failure(400, `InvalidParameter: ${sentence}`, { code: "InvalidParameter" });
}

/** DashScope's codes by status (docs/providers/dashscope.md#errors). */
const CODES: Readonly<Record<number, string>> = {
  400: "InvalidParameter",
  401: "InvalidApiKey",
  402: "Arrearage",
  403: "AccessDenied",
  404: "ModelNotFound",
  413: "RequestTooLarge",
  429: "Throttling.RateQuota",
  500: "InternalError",
  503: "ServiceUnavailable",
};

/** `{code,message,request_id}`: the native envelope. */
export function nativeFailureBody({ status, code, message }: Failure): string {
  const own = code !== null && /^[A-Z]/.test(code) ? code : (CODES[status] ?? CODES[status < 500 ? 400 : 500]);
  return JSON.stringify({ code: own, message, request_id: requestIdOf(message) });
}

/** An id as DashScope makes them, from what it belongs to. */
export function requestIdOf(bytes: string | Uint8Array): string {
  const digits = seedOf(bytes).digits("request", 32);
  return [8, 12, 16, 20, 32].map((end, index) => digits.slice([0, 8, 12, 16, 20][index], end)).join("-");
}
