import type { McpView, TriedTool, TryTool } from "../../contract/mcp.ts";

/** Control operations of the MCP server, which is independent of HTTP. */
export interface McpControl {
  view(): Promise<McpView>;
  /**
   * Calls a tool for the owner under one of the local keys, or asks what that would cost. What a tool refuses comes as
   * a result with `is_error`.
   * @throws GatewayError when there is no such tool or key
   */
  tryTool(input: TryTool): Promise<TriedTool>;
  /**
   * Ends a running call by the name that the page gave to it.
   * @throws GatewayError not_found when nothing runs under it
   */
  cancelTrial(trial: string): Promise<void>;
}
