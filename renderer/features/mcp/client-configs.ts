/** Ready configurations of MCP clients. Pure texts, checked by tests: JSON and TOML that the clients read as they are. */

export type McpClientId = "claude-code" | "codex" | "cursor" | "vscode" | "claude-desktop";

/** Location of a file, by platform or by scope. */
export type PlaceKind = "unix" | "mac" | "linux" | "windows" | "project";

export interface McpClient {
  readonly id: McpClientId;
  readonly label: string;
  /** Files for the text; absent for a terminal command. */
  readonly places: readonly { readonly kind: PlaceKind; readonly path: string }[];
  /** Whether the text contains the key. VS Code prompts for it instead. */
  readonly holdsKey: boolean;
}

const VSCODE_USER = "Code/User/mcp.json";
const DESKTOP_FILE = "claude_desktop_config.json";

export const mcpClients: readonly McpClient[] = [
  { id: "claude-code", label: "Claude Code", places: [], holdsKey: true },
  {
    id: "codex",
    label: "Codex",
    places: [
      { kind: "unix", path: "~/.codex/config.toml" },
      { kind: "windows", path: String.raw`%USERPROFILE%\.codex\config.toml` },
    ],
    holdsKey: true,
  },
  {
    id: "cursor",
    label: "Cursor",
    places: [
      { kind: "unix", path: "~/.cursor/mcp.json" },
      { kind: "windows", path: String.raw`%USERPROFILE%\.cursor\mcp.json` },
      { kind: "project", path: ".cursor/mcp.json" },
    ],
    holdsKey: true,
  },
  {
    id: "vscode",
    label: "VS Code",
    places: [
      { kind: "mac", path: `~/Library/Application Support/${VSCODE_USER}` },
      { kind: "linux", path: `~/.config/${VSCODE_USER}` },
      { kind: "windows", path: String.raw`%APPDATA%\Code\User\mcp.json` },
      { kind: "project", path: ".vscode/mcp.json" },
    ],
    holdsKey: false,
  },
  {
    id: "claude-desktop",
    label: "Claude Desktop",
    places: [
      { kind: "mac", path: `~/Library/Application Support/Claude/${DESKTOP_FILE}` },
      { kind: "windows", path: `%APPDATA%\\Claude\\${DESKTOP_FILE}` },
    ],
    holdsKey: true,
  },
];

/** Spaces within an argument are lost on Windows: the header's value comes from the environment. */
const HEADER_ARGUMENT = "Authorization:${POSTERN_AUTH}";

/** Codex gives up on a tool after 60 s, which is less than many pictures take; seconds. */
const CODEX_TOOL_SECONDS = 600;

/**
 * Returns the configuration text for a client.
 * @param url of the tool server, as http://127.0.0.1:6174/mcp
 * @param key a local key, or what stands for it
 */
export function configText(client: McpClientId, url: string, key: string): string {
  const bearer = `Bearer ${key}`;
  switch (client) {
    case "claude-code":
      // The header comes last, because its option consumes all following arguments.
      return `claude mcp add --transport http --scope user postern ${url} --header "Authorization: ${bearer}"`;
    case "codex":
      return [
        "[mcp_servers.postern]",
        `url = ${JSON.stringify(url)}`,
        `http_headers = { "Authorization" = ${JSON.stringify(bearer)} }`,
        `tool_timeout_sec = ${CODEX_TOOL_SECONDS}`,
      ].join("\n");
    case "cursor":
      return json({ mcpServers: { postern: { url, headers: { Authorization: bearer } } } });
    case "vscode":
      return json({
        inputs: [{ type: "promptString", id: "postern-key", description: "Postern key", password: true }],
        servers: { postern: { type: "http", url, headers: { Authorization: "Bearer ${input:postern-key}" } } },
      });
    case "claude-desktop":
      return json({
        mcpServers: {
          postern: {
            command: "npx",
            args: ["-y", "mcp-remote", url, "--transport", "http-only", ...plainHttp(url), "--header", HEADER_ARGUMENT],
            env: { POSTERN_AUTH: bearer },
          },
        },
      });
  }
}

/** Returns the flag for plain HTTP, which mcp-remote needs except for these names of this machine. */
function plainHttp(url: string): readonly string[] {
  return ["127.0.0.1", "localhost"].includes(new URL(url).hostname) ? [] : ["--allow-http"];
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
