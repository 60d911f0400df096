import { describe, expect, it } from "vitest";
import { nineRouterImporter } from "../../../../gateway/core/imports/9router/9router.ts";
import type { Imported } from "../../../../gateway/core/imports/importer.ts";
import { databaseOf, readAll } from "./read-database.ts";
import { textFile } from "./text-file.ts";
import { connection, fieldLines, places } from "./read-files.ts";

const DATABASE = "/home/ada/.9router/db/data.sqlite";
const TABLES = ["providerConnections", "providerNodes", "combos", "apiKeys", "kv", "settings", "proxyPools"];

/** The tables of 0.5.69, as its `TABLES` makes them. */
const SCHEMA = `
  CREATE TABLE _meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE settings (id INTEGER PRIMARY KEY CHECK (id = 1), data TEXT NOT NULL);
  CREATE TABLE providerConnections (id TEXT PRIMARY KEY, provider TEXT NOT NULL, authType TEXT NOT NULL, name TEXT, email TEXT,
    priority INTEGER, isActive INTEGER DEFAULT 1, data TEXT NOT NULL, createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL);
  CREATE TABLE providerNodes (id TEXT PRIMARY KEY, type TEXT, name TEXT, data TEXT NOT NULL, createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL);
  CREATE TABLE proxyPools (id TEXT PRIMARY KEY, isActive INTEGER DEFAULT 1, testStatus TEXT, data TEXT NOT NULL, createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL);
  CREATE TABLE apiKeys (id TEXT PRIMARY KEY, key TEXT UNIQUE NOT NULL, name TEXT, machineId TEXT, isActive INTEGER DEFAULT 1, createdAt TEXT NOT NULL);
  CREATE TABLE combos (id TEXT PRIMARY KEY, name TEXT UNIQUE NOT NULL, kind TEXT, models TEXT NOT NULL, createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL);
  CREATE TABLE kv (scope TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (scope, key));
  CREATE TABLE usageHistory (id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT NOT NULL, provider TEXT);`;

type Item = Readonly<Record<string, unknown>>;

const account = (id: string, provider: string, name: string, apiKey: string | undefined, more: Item = {}): Item => ({
  id,
  provider,
  name,
  authType: "apikey",
  priority: 1,
  isActive: true,
  ...(apiKey === undefined ? {} : { apiKey }),
  ...more,
});

/** The same set-up, as the file of earlier versions has it. */
const DATA = {
  providerConnections: [
    account("c1", "deepseek", "Main", "sk-deepseek-second-0123456789", { priority: 2 }),
    account("c2", "deepseek", "First", "sk-deepseek-first-0123456789"),
    account("c3", "glm", "GLM", "glm-0123456789abcdef"),
    account("c4", "claude", "Claude", undefined, {
      authType: "oauth",
      accessToken: "sk-ant-oat01-0123456789",
      refreshToken: "sk-ant-ort01-0123456789",
    }),
    account("c5", "groq", "Off", "gsk_0123456789abcdef", { isActive: false }),
    account("c6", "openai-compatible-chat-77", "Node", "sk-node-0123456789abcdef", {
      providerSpecificData: {
        prefix: "mine",
        apiType: "chat",
        baseUrl: "https://relay.example/v1",
        nodeName: "My relay",
      },
    }),
    account("c7", "tavily", "Search", "tvly-0123456789abcdef"),
    account("c8", "volcengine-ark", "Ark", "ark-0123456789abcdef"),
    account("c9", "vertex", "Vertex", "{}"),
    account("c10", "nobody-knows", "?", "k-0123456789abcdef"),
    account("c11", "grok-web", "Web", "sso=0123456789abcdef", { authType: "cookie" }),
  ],
  providerNodes: [
    {
      id: "openai-compatible-chat-77",
      type: "openai-compatible",
      name: "My relay",
      prefix: "mine",
      apiType: "chat",
      baseUrl: "https://relay.example/v1",
    },
  ],
  combos: [
    {
      id: "k1",
      name: "work",
      models: ["ds/deepseek-v4-pro", "glm/glm-5", "mine/qwen3", "cc/claude-opus-5"],
      kind: null,
    },
    { id: "k2", name: "nested", models: ["work", "fast"] },
    { id: "k3", name: "nothing", models: ["cc/claude-opus-5"] },
  ],
  apiKeys: [
    { id: "a1", key: "sk-machine-0123456789abcdef", name: "laptop", machineId: "m", isActive: true },
    { id: "a2", key: "sk-machine-off-0123456789ab", name: "old", machineId: "m", isActive: false },
  ],
  modelAliases: {
    fast: "mine/qwen3",
    gone: "cc/claude-opus-5",
    other: { provider: "deepseek", model: "deepseek-v4-flash" },
  },
  pricing: { mine: { qwen3: { input: 0.5, output: 2, cached: 0.1 } }, cc: { x: { input: 1, output: 1 } } },
  settings: { requireLogin: true, password: "$2b$10$abcdefghijklmnopqrstuv" },
};

const fromFile = (data: unknown = DATA): Imported | null =>
  readAll(nineRouterImporter, [textFile("/home/ada/.9router/db.json", JSON.stringify(data))]);

function fromDatabase(): Imported | null {
  const times = { createdAt: "2026-01-01", updatedAt: "2026-01-01" };
  const split = (item: Item, columns: readonly string[]) => ({
    ...Object.fromEntries(
      columns.map((column) => [column, column === "isActive" ? Number(item[column]) : (item[column] ?? null)]),
    ),
    data: JSON.stringify(Object.fromEntries(Object.entries(item).filter(([name]) => !columns.includes(name)))),
    ...times,
  });
  const kv = (scope: "modelAliases" | "pricing") =>
    Object.entries(DATA[scope]).map(([key, value]) => ({ scope, key, value: JSON.stringify(value) }));
  const database = databaseOf(
    DATABASE,
    SCHEMA,
    {
      providerConnections: DATA.providerConnections.map((item) =>
        split(item, ["id", "provider", "authType", "name", "priority", "isActive"]),
      ),
      providerNodes: DATA.providerNodes.map((item) => split(item, ["id", "type", "name"])),
      combos: DATA.combos.map(({ id, name, models }) => ({
        id,
        name,
        kind: null,
        models: JSON.stringify(models),
        ...times,
      })),
      apiKeys: DATA.apiKeys.map(({ isActive, ...key }) => ({
        ...key,
        isActive: Number(isActive),
        createdAt: "2026-01-01",
      })),
      kv: [...kv("modelAliases"), ...kv("pricing"), { scope: "disabledModels", key: "openai", value: "[]" }],
      settings: [{ id: 1, data: JSON.stringify(DATA.settings) }],
      usageHistory: [{ timestamp: "2026-01-01" }, { timestamp: "2026-01-02" }],
    },
    TABLES,
  );
  return readAll(nineRouterImporter, [database]);
}

describe("a set-up of 9router", () => {
  it("becomes connections by the names that stand in front of models, with keys by priority", () => {
    expect(fromFile()?.setup.connections).toEqual([
      {
        name: "deepseek",
        provider: "deepseek",
        keys: ["sk-deepseek-first-0123456789", "sk-deepseek-second-0123456789"],
      },
      connection("glm", "anthropic", "https://api.z.ai/api/anthropic", ["glm-0123456789abcdef"]),
      connection("mine", "openai-compatible", "https://relay.example/v1", ["sk-node-0123456789abcdef"]),
      connection("volcengine-ark", "openai-compatible", "https://ark.cn-beijing.volces.com/api/coding/v3", [
        "ark-0123456789abcdef",
      ]),
    ]);
    expect(fromFile()?.setup.search_keys).toEqual({ tavily: "tvly-0123456789abcdef" });
  });

  it("becomes routes of combos, aliases, prices and keys", () => {
    const setup = fromFile()?.setup;
    expect(setup?.routes).toEqual([
      { name: "work", models: ["deepseek-v4-pro", "glm/glm-5", "mine/qwen3"] },
      { name: "nested", models: ["deepseek-v4-pro", "glm/glm-5", "mine/qwen3"] },
    ]);
    expect(setup?.aliases).toEqual({ fast: "mine/qwen3", other: "deepseek-v4-flash" });
    expect(setup?.prices).toEqual({ "mine/qwen3": { input: 0.5, output: 2, cached_input: 0.1 } });
    expect(setup?.keys).toEqual([
      { name: "laptop", secret: "sk-machine-0123456789abcdef" },
      { name: "old", secret: "sk-machine-off-0123456789ab", disabled: true },
    ]);
  });

  it("is the same out of the database of 0.5 and the file before", () => {
    expect(fromDatabase()?.setup).toEqual(fromFile()?.setup);
  });

  it("says what becomes of each field", () => {
    const lines = fieldLines(fromDatabase());
    for (const line of [
      'providerConnections[0].id: taken connection "deepseek"',
      "combos[0].models[3]: left (unknown-provider)",
      "combos[2]: left (unknown-provider)",
      "modelAliases.gone: left (unknown-provider)",
      'modelAliases.fast: taken alias "fast" of mine/qwen3',
      "pricing.cc.x: left (unknown-provider)",
      'pricing.mine.qwen3: taken price of "mine/qwen3"',
      'apiKeys[0]: taken key "laptop"',
      "settings: left (not-supported)",
      "usageHistory: left (not-supported)",
      "disabledModels.openai: left (not-supported)",
    ])
      expect(lines).toContain(line);
    const reasons = Object.fromEntries(
      (fromFile()?.fields ?? []).flatMap(({ field, reason }) => {
        const [, index] = /^providerConnections\[(\d+)\](\.apiKey)?$/.exec(field) ?? [];
        return index === undefined ? [] : [[index, reason]];
      }),
    );
    const left = { 3: "login", 4: "unused", 8: "not-supported", 9: "unknown-provider", 10: "login" };
    expect(reasons).toEqual({
      ...Object.fromEntries(Array.from({ length: 11 }, (_, index) => [index, undefined])),
      ...left,
    });
    const shown = JSON.stringify([fromFile()?.fields, fromDatabase()?.fields]);
    for (const { apiKey, accessToken } of DATA.providerConnections as readonly {
      apiKey?: string;
      accessToken?: string;
    }[])
      for (const secret of [apiKey, accessToken])
        if (secret !== undefined && secret !== "{}") expect(shown).not.toContain(secret);
  });

  it("leaves the file that it kept before where there is a database", () => {
    const empty = databaseOf(DATABASE, SCHEMA, {}, TABLES);
    const both = readAll(nineRouterImporter, [empty, textFile("/home/ada/.9router/db.json", JSON.stringify(DATA))]);
    expect(both?.setup).toEqual({});
    expect(both?.fields.some(({ reason }) => reason === "unused")).toBe(true);
  });

  it.each(["{", "[]", '{"theme": 1}'])("is not %s", (text) => {
    expect(readAll(nineRouterImporter, [textFile("/home/ada/.9router/db.json", text)])).toBeNull();
  });

  it("leaves combos out that only name each other", () => {
    const combos = [
      { name: "a", models: ["b"] },
      { name: "b", models: ["a"] },
    ];
    expect(fromFile({ providerConnections: [], combos })?.setup).toEqual({});
  });
});

describe("where 9router keeps it", () => {
  it("is a folder of its own, or the one that its environment names", () => {
    expect(nineRouterImporter.files(places()).map(({ path }) => path)).toEqual([
      DATABASE,
      "/home/ada/.9router/db.json",
    ]);
    expect(nineRouterImporter.files(places({ env: { DATA_DIR: "/srv/nine" } }))[0]?.path).toBe(
      "/srv/nine/db/data.sqlite",
    );
  });
});
