import { describe, expect, it } from "vitest";
import { ccSwitchImporter } from "../../../../gateway/core/imports/cc-switch/cc-switch.ts";
import type { Imported } from "../../../../gateway/core/imports/importer.ts";
import { databaseOf, readAll } from "./read-database.ts";
import { textFile } from "./text-file.ts";
import { connection, fieldLines, places } from "./read-files.ts";

const DATABASE = "/home/ada/.cc-switch/cc-switch.db";
const TABLES = ["providers", "provider_endpoints", "settings", "proxy_config"];

/** Statements of schema 17 (src-tauri/src/database/schema.rs), as far as tables are read or counted. */
const SCHEMA = `
  CREATE TABLE providers (id TEXT NOT NULL, app_type TEXT NOT NULL, name TEXT NOT NULL, settings_config TEXT NOT NULL,
    website_url TEXT, category TEXT, created_at INTEGER, sort_index INTEGER, notes TEXT, icon TEXT, icon_color TEXT,
    meta TEXT NOT NULL DEFAULT '{}', is_current BOOLEAN NOT NULL DEFAULT 0, in_failover_queue BOOLEAN NOT NULL DEFAULT 0,
    PRIMARY KEY (id, app_type));
  CREATE TABLE provider_endpoints (id INTEGER PRIMARY KEY AUTOINCREMENT, provider_id TEXT NOT NULL, app_type TEXT NOT NULL,
    url TEXT NOT NULL, added_at INTEGER);
  CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT);
  CREATE TABLE proxy_config (app_type TEXT PRIMARY KEY, proxy_enabled INTEGER NOT NULL DEFAULT 0,
    listen_address TEXT NOT NULL DEFAULT '127.0.0.1', listen_port INTEGER NOT NULL DEFAULT 15721,
    enabled INTEGER NOT NULL DEFAULT 0, auto_failover_enabled INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE proxy_request_logs (request_id TEXT PRIMARY KEY);
  CREATE TABLE model_pricing (model_id TEXT PRIMARY KEY);`;

type Settings = Readonly<Record<string, unknown>>;

interface Row {
  readonly app?: string;
  readonly settings: Settings;
  readonly [column: string]: unknown;
}

/** Providers by name. */
function read(
  rows: Readonly<Record<string, Row>>,
  more: {
    readonly proxy?: Settings[];
    readonly settings?: Settings;
    readonly env?: Record<string, string>;
    readonly files?: Record<string, string>;
  } = {},
): Imported | null {
  const providers = Object.entries(rows).map(([name, { app = "claude", settings, meta = {}, ...columns }], index) => ({
    id: `id-${index}`,
    app_type: app,
    name: name.replace(/ \(.*\)$/, ""),
    settings_config: JSON.stringify(settings),
    meta: JSON.stringify(meta),
    sort_index: index,
    ...columns,
  }));
  const database = databaseOf(
    DATABASE,
    SCHEMA,
    {
      providers: providers,
      proxy_config: (more.proxy ?? []) as never,
      settings: Object.entries(more.settings ?? {}).map(([key, value]) => ({ key, value: JSON.stringify(value) })),
      proxy_request_logs: [{ request_id: "a" }],
    },
    TABLES,
  );
  const files = Object.entries(more.files ?? {}).map(([path, text]) => textFile(path, text));
  return readAll(ccSwitchImporter, [database, ...files], { env: more.env ?? {} });
}

const claude = (url: string, key: string, more: Settings = {}): Settings => ({
  env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key, ...more },
});
const KIMI = claude("https://api.moonshot.cn/anthropic", "sk-kimi-0123456789abcdef", {
  ANTHROPIC_MODEL: "kimi-k2.7-code",
  ANTHROPIC_DEFAULT_HAIKU_MODEL: "kimi-k2.7-turbo[1m]",
});
const RELAY = claude("https://relay.example", "sk-relay-0123456789abcdef");

describe("providers of Claude Code in cc-switch", () => {
  it("become connections; only the one in use responds for models of others", () => {
    expect(read({ Kimi: { settings: KIMI, is_current: 1 }, Relay: { settings: RELAY } })?.setup.connections).toEqual([
      connection("Kimi", "anthropic", "https://api.moonshot.cn/anthropic", ["sk-kimi-0123456789abcdef"]),
      connection("Relay", "anthropic", "https://relay.example", ["sk-relay-0123456789abcdef"], { stands_in: false }),
    ]);
  });

  it("become routes by the names that Claude Code asks for, to the models that cc-switch had it ask for", () => {
    expect(read({ Kimi: { settings: KIMI, is_current: 1 }, Relay: { settings: RELAY } })?.setup.routes).toEqual([
      { name: "claude-opus-5-5", models: ["kimi/kimi-k2.7-code"] },
      { name: "claude-sonnet-5-5", models: ["kimi/kimi-k2.7-code"] },
      { name: "claude-haiku-5-5", models: ["kimi/kimi-k2.7-turbo"] },
      { name: "claude-fable-5-2", models: ["kimi/kimi-k2.7-code"] },
    ]);
  });

  it("are asked in the order of the queue where the proxy fails over by itself", () => {
    const rows = {
      Kimi: { settings: KIMI, is_current: 1, in_failover_queue: 1, sort_index: 5 },
      Relay: { settings: RELAY, in_failover_queue: 1, sort_index: 2 },
      Third: { settings: claude("https://third.example", "sk-third-0123456789abcdef") },
    };
    const opus = (proxy: Settings[]) => read(rows, { proxy })?.setup.routes?.[0];
    expect(opus([{ app_type: "claude", auto_failover_enabled: 1 }])).toEqual({
      name: "claude-opus-5-5",
      models: ["relay/claude-opus-5-5", "kimi/kimi-k2.7-code"],
    });
    expect(opus([{ app_type: "claude", auto_failover_enabled: 0 }])?.models).toEqual(["kimi/kimi-k2.7-code"]);
    expect(opus([{ app_type: "codex", auto_failover_enabled: 1 }])?.models).toEqual(["kimi/kimi-k2.7-code"]);
  });

  it("need no route where Anthropic itself is in use", () => {
    const imported = read({
      Anthropic: {
        settings: {
          env: { ANTHROPIC_API_KEY: "sk-ant-api03-0123456789", ANTHROPIC_BASE_URL: "https://api.anthropic.com" },
        },
        is_current: 1,
      },
    });
    expect(imported?.setup).toEqual({
      connections: [{ name: "Anthropic", provider: "anthropic", keys: ["sk-ant-api03-0123456789"] }],
    });
  });

  it.each([
    ["openai_chat", "openai-compatible", "https://relay.example/v1"],
    ["openai_responses", "openai", "https://relay.example/v1"],
    ["gemini_native", "gemini", "https://relay.example"],
    ["anthropic", "anthropic", "https://relay.example"],
    ["something new", "anthropic", "https://relay.example"],
  ])("are reached by the format %s", (apiFormat, provider, base_url) => {
    expect(read({ Relay: { settings: RELAY, meta: { apiFormat } } })?.setup.connections).toMatchObject([
      { provider, base_url },
    ]);
  });

  it("are reported field by field", () => {
    const meta = { limitDailyUsd: "5", costMultiplier: "0.8", apiFormat: "anthropic", commonConfigEnabled: true };
    expect(
      fieldLines(read({ Kimi: { settings: KIMI, is_current: 1, meta, website_url: "https://kimi.example" } })),
    ).toEqual([
      'providers[0].id: taken connection "Kimi"',
      'providers[0].app_type: taken connection "Kimi"',
      'providers[0].name: taken connection "Kimi"',
      'providers[0].settings_config.env.ANTHROPIC_BASE_URL: taken connection "Kimi"',
      'providers[0].settings_config.env.ANTHROPIC_AUTH_TOKEN: taken connection "Kimi"',
      'providers[0].settings_config.env.ANTHROPIC_MODEL: taken route "claude-fable-5-2"',
      'providers[0].settings_config.env.ANTHROPIC_DEFAULT_HAIKU_MODEL: taken route "claude-haiku-5-5"',
      "providers[0].website_url: left (not-supported)",
      "providers[0].sort_index: left (not-supported)",
      "providers[0].meta.limitDailyUsd: left (not-supported)",
      "providers[0].meta.costMultiplier: left (not-supported)",
      'providers[0].meta.apiFormat: taken connection "Kimi"',
      "providers[0].meta.commonConfigEnabled: left (not-supported)",
      'providers[0].is_current: taken connection "Kimi"',
      'providers[0].in_failover_queue: taken connection "Kimi"',
      "provider_endpoints: left (not-supported)",
      "settings: left (not-supported)",
      "proxy_config: left (own-address)",
      "proxy_request_logs: left (not-supported)",
      "model_pricing: left (not-supported)",
    ]);
  });

  it.each([
    ["the app's own login", { settings: { env: {} }, category: "official" }, "login"],
    ["a login by its id", { settings: { env: {} }, id: "claude-official" }, "login"],
    ["an account that cc-switch signed in to", { settings: RELAY, meta: { providerType: "github_copilot" } }, "login"],
    ["one by a binding", { settings: RELAY, meta: { authBinding: { source: "managed_account" } } }, "login"],
    ["ChatGPT", { app: "codex", settings: { auth: { tokens: { access_token: "eyJ" } }, config: "" } }, "login"],
    ["cc-switch's own proxy", { settings: claude("http://127.0.0.1:15721", "PROXY_MANAGED") }, "own-address"],
    ["one at another port", { settings: claude("http://localhost:16000/claude", "PROXY_MANAGED") }, "own-address"],
    ["a preset without a key", { settings: claude("https://relay.example", "") }, "secret-missing"],
    ["a key that the proxy holds", { settings: claude("https://relay.example", "PROXY_MANAGED") }, "secret-missing"],
    ["no address", { settings: { env: { ANTHROPIC_AUTH_TOKEN: "sk-relay-0123456789abcdef" } } }, "unknown-provider"],
    ["an app that nobody knows", { app: "newapp", settings: RELAY }, "not-supported"],
  ] as const)("leave %s", (_name, row, reason) => {
    const imported = read({ Row: row }, { proxy: [{ app_type: "claude", listen_port: 16_000 }] });
    expect(imported?.setup).toEqual({});
    expect(imported?.fields.find(({ field }) => field.startsWith("providers[0]"))).toMatchObject({
      fate: "left",
      reason,
    });
  });

  it("may be chosen on this machine otherwise than in the database", () => {
    const files = {
      "/home/ada/.cc-switch/settings.json": JSON.stringify({ currentProviderClaude: "id-1", language: "en" }),
    };
    const imported = read({ Kimi: { settings: KIMI, is_current: 1 }, Relay: { settings: RELAY } }, { files });
    expect(imported?.setup.routes?.[0]).toEqual({ name: "claude-opus-5-5", models: ["relay/claude-opus-5-5"] });
    expect(fieldLines(imported)).toContain(
      "settings.json.currentProviderClaude: taken the provider that is asked first",
    );
  });
});

const codex = (url: string, key: string, more = ""): Settings => ({
  auth: { OPENAI_API_KEY: key },
  config: `model_provider = "custom"\nmodel = "gpt-5.6-sol"\n[model_providers.custom]\nbase_url = "${url}"\nwire_api = "responses"\n${more}`,
});

describe("providers of other apps in cc-switch", () => {
  it("are Codex's, whose servers often take nothing but Responses", () => {
    const imported = read({
      Relay: { app: "codex", settings: codex("https://relay.example/v1", "sk-relay-0123456789abcdef"), is_current: 1 },
    });
    expect(imported?.setup.connections).toEqual([
      { name: "Relay", provider: "openai", base_url: "https://relay.example/v1", keys: ["sk-relay-0123456789abcdef"] },
    ]);
    expect(imported?.setup.routes).toEqual([{ name: "gpt-5.6-sol", models: ["relay/gpt-5.6-sol"] }]);
  });

  it("are Codex's with a key in a variable, or in the file itself", () => {
    const env = { RELAY_KEY: "sk-from-env-0123456789" };
    const keys = (config: Settings) =>
      read({ Relay: { app: "codex", settings: config } }, { env })?.setup.connections?.[0]?.keys;
    expect(keys({ ...codex("https://relay.example/v1", "", 'env_key = "RELAY_KEY"'), auth: {} })).toEqual([
      env.RELAY_KEY,
    ]);
    const bearer = codex("https://relay.example/v1", "", 'experimental_bearer_token = "token-0123456789abcdef"');
    expect(keys({ ...bearer, auth: {} })).toEqual(["token-0123456789abcdef"]);
  });

  it("are one connection where they have the address and the key in common", () => {
    const key = "sk-kimi-0123456789abcdef";
    const imported = read({
      "Kimi (1)": {
        app: "codex",
        settings: codex("https://api.moonshot.cn/v1", key),
        meta: { apiFormat: "openai_chat" },
      },
      "Kimi (2)": {
        app: "openclaw",
        settings: {
          baseUrl: "https://api.moonshot.cn/v1",
          apiKey: key,
          api: "openai-completions",
          models: [{ id: "kimi-k3", cost: { input: 3, output: 15, cacheRead: 0.3 } }],
        },
      },
      "Kimi (3)": {
        app: "hermes",
        settings: {
          base_url: "https://api.moonshot.cn/v1",
          api_key: key,
          api_mode: "chat_completions",
          models: { "kimi-k3": {} },
        },
      },
      "Kimi (4)": { settings: KIMI, is_current: 1 },
    });
    expect(imported?.setup.connections).toMatchObject([
      { name: "Kimi", provider: "anthropic" },
      connection("Kimi codex", "openai-compatible", "https://api.moonshot.cn/v1", [key], { stands_in: false }),
    ]);
    expect(imported?.setup.prices).toEqual({ "kimi-codex/kimi-k3": { input: 3, output: 15, cached_input: 0.3 } });
  });

  it.each([
    [
      "gemini",
      {
        env: {
          GEMINI_API_KEY: "AIza-0123456789abcdef",
          GOOGLE_GEMINI_BASE_URL: "https://relay.example",
          GEMINI_MODEL: "gemini-3-pro",
        },
      },
      "gemini",
      "https://relay.example",
    ],
    [
      "opencode",
      {
        npm: "@ai-sdk/anthropic",
        options: { baseURL: "https://relay.example/v1", apiKey: "k-0123456789abcdef" },
        models: { "claude-opus-5": {} },
      },
      "anthropic",
      "https://relay.example",
    ],
    [
      "pi",
      { baseUrl: "https://relay.example/v1", apiKey: "k-0123456789abcdef", api: "openai-responses", models: [] },
      "openai",
      "https://relay.example/v1",
    ],
    [
      "grokbuild",
      {
        config:
          '[models]\ndefault = "m"\n[model.m]\nmodel = "grok-4.5"\nbase_url = "https://relay.example/v1"\napi_key = "k-0123456789abcdef"\nname = "x"\n',
      },
      "openai",
      "https://relay.example/v1",
    ],
  ])("are those of %s", (app, settings, provider, base_url) => {
    expect(read({ Relay: { app, settings } })?.setup.connections).toMatchObject([
      { name: "Relay", provider, base_url },
    ]);
  });

  it("name models for Claude's desktop app", () => {
    const meta = { claudeDesktopModelRoutes: { "claude-sonnet-4-6": { model: "kimi-k3" }, bad: { model: 7 } } };
    const imported = read({ Kimi: { app: "claude-desktop", settings: KIMI, is_current: 1, meta } });
    expect(imported?.setup.routes).toEqual([{ name: "claude-sonnet-4-6", models: ["kimi/kimi-k3"] }]);
  });

  it("are shared by several apps where it says so", () => {
    const settings = {
      universal_providers: { u1: { id: "u1", name: "N", apiKey: "sk-universal-0123456789" }, u2: { id: "u2" } },
    };
    const imported = read({ N: { settings: RELAY, id: "universal-claude-u1" } }, { settings });
    const lines = fieldLines(imported);
    expect(lines).toContain("settings.universal_providers.u1: taken providers of claude");
    expect(lines).toContain("settings.universal_providers.u2: left (unused)");
    expect(JSON.stringify(imported?.fields)).not.toContain("sk-universal-0123456789");
  });
});

describe("where cc-switch keeps it", () => {
  it("is config.json in versions before the database", () => {
    const old = {
      version: 2,
      claude: {
        current: "a",
        providers: {
          a: { id: "a", name: "Kimi", settingsConfig: KIMI },
          b: { id: "b", name: "Relay", settingsConfig: RELAY, category: "third_party" },
        },
      },
      codex: { providers: {}, current: "" },
      mcp: {},
    };
    const imported = readAll(ccSwitchImporter, [textFile("/home/ada/.cc-switch/config.json", JSON.stringify(old))]);
    expect(imported?.setup.connections).toMatchObject([{ name: "Kimi" }, { name: "Relay", stands_in: false }]);
    expect(imported?.setup.routes?.[0]).toEqual({ name: "claude-opus-5-5", models: ["kimi/kimi-k2.7-code"] });
    expect(fieldLines(imported)).toContain(
      'config.json.claude.providers.a.settingsConfig.env.ANTHROPIC_AUTH_TOKEN: taken connection "Kimi"',
    );
  });

  it("may be a folder that was chosen", () => {
    const [store] = ccSwitchImporter.files(places()).filter(({ path }) => path.endsWith("app_paths.json"));
    expect(store?.path).toBe("/home/ada/.local/share/com.ccswitch.desktop/app_paths.json");
    const chosen = textFile(store?.path ?? "", JSON.stringify({ app_config_dir_override: "~/Sync/cc" }));
    expect(ccSwitchImporter.more?.([chosen], places()).map(({ path }) => path)).toContain(
      "/home/ada/Sync/cc/cc-switch.db",
    );
  });
});
