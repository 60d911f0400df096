import type { McpView, TriedTool, TryTool } from "../../contract/mcp.ts";

/** Control operations of the MCP server, which is independent of HTTP. */
export interface McpControl {
  view(): Promise<McpView>;
  /**
   * Calls a tool for the user with one of the local keys, or estimates its cost. A refusal by the tool is a result with
   * `is_error`.
   * @throws GatewayError if there is no such tool or key
   */
  tryTool(input: TryTool): Promise<TriedTool>;
  /**
   * Ends a running call by the name that the page gave to it.
   * @throws GatewayError not_found when nothing runs under it
   */
  cancelTrial(trial: string): Promise<void>;
}
