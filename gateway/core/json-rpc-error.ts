import type { ErrorCode, GatewayError } from "./errors.ts";
import { isRecord } from "../lib/records.ts";

/** JSON-RPC 2.0's own numbers, and -32000 of the range that it leaves to servers. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const SERVER_ERROR = -32_000;

const NUMBERS: Partial<Readonly<Record<ErrorCode, number>>> = {
  invalid_json: PARSE_ERROR,
  invalid_body: INVALID_REQUEST,
  invalid_type: INVALID_PARAMS,
  invalid_value: INVALID_PARAMS,
  missing_required_parameter: INVALID_PARAMS,
  not_found: INVALID_PARAMS,
  internal_error: INTERNAL_ERROR,
};

/** Returns the JSON-RPC number of an error. Programs that support Postern use the code in its data. */
export function computeJsonRpcNumber({ code }: GatewayError): number {
  return NUMBERS[code] ?? SERVER_ERROR;
}

/** Returns the facts of an error for the data of a JSON-RPC error. */
export function createErrorFacts(error: GatewayError, requestId: string): Record<string, unknown> {
  const { param, retryAfter, provider } = error.details;
  return {
    code: error.code,
    status: error.status,
    param: param ?? null,
    request_id: requestId,
    ...(retryAfter === undefined ? {} : { retry_after_seconds: Math.max(0, Math.ceil(retryAfter)) }),
    ...(provider?.code == null ? {} : { provider_code: provider.code }),
  };
}

/**
 * Builds the response body for a message that was refused as a whole.
 * @param message the message, as far as it was parsed: its id is echoed, so that the client knows which request failed.
 */
export function jsonRpcErrorBody(error: GatewayError, message: unknown, requestId: string): Record<string, unknown> {
  const id = isRecord(message) && typeof message["method"] === "string" ? message["id"] : null;
  return {
    jsonrpc: "2.0",
    id: typeof id === "string" || typeof id === "number" ? id : null,
    error: { code: computeJsonRpcNumber(error), message: error.message, data: createErrorFacts(error, requestId) },
  };
}
