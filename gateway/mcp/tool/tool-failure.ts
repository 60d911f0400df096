import type { CallToolResult } from "@modelcontextprotocol/server";
import type { GatewayError } from "../../core/errors.ts";
import { errorFacts } from "../../core/json-rpc-error.ts";

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
