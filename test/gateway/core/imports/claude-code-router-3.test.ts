import { describe, expect, it } from "vitest";
import { claudeCodeRouterImporter } from "../../../../gateway/core/imports/claude-code-router/claude-code-router.ts";
import type { FileRead } from "../../../../gateway/core/imports/importer.ts";
import { ENV, KEY, NEW, OLD, VERSION_2, old } from "./ccr-version-2.ts";
import { databaseOf, readAll, type Inserted } from "./read-database.ts";
import { textFile } from "./text-file.ts";
import { connection, fieldLines } from "./read-files.ts";

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

  it("reads a file with comments that it could not take over, and that still lies next to it", () => {
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
      connection(
        "relay",
        "anthropic",
        "https://relay.example/anthropic",
        ["k-first-0123456789", "k-second-0123456789"],
        { enabled: false },
      ),
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
            limits_json: '{"rpm": 30, "tpd": null}',
            expires_at: "2030-01-01T00:00:00.000Z",
          }),
          key("tokens", "sk-ccr-tokens-0123456789", { limits_json: '{"rpm": 30, "tpd": 5}' }),
          key("broken", "sk-ccr-broken-0123456789", { limits_json: "{rpm" }),
          key("endless", "sk-ccr-endless-0123456789", { expires_at: "soon" }),
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
    expect(lines).toContain("api_keys[2]: left (not-supported)");
    expect(lines).toContain("api_keys[3]: left (not-supported)");
    expect(lines).toContain("api_keys[4]: left (not-supported)");
    expect(lines).toContain("api_keys[5]: left (weak)");
    expect(lines).toContain("api_keys[6]: left (secret-missing)");
    expect(lines).toContain("config_schema_migrations: left (not-supported)");
  });
});
