import { describe, expect, it, test } from "vitest";
import type { ClientId, ClientModels } from "../../../../gateway/contract/clients.ts";
import { findFile, type ClientFile } from "../../../../gateway/core/clients/client-kind.ts";
import { readKind } from "../../../../gateway/core/clients/client-kinds.ts";
import { createLineDiff } from "../../../../gateway/core/clients/line-diff.ts";
import { manualTexts } from "../../../../gateway/core/clients/manual.ts";
import type { Machine } from "../../../../gateway/core/clients/place.ts";
import { listClientLoops, listConnectionLoops, samePlace } from "../../../../gateway/core/clients/self-loop.ts";

const mac: Machine = { platform: "darwin", home: "/Users/ada", env: {} };
const linux: Machine = { platform: "linux", home: "/home/ada", env: {} };
const windows: Machine = {
  platform: "win32",
  home: String.raw`C:\Users\ada`,
  env: { APPDATA: String.raw`C:\Users\ada\AppData\Roaming`, LOCALAPPDATA: String.raw`C:\Users\ada\AppData\Local` },
};
const PROFILE = "7b0f6a1e-6174-4d5a-9c3b-706f73746572";
const getFile = (id: ClientId, part: "models" | "mcp"): ClientFile | undefined => {
  const kind = readKind(id);
  return kind === undefined ? undefined : findFile(kind, part);
};
const withEnv = (machine: Machine, env: Machine["env"]): Machine => ({ ...machine, env: { ...machine.env, ...env } });

describe("where the files of clients are", () => {
  test.each<[ClientId, "models" | "mcp", Machine, string | undefined]>([
    ["claude-code", "models", linux, "/home/ada/.claude/settings.json"],
    ["claude-code", "mcp", mac, "/Users/ada/.claude.json"],
    ["claude-code", "mcp", withEnv(linux, { CLAUDE_CONFIG_DIR: "/data/claude" }), "/data/claude/.claude.json"],
    ["claude-code", "models", withEnv(linux, { CLAUDE_CONFIG_DIR: "/data/claude/" }), "/data/claude/settings.json"],
    ["claude-code", "models", withEnv(linux, { CLAUDE_CONFIG_DIR: "relative" }), "/home/ada/.claude/settings.json"],
    ["claude-code", "models", windows, String.raw`C:\Users\ada\.claude\settings.json`],
    ["codex", "models", linux, "/home/ada/.codex/config.toml"],
    ["codex", "mcp", withEnv(mac, { CODEX_HOME: "/x" }), "/x/config.toml"],
    ["cursor", "mcp", mac, "/Users/ada/.cursor/mcp.json"],
    ["cursor", "models", mac, undefined],
    ["opencode", "models", linux, "/home/ada/.config/opencode/opencode.json"],
    ["opencode", "models", withEnv(linux, { XDG_CONFIG_HOME: "/x" }), "/x/opencode/opencode.json"],
    ["zed", "models", withEnv(linux, { XDG_CONFIG_HOME: "/x" }), "/x/zed/settings.json"],
    ["zed", "models", withEnv(mac, { XDG_CONFIG_HOME: "/x" }), "/Users/ada/.config/zed/settings.json"],
    ["zed", "models", windows, String.raw`C:\Users\ada\AppData\Roaming\Zed\settings.json`],
    ["qwen-code", "models", linux, "/home/ada/.qwen/settings.json"],
    ["continue", "models", linux, "/home/ada/.continue/config.yaml"],
    ["continue", "mcp", withEnv(linux, { CONTINUE_GLOBAL_DIR: "/c" }), "/c/config.yaml"],
    ["codex", "models", { ...linux, home: null }, undefined],
    ["claude-desktop", "models", mac, `/Users/ada/Library/Application Support/Claude-3p/configLibrary/${PROFILE}.json`],
    [
      "claude-desktop",
      "models",
      windows,
      String.raw`C:\Users\ada\AppData\Local\Claude-3p\configLibrary` + `\\${PROFILE}.json`,
    ],
    ["claude-desktop", "models", withEnv(linux, { CLAUDE_USER_DATA_DIR: "/c" }), `/c/configLibrary/${PROFILE}.json`],
    ["vs-code", "models", mac, "/Users/ada/Library/Application Support/Code/User/chatLanguageModels.json"],
    ["vs-code", "mcp", windows, String.raw`C:\Users\ada\AppData\Roaming\Code\User\mcp.json`],
    ["openclaw", "models", withEnv(linux, { OPENCLAW_CONFIG_PATH: "/o/my.json" }), "/o/my.json"],
    ["openclaw", "models", withEnv(linux, { OPENCLAW_STATE_DIR: "/o" }), "/o/openclaw.json"],
    ["openclaw", "mcp", mac, "/Users/ada/.openclaw/openclaw.json"],
    ["hermes", "models", withEnv(linux, { HERMES_HOME: "/h" }), "/h/config.yaml"],
    ["hermes", "models", windows, String.raw`C:\Users\ada\AppData\Local\hermes\config.yaml`],
    ["cline", "models", withEnv(linux, { CLINE_DIR: "/c" }), "/c/data/settings/providers.json"],
    ["cline", "mcp", withEnv(linux, { CLINE_DATA_DIR: "/d" }), "/d/settings/cline_mcp_settings.json"],
    ["kilo-code", "models", withEnv(linux, { XDG_CONFIG_HOME: "/x" }), "/x/kilo/kilo.json"],
    ["pi", "models", withEnv(linux, { PI_CODING_AGENT_DIR: "/p" }), "/p/models.json"],
    ["pi", "mcp", linux, undefined],
    ["factory-droid", "models", windows, String.raw`C:\Users\ada\.factory\settings.json`],
    ["grok-build", "models", withEnv(mac, { GROK_HOME: "/g" }), "/g/config.toml"],
    ["gemini-cli", "models", linux, "/home/ada/.gemini/.env"],
    ["goose", "models", mac, "/Users/ada/.config/goose/custom_providers/postern.json"],
    ["goose", "mcp", windows, String.raw`C:\Users\ada\AppData\Roaming\Block\goose\config\config.yaml`],
    ["junie", "models", withEnv(linux, { JUNIE_HOME: "/j" }), "/j/models/postern.json"],
    ["raycast", "models", mac, "/Users/ada/.config/raycast/ai/providers.yaml"],
  ])("%s, %s", (id, part, machine, path) => {
    expect(getFile(id, part)?.place(machine)?.path).toBe(path);
  });
});

describe("Claude Code", () => {
  const contexts: Readonly<Record<string, number>> = { "gpt-5.5": 1_050_000, "tiny-one": 32_000 };
  const written = (models: ClientModels): Record<string, unknown> => {
    const settings = getFile("claude-code", "models")?.settings({
      origin: "http://127.0.0.1:6174",
      key: "sk-Abc123",
      models,
      contextOf: (model) => contexts[model] ?? 128_000,
      offered: [],
    });
    return Object.fromEntries((settings ?? []).map(({ path, value }) => [path[1], value]));
  };

  it("sends no other key than ours, whatever the shell holds", () => {
    expect(written({})).toEqual({
      ANTHROPIC_BASE_URL: "http://127.0.0.1:6174",
      ANTHROPIC_AUTH_TOKEN: "sk-Abc123",
      ANTHROPIC_API_KEY: "",
      CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: "1",
    });
  });

  it("is given the limits of models that it does not know, and of no others", () => {
    const known = { opus: "claude-opus-5-5", sonnet: "anthropic/claude-sonnet-5.5", haiku: "claude-haiku-5-5" };
    expect(written(known)).not.toHaveProperty("CLAUDE_CODE_MAX_CONTEXT_TOKENS");
    expect(written({ ...known, haiku: "tiny-one" })).toMatchObject({ CLAUDE_CODE_MAX_CONTEXT_TOKENS: "32000" });
    expect(written({ ...known, haiku: "tiny-one" })).not.toHaveProperty("CLAUDE_CODE_DISABLE_1M_CONTEXT");
    expect(written({ opus: "gpt-5.5", sonnet: "gpt-5.5", haiku: "tiny-one" })).toMatchObject({
      ANTHROPIC_DEFAULT_FABLE_MODEL: "gpt-5.5",
      CLAUDE_CODE_DISABLE_1M_CONTEXT: "1",
      CLAUDE_CODE_MAX_CONTEXT_TOKENS: "32000",
    });
  });
});

it.each([
  ["gpt-5.5", undefined],
  ["claude-sonnet-5-5", 200_000],
])("Codex is given the limits of %s: %s", (main, expected) => {
  const order = { origin: "http://127.0.0.1:6174", key: "sk-Abc123", contextOf: () => 200_000, offered: [] };
  const settings = getFile("codex", "models")?.settings({ ...order, models: { main } }) ?? [];
  expect(settings.find(({ path }) => path.join(".") === "model_context_window")?.value).toBe(expected);
});

describe("the lines of a change", () => {
  it("have their numbers, and three lines around each", () => {
    const before = Array.from({ length: 20 }, (_, n) => `line ${n + 1}`).join("\n");
    const lines = createLineDiff(before, before.replace("line 10\n", "line ten\nline 10b\n"));
    expect(lines.map(({ kind, before: old, after }) => [kind[0], old, after])).toEqual([
      ["s", 7, 7],
      ["s", 8, 8],
      ["s", 9, 9],
      ["r", 10, null],
      ["a", null, 10],
      ["a", null, 11],
      ["s", 11, 12],
      ["s", 12, 13],
      ["s", 13, 14],
    ]);
  });

  test.each([
    ["", "a\n", ["+a"]],
    ["a\n", "", ["-a"]],
    ["a\nb\nc\n", "a\nc\n", [" a", "-b", " c"]],
    ["a\r\n", "a\r\nb\r\n", [" a", "+b"]],
    ["a", "a", []],
  ])("%j to %j", (before, after, expected) => {
    const sign = { same: " ", added: "+", removed: "-" };
    expect(createLineDiff(before, after).map(({ kind, text }) => sign[kind] + text)).toEqual(expected);
  });

  test.each([
    ['"ANTHROPIC_AUTH_TOKEN": "abcdefghijklmnopqrstuvwxyz"', "fghijklmno"],
    ['experimental_bearer_token = "sk-0123456789abcdefghijkl"', "456789abcdef"],
    ["  apiKey: 0123456789abcdef0123456789abcdef", "6789abcdef01"],
    ['"Authorization": "Bearer sk-0123456789abcdefghijkl"', "456789abcdef"],
    ['"x": "AIzaSyA0123456789012345678901234567890"', "0123456789"],
  ])("hide the secret of %s", (line, secret) => {
    expect(
      createLineDiff(`${line}\n`, "")
        .map(({ text }) => text)
        .join(""),
    ).not.toContain(secret);
  });

  it("name environment variables whole", () => {
    expect(createLineDiff("", 'envKey = "POSTERN_API_KEY"\n')[0]?.text).toBe('envKey = "POSTERN_API_KEY"');
  });

  it("are found in long files without the time of their product", () => {
    const long = Array.from({ length: 60_000 }, (_, n) => `${n}`);
    const changed = long.map((line, n) => (n % 2 === 0 ? `x${line}` : line));
    expect(createLineDiff(long.join("\n"), changed.join("\n")).length).toBeGreaterThan(60_000);
  });
});

describe("loops", () => {
  test.each([
    ["http://localhost:6174/v1", "http://127.0.0.1:6174", true],
    ["http://[::1]:6174", "http://127.0.0.1:6174", true],
    ["http://0.0.0.0:6174/", "http://127.0.0.1:6174", true],
    ["http://127.1.2.3:6174", "http://127.0.0.1:6174", true],
    ["http://localhost:6175", "http://127.0.0.1:6174", false],
    ["https://api.example.com:6174", "http://127.0.0.1:6174", false],
    ["not an address", "http://127.0.0.1:6174", false],
  ])("%s is %s: %s", (a, b, same) => {
    expect(samePlace(a, b)).toBe(same);
  });

  it("are reported once each", () => {
    const relay = { name: "Relay", address: "http://127.0.0.1:3456", targets: ["http://localhost:6174/v1"] };
    const own = "http://127.0.0.1:6174";
    const connections = [
      { name: "A", url: "http://localhost:6174/v1" },
      { name: "B", url: "http://localhost:3456/v1" },
      { name: "C", url: "http://localhost:11434/v1" },
    ];
    expect(listConnectionLoops(own, connections, [relay]).map(({ kind }) => kind)).toEqual([
      "connection",
      "connection-relay",
    ]);
    expect(listClientLoops(own, "http://localhost:3456", connections, [relay]).map(({ kind }) => kind)).toEqual([
      "client-relay",
    ]);
    expect(listClientLoops(own, "http://localhost:11434", connections, [relay]).map(({ kind }) => kind)).toEqual([
      "client-connection",
    ]);
    expect(listClientLoops(own, `${own}/v1`, connections, [relay])).toEqual([]);
    expect(listClientLoops(own, "https://api.anthropic.com", connections, [relay])).toEqual([]);
  });
});

it("has texts to copy for clients without a file", () => {
  const ids = ["cursor", "cherry-studio", "copilot-cli", "open-webui", "langchain", "openai-sdk"] as const;
  for (const id of [...ids, "anthropic-sdk"] as const) {
    const texts = manualTexts(id, "http://127.0.0.1:7000", "KEY", "MODEL").map(({ text }) => text);
    expect(texts.join("\n")).toContain(":7000");
    expect(texts.join("\n")).toContain("KEY");
  }
});
