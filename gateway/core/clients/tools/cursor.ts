import type { ClientKind } from "../client-kind.ts";
import { value } from "../client-kind.ts";
import { getValue } from "../data.ts";
import { inHome } from "../place.ts";
import { readTools } from "./claude-code.ts";

/**
 * Cursor. Tools: `~/.cursor/mcp.json` (cursor.com/docs/mcp). Its models' base URL and key are in a database of its own
 * (`state.vscdb`), which only Cursor may write: those are put in by hand.
 */
export const cursor: ClientKind = {
  id: "cursor",
  name: "Cursor",
  wire: "chat",
  slots: [],
  keyElsewhere: false,
  files: {
    mcp: {
      format: "json",
      place: (machine) => inHome(machine, ".cursor", "mcp.json"),
      settings: ({ origin, key }) => [
        value(["mcpServers", "postern"], { url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } }),
      ],
      connected: (data) => readTools(getValue(data, ["mcpServers", "postern"])),
    },
  },
};
