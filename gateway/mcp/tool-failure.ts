import type { CallToolResult } from "@modelcontextprotocol/server";
import type { GatewayError } from "../core/errors.ts";

/** Where a failing result holds its error for programs. Structured content is kept for what the output schema says. */
export const ERROR_META = "postern/error";

/**
 * A tool that failed as it may: a result that the model can read and act on (MCP: execution errors are results, so that
 * the model can correct itself), with the gateway's code, as /v1 would have said it.
 */
export function failedResult(error: GatewayError, requestId: string): CallToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: `${error.code}: ${error.message}` }],
    _meta: { [ERROR_META]: errorFacts(error, requestId) },
  };
}

/** What programs are told of an error, in results and in JSON-RPC errors. */
export function errorFacts(error: GatewayError, requestId: string): Record<string, unknown> {
  const { param, retryAfter, vendor } = error.details;
  return {
    code: error.code,
    status: error.status,
    param: param ?? null,
    request_id: requestId,
    ...(retryAfter === undefined ? {} : { retry_after_seconds: Math.max(0, Math.ceil(retryAfter)) }),
    ...(vendor?.code == null ? {} : { vendor_code: vendor.code }),
  };
}
