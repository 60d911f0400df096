import { createCipheriv, scryptSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { omniRouteImporter } from "../../../../gateway/core/imports/9router/omniroute.ts";
import type { Imported } from "../../../../gateway/core/imports/importer.ts";
import { databaseOf, readAll, type Inserted } from "./read-database.ts";
import { textFile } from "./text-file.ts";
import { connection, fieldLines, places } from "./read-files.ts";

const DATABASE = "/home/ada/.omniroute/storage.sqlite";
const TABLES = [
  "provider_connections",
  "provider_nodes",
  "combos",
  "api_keys",
  "key_value",
  "domain_budgets",
  "model_combo_mappings",
];

/** As migrations 001 to 032 of 3.7.9 leave them, as far as they are read. */
const SCHEMA = `
  CREATE TABLE provider_connections (id TEXT PRIMARY KEY, provider TEXT NOT NULL, auth_type TEXT, name TEXT, email TEXT,
    priority INTEGER DEFAULT 0, is_active INTEGER DEFAULT 1, access_token TEXT, refresh_token TEXT, api_key TEXT, id_token TEXT,
    provider_specific_data TEXT, default_model TEXT, max_concurrent INTEGER, created_at TEXT, updated_at TEXT);
  CREATE TABLE provider_nodes (id TEXT PRIMARY KEY, type TEXT NOT NULL, name TEXT NOT NULL, prefix TEXT, api_type TEXT, base_url TEXT,
    created_at TEXT, updated_at TEXT, chat_path TEXT, models_path TEXT);
  CREATE TABLE key_value (namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (namespace, key));
  CREATE TABLE combos (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, data TEXT NOT NULL, created_at TEXT, updated_at TEXT);
  CREATE TABLE api_keys (id TEXT PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL UNIQUE, machine_id TEXT, created_at TEXT,
    allowed_models TEXT, is_active INTEGER DEFAULT 1, max_requests_per_day INTEGER, max_requests_per_minute INTEGER,
    revoked_at TEXT, expires_at TEXT, ip_allowlist TEXT);
  CREATE TABLE domain_budgets (api_key_id TEXT PRIMARY KEY, daily_limit_usd REAL NOT NULL, monthly_limit_usd REAL DEFAULT 0, warning_threshold REAL DEFAULT 0.8);
  CREATE TABLE model_combo_mappings (id TEXT PRIMARY KEY, pattern TEXT NOT NULL, combo_id TEXT NOT NULL);
  CREATE TABLE usage_history (id INTEGER PRIMARY KEY AUTOINCREMENT, provider TEXT);`;

const PASSWORD = "a-password-of-the-environment";

/** As its `encrypt` writes it. */
function sealed(text: string, password = PASSWORD): string {
  const iv = Buffer.alloc(16, 7);
  const cipher = createCipheriv("aes-256-gcm", scryptSync(password, "omniroute-field-encryption-v1", 32), iv);
  const body = cipher.update(text, "utf8", "hex") + cipher.final("hex");
  return `enc:v1:${iv.toString("hex")}:${body}:${cipher.getAuthTag().toString("hex")}`;
}

const account = (id: string, provider: string, api_key: string, more: object = {}) => ({
  id,
  provider,
  auth_type: "apikey",
  name: id,
  priority: 1,
  api_key,
  ...more,
});

const WHOLE: Inserted = {
  provider_connections: [
    account("c1", "kimi", "sk-kimi-0123456789abcdef"),
    account("c2", "zai", sealed("zai-0123456789abcdef"), { priority: 2 }),
    account("c3", "openai-compatible-1", sealed("sk-node-0123456789abcdef")),
    account("c4", "codex", "", { auth_type: "oauth", access_token: sealed("token") }),
    account("c5", "chatgpt-web", "cookie-0123456789abcdef"),
    account("c6", "cerebras", "csk-0123456789abcdef", { is_active: 0 }),
  ],
  provider_nodes: [
    {
      id: "openai-compatible-1",
      type: "openai-compatible",
      name: "My relay",
      prefix: "mine",
      api_type: "responses",
      base_url: "https://relay.example/v1",
    },
  ],
  combos: [
    {
      id: "k1",
      name: "work",
      data: JSON.stringify({
        strategy: "priority",
        models: ["kimi/kimi-k3", { kind: "model", providerId: "zai", model: "glm-5", weight: 0 }],
      }),
    },
    {
      id: "k2",
      name: "all",
      data: JSON.stringify({
        strategy: "weighted",
        models: [
          { kind: "combo-ref", comboName: "work" },
          { model: "mine/gpt-5", weight: 50 },
        ],
        isActive: false,
      }),
    },
  ],
  key_value: [
    { namespace: "modelAliases", key: "fast", value: '"kimi/kimi-k3"' },
    { namespace: "pricing", key: "mine", value: JSON.stringify({ "gpt-5": { input: 1, output: 8 } }) },
    { namespace: "models_dev_pricing", key: "x", value: "{}" },
  ],
};

const read = (
  inserted: Inserted,
  more: { env?: Record<string, string>; files?: Record<string, string> } = {},
): Imported | null =>
  readAll(
    omniRouteImporter,
    [
      databaseOf(DATABASE, SCHEMA, inserted, TABLES),
      ...Object.entries(more.files ?? {}).map(([path, text]) => textFile(path, text)),
    ],
    { env: more.env ?? { STORAGE_ENCRYPTION_KEY: PASSWORD } },
  );

describe("a set-up of OmniRoute", () => {
  it("becomes connections, with keys that its environment opens", () => {
    expect(read(WHOLE)?.setup.connections).toEqual([
      connection("kimi", "openai-compatible", "https://api.moonshot.ai/v1", ["sk-kimi-0123456789abcdef"]),
      connection("zai", "anthropic", "https://api.z.ai/api/anthropic", ["zai-0123456789abcdef"]),
      { name: "mine", provider: "openai", base_url: "https://relay.example/v1", keys: ["sk-node-0123456789abcdef"] },
    ]);
  });

  it("opens them with what its own file says, and says where nothing does", () => {
    const files = { "/home/ada/.omniroute/server.env": `STORAGE_ENCRYPTION_KEY="${PASSWORD}"\n` };
    expect(read(WHOLE, { env: {}, files })?.setup).toEqual(read(WHOLE)?.setup);
    for (const env of [{}, { STORAGE_ENCRYPTION_KEY: "another" }]) {
      const imported = read(WHOLE, { env });
      expect(imported?.setup.connections?.map(({ keys }) => keys)).toEqual([
        ["sk-kimi-0123456789abcdef"],
        undefined,
        undefined,
      ]);
      expect(fieldLines(imported)).toContain("provider_connections[1].api_key: left (secret-missing)");
    }
    expect(JSON.stringify(read(WHOLE)?.fields)).not.toContain("zai-0123456789abcdef");
  });

  it("becomes routes, aliases and prices", () => {
    const setup = read(WHOLE)?.setup;
    expect(setup?.routes).toEqual([
      { name: "work", models: ["kimi/kimi-k3", "zai/glm-5"] },
      { name: "all", models: ["kimi/kimi-k3", "zai/glm-5", "mine/gpt-5"], enabled: false },
    ]);
    expect(setup?.aliases).toEqual({ fast: "kimi/kimi-k3" });
    expect(setup?.prices).toEqual({ "mine/gpt-5": { input: 1, output: 8 } });
  });

  it("says what becomes of each field", () => {
    const lines = fieldLines(read(WHOLE));
    for (const line of [
      'provider_connections[0].id: taken connection "kimi"',
      'combos[0].data.strategy: taken route "work"',
      "combos[1].data.strategy: left (not-supported)",
      "key_value.models_dev_pricing: left (not-supported)",
      "usage_history: left (not-supported)",
    ])
      expect(lines).toContain(line);
    const left = (read(WHOLE)?.fields ?? []).filter(({ field }) => /^provider_connections\[\d\]$/.test(field));
    expect(left.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      "provider_connections[3] login",
      "provider_connections[4] login",
      "provider_connections[5] unused",
    ]);
  });

  it("brings keys along with the limits that Postern has, and none that would be able to do more", () => {
    const key = (id: string, more: object = {}) => ({
      id,
      name: id,
      key: `sk-omni-${id}-0123456789`,
      is_active: 1,
      ...more,
    });
    const imported = read({
      ...WHOLE,
      api_keys: [
        key("plain"),
        key("models", { allowed_models: '["kimi/kimi-k3"]', max_requests_per_minute: 20 }),
        key("unknown", { allowed_models: '["codex/gpt-5"]' }),
        key("daily"),
        key("both"),
        key("network", { ip_allowlist: '["10.0.0.0/8"]' }),
        key("revoked", { revoked_at: "2026-01-01T00:00:00Z" }),
        key("until", { expires_at: "2030-01-01T00:00:00Z" }),
        key("endless", { expires_at: "soon" }),
      ],
      domain_budgets: [
        { api_key_id: "daily", daily_limit_usd: 5 },
        { api_key_id: "both", daily_limit_usd: 5, monthly_limit_usd: 50 },
      ],
    });
    const secret = (id: string) => ({ name: id, secret: `sk-omni-${id}-0123456789` });
    expect(imported?.setup.keys).toEqual([
      secret("plain"),
      { ...secret("models"), models: ["kimi/kimi-k3"], rpm: 20 },
      { ...secret("daily"), limit_usd: 5, reset: "daily" },
      { ...secret("revoked"), disabled: true },
      { ...secret("until"), expires_at: Date.UTC(2030, 0, 1) },
    ]);
    const lines = fieldLines(imported);
    expect(lines).toContain('domain_budgets[0]: taken limit of key "daily"');
    for (const index of [2, 4, 5])
      expect(lines.some((line) => line.startsWith(`api_keys[${index}]`) && line.endsWith("left (not-supported)"))).toBe(
        true,
      );
  });
});

describe("where OmniRoute keeps it", () => {
  it("is the folder of its environment, of the system's settings, or its own", () => {
    const first = (more: Parameters<typeof places>[0]) => omniRouteImporter.files(places(more))[0]?.path;
    expect(first({})).toBe(DATABASE);
    expect(first({ env: { XDG_CONFIG_HOME: "/home/ada/.config" } })).toBe("/home/ada/.config/omniroute/storage.sqlite");
    expect(first({ env: { DATA_DIR: "/srv/omni" } })).toBe("/srv/omni/storage.sqlite");
    expect(first({ platform: "win32", home: "C:\\Users\\ada" })).toBe(
      "C:\\Users\\ada\\AppData\\Roaming\\omniroute\\storage.sqlite",
    );
  });
});
