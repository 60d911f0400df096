import type { ClientKind } from "../client-kind.ts";
import { getToolFile } from "../client-kind.ts";
import { inHome } from "../place.ts";

/**
 * Cursor. Tools: `~/.cursor/mcp.json` (cursor.com/docs/mcp). The base URL and key of models are in Cursor's own
 * database (`state.vscdb`), which only Cursor may write, so they need manual setup.
 */
export const cursor: ClientKind = {
  id: "cursor",
  name: "Cursor",
  wire: "chat",
  slots: [],
  files: [getToolFile("json", (machine) => inHome(machine, ".cursor", "mcp.json"), ["mcpServers", "postern"])],
};
