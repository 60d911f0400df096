import { describe, expect, it } from "vitest";
import { configText, mcpClients } from "../../../../renderer/features/mcp/client-configs.ts";

const KEY = "sk-Abc_123-xyz";
const addresses = ["http://127.0.0.1:6174/mcp", "http://[::1]:80/mcp", "http://127.0.0.1:65535/mcp"];

/** Tables of strings, numbers and inline tables of strings: as much TOML as is written here, refused where it is not. */
function readToml(text: string): Record<string, unknown> {
  const tables: Record<string, Record<string, unknown>> = {};
  let table: Record<string, unknown> | undefined;
  for (const line of text.split("\n")) {
    const head = /^\[([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)\]$/.exec(line)?.[1];
    if (head !== undefined) {
      table = tables[head] ??= {};
      continue;
    }
    const [, name, value] = /^([A-Za-z0-9_-]+) = (.+)$/.exec(line) ?? [];
    if (table === undefined || name === undefined || value === undefined || name in table) throw new Error(line);
    const inline = /^\{ ("[^"\\]+") = ("[^"\\]*") \}$/.exec(value);
    // Basic strings without escapes and whole numbers are written as in JSON.
    table[name] =
      inline === null
        ? JSON.parse(value)
        : { [JSON.parse(inline[1] ?? "") as string]: JSON.parse(inline[2] ?? "") as unknown };
  }
  return tables;
}

describe.each(addresses)("at %s", (url) => {
  it("Claude Code gets one command for every project, with the header last", () => {
    expect(configText("claude-code", url, KEY)).toBe(
      `claude mcp add --transport http --scope user postern ${url} --header "Authorization: Bearer ${KEY}"`,
    );
  });

  it("Codex gets TOML with http_headers, which it reads, and time for a picture", () => {
    expect(readToml(configText("codex", url, KEY))).toEqual({
      "mcp_servers.postern": {
        url,
        http_headers: { Authorization: `Bearer ${KEY}` },
        tool_timeout_sec: 600,
      },
    });
  });

  it("Cursor gets JSON with url and headers", () => {
    expect(JSON.parse(configText("cursor", url, KEY))).toEqual({
      mcpServers: { postern: { url, headers: { Authorization: `Bearer ${KEY}` } } },
    });
  });

  it("VS Code gets JSON without the key: it asks for it, hidden", () => {
    const text = configText("vscode", url, KEY);
    expect(text).not.toContain(KEY);
    expect(JSON.parse(text)).toEqual({
      inputs: [{ type: "promptString", id: "postern-key", description: "Postern key", password: true }],
      servers: { postern: { type: "http", url, headers: { Authorization: "Bearer ${input:postern-key}" } } },
    });
  });

  it("Claude Desktop gets a local command whose arguments hold no space", () => {
    const { mcpServers } = JSON.parse(configText("claude-desktop", url, KEY)) as {
      mcpServers: { postern: { command: string; args: string[]; env: Record<string, string> } };
    };
    const { command, args, env } = mcpServers.postern;
    expect([command, ...args.slice(0, 3)]).toEqual(["npx", "-y", "mcp-remote", url]);
    expect(args.filter((each) => each.includes(" "))).toEqual([]);
    expect(args.includes("--allow-http")).toBe(!url.includes("127.0.0.1"));
    expect(args.slice(args.indexOf("--header"))).toEqual(["--header", "Authorization:${POSTERN_AUTH}"]);
    expect(env).toEqual({ POSTERN_AUTH: `Bearer ${KEY}` });
  });
});

it.each(mcpClients.map((client) => [client.label, client] as const))(
  "%s says where its text goes",
  (_label, client) => {
    expect(client.places.every(({ path }) => /^(~\/|%[A-Z]+%\\|\.)/.test(path))).toBe(true);
    expect(client.places.filter(({ kind, path }) => (kind === "windows") !== path.includes("\\"))).toEqual([]);
    expect(client.places.filter(({ path }) => path.includes("undefined") || path.includes("$"))).toEqual([]);
    expect(configText(client.id, "http://127.0.0.1:1/mcp", "sk-…").includes("sk-…")).toBe(client.holdsKey);
  },
);
