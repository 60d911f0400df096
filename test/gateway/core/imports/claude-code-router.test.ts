import { describe, expect, it } from "vitest";
import { claudeCodeRouterImporter } from "../../../../gateway/core/imports/claude-code-router/claude-code-router.ts";
import { PASTED } from "../../../../gateway/core/imports/importer.ts";
import type { FileRead, Imported } from "../../../../gateway/core/imports/importer.ts";
import { databaseOf, readAll, textFile } from "./read-database.ts";
import type { Inserted } from "./read-database.ts";
import { fieldLines, places } from "./read-files.ts";

const OLD = "/home/ada/.claude-code-router/config.json";
const NEW = "/home/ada/.claude-code-router/config.sqlite";
const TABLES = ["app_config", "api_keys", "legacy_storage_backups"];

/** The statements of 3.1.1 (packages/core/src/config/config-repository.ts). */
const SCHEMA = `
  CREATE TABLE app_config (key TEXT PRIMARY KEY, value_json TEXT NOT NULL, updated_at TEXT NOT NULL);
  CREATE TABLE api_keys (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', encrypted_key TEXT NOT NULL,
    encryption TEXT NOT NULL DEFAULT 'plain', created_at TEXT NOT NULL, expires_at TEXT NOT NULL DEFAULT '',
    limits_json TEXT NOT NULL DEFAULT '');
  CREATE TABLE config_schema_migrations (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL, details_json TEXT NOT NULL DEFAULT '');
  CREATE TABLE runtime_state (key TEXT PRIMARY KEY, value_json TEXT NOT NULL, updated_at TEXT NOT NULL);
  CREATE TABLE legacy_storage_backups (id TEXT PRIMARY KEY, source_path TEXT NOT NULL, source_kind TEXT NOT NULL,
    sha256 TEXT NOT NULL, content BLOB NOT NULL, archived_at TEXT NOT NULL);
  CREATE TABLE legacy_storage_cleanup (source_path TEXT PRIMARY KEY, source_kind TEXT NOT NULL, sha256 TEXT NOT NULL,
    queued_at TEXT NOT NULL);`;

const KEY = "sk-deepseek-0123456789abcdef";

/** As people write it. */
const VERSION_2 = `{
  // my set-up
  "LOG": true, APIKEY: 'my-secret-router-key-123456', "HOST": "127.0.0.1", "PORT": 3456, "API_TIMEOUT_MS": 600000,
  "Providers": [
    { "name": "deepseek", "api_base_url": "https://api.deepseek.com/chat/completions", "api_key": "$DEEPSEEK_API_KEY",
      "models": ["deepseek-v4-flash", "deepseek-v4-pro"],
      "transformer": { "use": ["deepseek"], "deepseek-v4-flash": { "use": ["tooluse"] } } },
    { "name": "openrouter", "api_base_url": "https://openrouter.ai/api/v1/chat/completions", "api_key": "sk-or-v1-1111111111111111",
      "models": ["google/gemini-2.5-pro-preview", "anthropic/claude-sonnet-4"], "transformer": { "use": ["openrouter"] } },
    { "name": "ollama", "api_base_url": "http://localhost:11434/v1/chat/completions", "api_key": "ollama", "models": ["qwen2.5-coder:latest"] },
  ],
  "Router": {
    "default": "deepseek,deepseek-v4-flash", "background": "ollama,qwen2.5-coder:latest", "think": "deepseek,deepseek-v4-pro",
    "longContext": "openrouter,google/gemini-2.5-pro-preview", "longContextThreshold": 80000,
    "webSearch": "openrouter,anthropic/claude-sonnet-4", "image": "openrouter,google/gemini-2.5-pro-preview",
  },
  "fallback": { "default": ["openrouter,anthropic/claude-sonnet-4", "nobody,none"], "think": ["openrouter,anthropic/claude-sonnet-4"] },
}`;

const ENV = { DEEPSEEK_API_KEY: KEY };
const old = (text: string, env: Readonly<Record<string, string>> = ENV): Imported | null =>
  readAll(claudeCodeRouterImporter, [textFile(OLD, text)], { env });
const oldData = (data: unknown): Imported | null => old(JSON.stringify(data));

const RULES = [
  { when: { kinds: ["pictures"] }, models: ["openrouter/google/gemini-2.5-pro-preview"], enabled: true },
  { when: { input_tokens_above: 80_000 }, models: ["openrouter/google/gemini-2.5-pro-preview"], enabled: true },
  { when: { kinds: ["background"] }, models: ["ollama/qwen2.5-coder:latest"], enabled: true },
  { when: { kinds: ["web_search"] }, models: ["openrouter/anthropic/claude-sonnet-4"], enabled: true },
  {
    when: { kinds: ["thinking"] },
    models: ["deepseek-v4-pro", "openrouter/anthropic/claude-sonnet-4"],
    enabled: true,
  },
];
const CHAIN = ["deepseek-v4-flash", "openrouter/anthropic/claude-sonnet-4"];

describe("version 2 of Claude Code Router", () => {
  it("becomes connections with base URLs and the values of variables", () => {
    expect(old(VERSION_2)?.setup.connections).toEqual([
      { name: "deepseek", provider: "deepseek", keys: [KEY] },
      {
        name: "openrouter",
        provider: "openai-compatible",
        base_url: "https://openrouter.ai/api/v1",
        keys: ["sk-or-v1-1111111111111111"],
      },
      { name: "ollama", provider: "openai-compatible", base_url: "http://localhost:11434/v1", keys: ["ollama"] },
    ]);
  });

  it("becomes a route for each model that Claude Code asks for, and one for everybody else", () => {
    const routes = old(VERSION_2)?.setup.routes ?? [];
    expect(routes.map(({ name }) => name)).toEqual([
      "claude-opus-5-5",
      "claude-sonnet-5-5",
      "claude-haiku-5-5",
      "claude-fable-5-2",
      "claude-code-router",
    ]);
    for (const { name, models, rules } of routes) {
      if (name === "claude-haiku-5-5") continue;
      expect({ name, models, rules }).toEqual({ name, models: CHAIN, rules: RULES });
    }
  });

  it("sends what asks for haiku to the background, as it did", () => {
    const haiku = old(VERSION_2)?.setup.routes?.find(({ name }) => name === "claude-haiku-5-5");
    expect(haiku?.models).toEqual(["ollama/qwen2.5-coder:latest"]);
    expect(haiku?.rules?.map(({ when }) => when)).toEqual([
      { kinds: ["pictures"] },
      { input_tokens_above: 80_000 },
      { kinds: ["web_search"] },
      { kinds: ["thinking"] },
    ]);
  });

  it("brings the key along with which its clients called it", () => {
    const [key] = old(VERSION_2)?.setup.keys ?? [];
    expect(key).toMatchObject({ name: "Claude Code Router", hint: "my-se…3456" });
    expect(key?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(oldData({ APIKEY: "sk-0123456789abcdef0123", Providers: [] })?.setup.keys).toEqual([
      { name: "Claude Code Router", secret: "sk-0123456789abcdef0123" },
    ]);
  });

  it("says of each field what becomes of it", () => {
    expect(fieldLines(old(VERSION_2))).toEqual([
      "LOG: left (not-supported)",
      'APIKEY: taken key "Claude Code Router"',
      "HOST: left (own-address)",
      "PORT: left (own-address)",
      "API_TIMEOUT_MS: left (not-supported)",
      'Providers[0].name: taken connection "deepseek"',
      'Providers[0].api_base_url: changed connection "deepseek" (endpoint)',
      'Providers[0].api_key: taken connection "deepseek"',
      'Providers[0].models[0]: taken model "deepseek-v4-flash"',
      'Providers[0].models[1]: taken model "deepseek-v4-pro"',
      "Providers[0].transformer.use[0]: left (default)",
      "Providers[0].transformer.deepseek-v4-flash.use[0]: left (not-supported)",
      'Providers[1].name: taken connection "openrouter"',
      'Providers[1].api_base_url: changed connection "openrouter" (endpoint)',
      'Providers[1].api_key: taken connection "openrouter"',
      'Providers[1].models[0]: taken model "openrouter/google/gemini-2.5-pro-preview"',
      'Providers[1].models[1]: taken model "openrouter/anthropic/claude-sonnet-4"',
      "Providers[1].transformer.use[0]: left (default)",
      'Providers[2].name: taken connection "ollama"',
      'Providers[2].api_base_url: changed connection "ollama" (endpoint)',
      'Providers[2].api_key: taken connection "ollama"',
      'Providers[2].models[0]: taken model "ollama/qwen2.5-coder:latest"',
      "Router.default: taken routes for Claude Code → deepseek-v4-flash, openrouter/anthropic/claude-sonnet-4",
      "Router.background: taken rule for background → ollama/qwen2.5-coder:latest",
      "Router.think: taken rule for thinking → deepseek-v4-pro, openrouter/anthropic/claude-sonnet-4",
      "Router.longContext: taken rule for long input → openrouter/google/gemini-2.5-pro-preview",
      "Router.longContextThreshold: taken condition of a rule",
      "Router.webSearch: taken rule for web search → openrouter/anthropic/claude-sonnet-4",
      "Router.image: taken rule for pictures → openrouter/google/gemini-2.5-pro-preview",
      "fallback.default[0]: taken fallback to openrouter/anthropic/claude-sonnet-4",
      "fallback.default[1]: left (unknown-provider)",
      "fallback.think[0]: taken fallback to openrouter/anthropic/claude-sonnet-4",
    ]);
  });

  it("leaves a key whose variable is not set, and says so", () => {
    const imported = old(VERSION_2, {});
    expect(imported?.setup.connections?.[0]).toEqual({ name: "deepseek", provider: "deepseek" });
    expect(fieldLines(imported)).toContain("Providers[0].api_key: left (secret-missing)");
  });

  it("is understood where it is pasted", () => {
    const pasted = readAll(claudeCodeRouterImporter, [textFile(PASTED, VERSION_2)], { env: ENV });
    expect(pasted?.setup).toEqual(old(VERSION_2)?.setup);
  });

  it.each([
    ["an address of the router itself", { api_base_url: "http://127.0.0.1:3456/v1/messages" }, "own-address"],
    ["one of it at another port", { api_base_url: "http://localhost:9999/v1/messages" }, "own-address"],
    ["an address that is none", { api_base_url: "not a url at all" }, "unreadable"],
    [
      "a login of a program",
      { api_base_url: "https://relay.example/v1", transformer: { use: ["gemini-cli"] } },
      "login",
    ],
  ])("leaves %s", (_name, provider, reason) => {
    const imported = oldData({
      PORT: 9999,
      Providers: [{ name: "x", api_key: "k-0123456789", models: ["m"], ...provider }],
    });
    expect(imported?.setup.connections).toBeUndefined();
    expect(imported?.fields.find(({ field }) => field.startsWith("Providers[0]"))).toMatchObject({
      fate: "left",
      reason,
    });
  });

  it.each([
    ["Anthropic", "https://relay.example/v1/messages", "anthropic", "https://relay.example"],
    ["gemini", "https://relay.example/v1beta/models/", "gemini", "https://relay.example"],
    ["openai-responses", "https://relay.example/v1/responses", "openai", "https://relay.example/v1"],
    ["groq", "https://relay.example/v1/chat/completions", "openai-compatible", "https://relay.example/v1"],
  ])("knows the dialect by the transformer %s", (use, api_base_url, provider, base_url) => {
    const imported = oldData({
      Providers: [{ name: "x", api_base_url, api_key: "k-0123456789", models: ["m"], transformer: { use: [use] } }],
    });
    expect(imported?.setup.connections).toMatchObject([{ provider, base_url }]);
  });

  it("keeps apart two providers with the same models, and one that is called like a maker of models", () => {
    const provider = (name: string, api_base_url: string, models: string[]) => ({
      name,
      api_base_url,
      api_key: `k-${name}`,
      models,
    });
    const imported = oldData({
      Providers: [
        provider("openrouter", "https://openrouter.ai/api/v1/chat/completions", [
          "moonshotai/kimi-k2",
          "deepseek/deepseek-v4-pro",
        ]),
        provider("moonshotai", "https://relay.example/v1/chat/completions", ["kimi-k2"]),
        provider("work", "https://api.deepseek.com/chat/completions", ["deepseek-v4-pro"]),
        provider("home", "https://api.deepseek.com/chat/completions", ["deepseek-v4-pro"]),
      ],
      Router: {
        default: "moonshotai,kimi-k2",
        think: "home,deepseek-v4-pro",
        background: "openrouter,moonshotai/kimi-k2",
      },
    });
    expect(imported?.setup.connections?.map(({ name }) => name)).toEqual([
      "openrouter",
      "moonshotai direct",
      "work",
      "home",
    ]);
    expect(imported?.setup.routes?.[0]).toMatchObject({
      models: ["moonshotai-direct/kimi-k2"],
      rules: [{ models: ["openrouter/moonshotai/kimi-k2"] }, { models: ["home/deepseek-v4-pro"] }],
    });
  });

  it.each([
    ["a file that cannot be read", "{ broken"],
    ["a list", "[1, 2]"],
    ["the settings of another program", '{"theme": "dark"}'],
  ])("is not %s", (_name, text) => {
    expect(old(text)).toBeNull();
  });

  it.each([
    { Providers: "x", Router: 7 },
    { Providers: [null, 1, "x", { name: {} }, { api_base_url: ["x"] }, { __proto__: { name: "y" } }] },
    {
      Providers: [{ name: "__proto__", api_base_url: "https://relay.example/v1", models: [null, 3, "__proto__"] }],
      Router: { default: "__proto__,__proto__" },
    },
    { Router: { default: ",", background: "a,", longContextThreshold: "many", think: [] } },
  ])("survives what nobody would write: %#", (data) => {
    expect(oldData(data)).not.toBeNull();
  });
});

function newFile(inserted: Inserted): FileRead {
  return databaseOf(NEW, SCHEMA, inserted, TABLES);
}

const config = (value: unknown): Inserted => ({
  app_config: [{ key: "default", value_json: JSON.stringify(value), updated_at: "2026-11-24T06:21:13.000Z" }],
});

/** What 3.1.1 made of a file of version 2, as far as it is not its own looks. */
const MIGRATED = {
  APIKEY: "",
  HOST: "127.0.0.1",
  PORT: 3456,
  Providers: [
    {
      api_base_url: "https://api.deepseek.com/chat/completions",
      api_key: KEY,
      id: "provider-deepseek-a62fe0b06d",
      models: ["deepseek-v4-flash", "deepseek-v4-pro"],
      name: "deepseek",
      transformer: { use: ["deepseek"] },
    },
    {
      api_base_url: "https://openrouter.ai/api/v1/chat/completions",
      api_key: "sk-or-v1-1111111111111111",
      id: "provider-openrouter-f86c8ca19f",
      models: ["google/gemini-2.5-pro-preview", "anthropic/claude-sonnet-4"],
      name: "openrouter",
    },
    {
      api_base_url: "http://localhost:11434/v1/chat/completions",
      api_key: "ollama",
      id: "provider-ollama-9bf7dd102c",
      models: ["qwen2.5-coder:latest"],
      name: "ollama",
    },
  ],
  Router: {
    builtInRules: { "claude-code": { enabled: true } },
    fallback: { mode: "off", models: [], retryCount: 1 },
    rules: [],
  },
  preferredProvider: "deepseek",
  profile: {
    enabled: true,
    profiles: [{ agent: "claude-code", enabled: true, model: "", id: "default-claude-code", name: "Claude Code" }],
  },
};

describe("version 3 of Claude Code Router", () => {
  it("gets the routing back that it has lost, out of its own archive", () => {
    const backup = {
      id: "7d0e",
      source_path: OLD,
      source_kind: "legacy-json-config",
      sha256: "02de",
      content: Buffer.from(VERSION_2),
      archived_at: "2026-11-24T06:21:11.969Z",
    };
    const imported = readAll(claudeCodeRouterImporter, [
      newFile({ ...config(MIGRATED), legacy_storage_backups: [backup] }),
    ]);
    expect(imported?.setup.connections).toEqual(old(VERSION_2)?.setup.connections);
    expect(imported?.setup.routes).toEqual(old(VERSION_2)?.setup.routes);
    const lines = fieldLines(imported);
    expect(lines).toContain(
      "legacy_storage_backups[0].content.Router.think: taken rule for thinking → deepseek-v4-pro, openrouter/anthropic/claude-sonnet-4",
    );
    expect(lines).toContain("legacy_storage_backups[0].content.Providers: left (unused)");
  });

  it("reads a file with comments that it could not take over, and that still lies beside it", () => {
    const empty = newFile(config({ ...MIGRATED, Providers: [], preferredProvider: "" }));
    const imported = readAll(claudeCodeRouterImporter, [empty, textFile(OLD, VERSION_2)], { env: ENV });
    expect(imported?.setup.connections).toEqual(old(VERSION_2)?.setup.connections);
    expect(imported?.setup.routes).toEqual(old(VERSION_2)?.setup.routes);
  });

  it("goes by the profile of Claude Code, and by its preferred provider where that says nothing", () => {
    const profiles = [
      { agent: "codex", enabled: true, model: "openrouter/x" },
      {
        agent: "claude-code",
        enabled: true,
        model: "deepseek/deepseek-v4-pro",
        haikuModel: "ollama,qwen2.5-coder:latest",
      },
    ];
    const routes = (value: unknown) =>
      readAll(claudeCodeRouterImporter, [newFile(config(value))])?.setup.routes?.map(({ name, models }) => [
        name,
        models,
      ]);
    expect(routes({ ...MIGRATED, profile: { profiles } })).toEqual([
      ["claude-opus-5-5", ["deepseek-v4-pro"]],
      ["claude-sonnet-5-5", ["deepseek-v4-pro"]],
      ["claude-haiku-5-5", ["ollama/qwen2.5-coder:latest"]],
      ["claude-fable-5-2", ["deepseek-v4-pro"]],
      ["claude-code-router", ["deepseek-v4-pro"]],
    ]);
    expect(routes(MIGRATED)?.[0]).toEqual(["claude-opus-5-5", ["deepseek-v4-flash"]]);
  });

  it("follows its rules as far as routes have something like them", () => {
    const rule = (condition: object, model: string, more: object = {}) => ({
      id: "r",
      name: "n",
      type: "condition",
      enabled: true,
      condition,
      rewrites: [{ key: "request.body.model", operation: "set", value: model }],
      ...more,
    });
    const rules = [
      rule({ left: "request.tokenCount", operator: ">", right: "100000" }, "openrouter/google/gemini-2.5-pro-preview"),
      rule({ left: "request.body.thinking.type", operator: "==", right: "enabled" }, "deepseek/deepseek-v4-pro", {
        fallback: { mode: "model-chain", models: ["openrouter,anthropic/claude-sonnet-4"], retryCount: 2 },
      }),
      rule({ left: "request.body.model", operator: "contains", right: "haiku" }, "ollama/qwen2.5-coder:latest"),
      rule(
        { left: "request.header.user-agent", operator: "contains", right: "codex" },
        "openrouter/anthropic/claude-sonnet-4",
        { enabled: false },
      ),
      rule({ left: "request.body.model", operator: "==", right: "my-name" }, "deepseek/deepseek-v4-pro"),
      rule({ left: "request.body.metadata.user", operator: "==", right: "x" }, "deepseek/deepseek-v4-pro"),
      rule({ left: "request.tokenCount", operator: ">", right: "5" }, "nobody/none"),
      { id: "s", name: "s", type: "script", enabled: true, script: { source: "return null" } },
    ];
    const imported = readAll(claudeCodeRouterImporter, [
      newFile(
        config({
          ...MIGRATED,
          Router: {
            ...MIGRATED.Router,
            rules,
            fallback: { mode: "model-chain", models: ["openrouter,anthropic/claude-sonnet-4"] },
          },
        }),
      ),
    ]);
    const [opus, , haiku, , , named] = imported?.setup.routes ?? [];
    const shared = [
      {
        when: { input_tokens_above: 100_000 },
        models: ["openrouter/google/gemini-2.5-pro-preview", "openrouter/anthropic/claude-sonnet-4"],
        enabled: true,
      },
      {
        when: { kinds: ["thinking"] },
        models: ["deepseek-v4-pro", "openrouter/anthropic/claude-sonnet-4"],
        enabled: true,
      },
    ];
    const codex = { when: { clients: ["*codex*"] }, models: ["openrouter/anthropic/claude-sonnet-4"], enabled: false };
    expect(opus).toEqual({
      name: "claude-opus-5-5",
      models: ["deepseek-v4-flash", "openrouter/anthropic/claude-sonnet-4"],
      rules: [...shared, codex],
    });
    expect(haiku).toEqual({
      name: "claude-haiku-5-5",
      models: ["ollama/qwen2.5-coder:latest", "openrouter/anthropic/claude-sonnet-4"],
      rules: shared,
    });
    expect(named).toMatchObject({
      name: "my-name",
      models: ["deepseek-v4-pro", "openrouter/anthropic/claude-sonnet-4"],
    });
    const left = imported?.fields.filter(
      ({ field, fate }) => fate === "left" && field.startsWith("app_config.default.Router.rules"),
    );
    expect(left?.map(({ field, reason }) => `${field} ${reason}`)).toEqual(
      expect.arrayContaining([
        "app_config.default.Router.rules[5].condition.left not-supported",
        "app_config.default.Router.rules[6].rewrites[0] unknown-provider",
        "app_config.default.Router.rules[7].script.source not-supported",
      ]),
    );
  });

  it("takes several keys by priority, prices, providers that are off, and the best of several addresses", () => {
    const imported = readAll(claudeCodeRouterImporter, [
      newFile(
        config({
          Providers: [
            {
              name: "relay",
              baseUrl: "https://relay.example/v1",
              models: ["glm-5"],
              enabled: false,
              credentials: [
                { api_key: "k-second-0123456789", priority: 2 },
                { api_key: "k-first-0123456789", priority: 1 },
                { api_key: "k-off-0123456789", enabled: false },
              ],
              capabilities: [
                { type: "openai_chat_completions", baseUrl: "https://relay.example/v1" },
                { type: "anthropic_messages", baseUrl: "https://relay.example/anthropic" },
                { type: "openai_image_generations", baseUrl: "https://relay.example/v1" },
              ],
              modelMetadata: {
                "glm-5": {
                  pricing: { inputUsdPerMillionTokens: 0.5, outputUsdPerMillionTokens: 2 },
                  contextWindow: 200_000,
                },
              },
            },
            {
              name: "login",
              baseUrl: "https://chatgpt.com/backend-api/codex",
              apiKey: "ccr-local-agent-login",
              models: ["gpt-5"],
            },
          ],
          Router: { rules: [] },
        }),
      ),
    ]);
    expect(imported?.setup.connections).toEqual([
      {
        name: "relay",
        provider: "anthropic",
        base_url: "https://relay.example/anthropic",
        keys: ["k-first-0123456789", "k-second-0123456789"],
        enabled: false,
      },
    ]);
    expect(imported?.setup.prices).toEqual({ "relay/glm-5": { input: 0.5, output: 2 } });
    const lines = fieldLines(imported);
    expect(lines).toContain("app_config.default.Providers[0].credentials[2]: left (unused)");
    expect(
      lines.some((line) => line.startsWith("app_config.default.Providers[1]") && line.endsWith("left (login)")),
    ).toBe(true);
  });

  it("takes its keys with what limits Postern has", () => {
    const key = (id: string, encrypted_key: string, more: object = {}) => ({
      id,
      name: id,
      encrypted_key,
      encryption: "plain",
      created_at: "2026-01-01T00:00:00Z",
      expires_at: "",
      limits_json: "",
      ...more,
    });
    const imported = readAll(claudeCodeRouterImporter, [
      newFile({
        ...config(MIGRATED),
        api_keys: [
          key("app", "sk-ccr-GQw2zxKOFIwE9mhvJuQnC"),
          key("limited", "sk-ccr-limited-0123456789", {
            limits_json: '{"rpm": 30, "tpd": 5}',
            expires_at: "2030-01-01T00:00:00.000Z",
          }),
          key("seed", "sk-123"),
          key("sealed", "abc", { encryption: "keychain" }),
        ],
      }),
    ]);
    expect(imported?.setup.keys).toEqual([
      { name: "app", secret: "sk-ccr-GQw2zxKOFIwE9mhvJuQnC" },
      { name: "limited", secret: "sk-ccr-limited-0123456789", rpm: 30, expires_at: Date.UTC(2030, 0, 1) },
    ]);
    const lines = fieldLines(imported);
    expect(lines).toContain('api_keys[1].limits_json: changed requests per minute of key "limited" (not-supported)');
    expect(lines).toContain("api_keys[2]: left (weak)");
    expect(lines).toContain("api_keys[3]: left (secret-missing)");
    expect(lines).toContain("config_schema_migrations: left (not-supported)");
  });
});

describe("where Claude Code Router keeps it", () => {
  it("is below the home folder, and on Windows where programs keep their data", () => {
    expect(claudeCodeRouterImporter.files(places()).map(({ path }) => path)).toEqual([NEW, OLD]);
    const windows = claudeCodeRouterImporter.files(places({ platform: "win32", home: "C:\\Users\\ada" }));
    expect(windows.map(({ path }) => path)).toContain(
      "C:\\Users\\ada\\AppData\\Roaming\\claude-code-router\\config.sqlite",
    );
  });
});
