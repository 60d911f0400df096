import type { ClientKind } from "../client-kind.ts";
import { getToolFile } from "../client-kind.ts";
import { inHome } from "../place.ts";

/**
 * Cursor. Tools: `~/.cursor/mcp.json` (cursor.com/docs/mcp). Its models' base URL and key are in a database of its own
 * (`state.vscdb`), which only Cursor may write: those are put in by hand.
 */
export const cursor: ClientKind = {
  id: "cursor",
  name: "Cursor",
  wire: "chat",
  slots: [],
  files: [getToolFile("json", (machine) => inHome(machine, ".cursor", "mcp.json"), ["mcpServers", "postern"])],
};
