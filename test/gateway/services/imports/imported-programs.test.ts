import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ImportPreview } from "../../../../gateway/contract/import-operations.ts";
import type { SetupResult } from "../../../../gateway/contract/setup-operations.ts";
import { modelList, startProvider, type MockProvider, type Seen } from "../../../support/mock-provider.ts";
import { startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { claudeMessage } from "../../../support/acts.ts";

/**
 * What a user does who comes from another program: its files lie where it keeps them, they are imported, and apps that
 * are pointed at Postern go on with the names and the key that they had.
 */

let closing: (() => Promise<unknown>)[] = [];
let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "postern-home-"));
  closing.push(() => rm(home, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  closing = [];
});

async function provider(...models: string[]): Promise<MockProvider> {
  const mock = await startProvider();
  closing.push(() => mock.close());
  mock.list = modelList(models);
  return mock;
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), text);
}

/** A database that its program has open, so that the newest rows are in its log alone. */
async function database(path: string, ...statements: readonly string[]): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  const open = new DatabaseSync(join(home, path));
  closing.push(async () => open.close());
  open.exec("PRAGMA journal_mode = WAL");
  for (const statement of statements) open.exec(statement);
}

const text = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'`;

async function imported(program: string, env: Readonly<Record<string, string>> = {}): Promise<TestGateway> {
  const gateway = await startGateway({ env: { HOME: home, ...env } });
  closing.push(() => gateway.close());
  const preview = await gateway.ask<ImportPreview>("POST", "/imports/preview", { program });
  expect(preview.conflicts).toEqual([]);
  const result = await gateway.ask<SetupResult>("POST", "/imports/apply", {
    program,
    token: preview.token,
    take_keys: "all",
  });
  expect(result.tests.filter(({ taken }) => !taken)).toEqual([]);
  const again = await gateway.ask<ImportPreview>("POST", "/imports/preview", { program });
  expect(again.changes).toEqual([]);
  return gateway;
}

const bodyOf = (seen: Seen): Record<string, unknown> =>
  JSON.parse(seen.body.toString("utf8")) as Record<string, unknown>;

/** A message as Claude Code sends it, in short. */
function ask(gateway: TestGateway, model: string, key: string, more: object = {}): Promise<Response> {
  const body = { model, max_tokens: 100, messages: [{ role: "user", content: "Say hello." }], ...more };
  return gateway.post("/messages", body, key, { "user-agent": "claude-cli/2.1.329 (external, cli)" });
}

const TOOLS = [{ name: "Bash", description: "Runs.", input_schema: { type: "object" } }];

describe("Claude Code that was pointed at Claude Code Router", () => {
  const ROUTER_KEY = "sk-router-0123456789abcdef";

  async function world() {
    const [main, thinker, small] = [
      await provider("main-model"),
      await provider("thinking-model"),
      await provider("small-model"),
    ];
    const entry = (name: string, mock: MockProvider, models: string[], api_key: string) => ({
      name,
      api_base_url: `${mock.baseUrl}/chat/completions`,
      api_key,
      models,
    });
    const config = {
      APIKEY: ROUTER_KEY,
      Providers: [
        entry("Main", main, ["main-model"], "$MAIN_KEY"),
        entry("thinker", thinker, ["thinking-model"], "sk-thinker-0123456789"),
        entry("small", small, ["small-model"], "sk-small-0123456789"),
      ],
      Router: { default: "Main,main-model", think: "thinker,thinking-model", background: "small,small-model" },
      fallback: { default: ["thinker,thinking-model"] },
    };
    return { main, thinker, small, config };
  }

  it.each(["version 2", "version 3"])("goes on with its key and its names after %s", async (version) => {
    const { main, thinker, small, config } = await world();
    const env: Record<string, string> = version === "version 2" ? { MAIN_KEY: "sk-main-0123456789" } : {};
    if (version === "version 2") await put(".claude-code-router/config.json", `// mine\n${JSON.stringify(config)}`);
    else {
      // It has put the variable's value in, and lost the routing.
      const [first, ...others] = config.Providers;
      const stored = { Providers: [{ ...first, api_key: "sk-main-0123456789" }, ...others], Router: { rules: [] } };
      await database(
        ".claude-code-router/config.sqlite",
        "CREATE TABLE app_config (key TEXT PRIMARY KEY, value_json TEXT NOT NULL, updated_at TEXT NOT NULL)",
        "CREATE TABLE api_keys (id TEXT PRIMARY KEY, name TEXT, encrypted_key TEXT, encryption TEXT, created_at TEXT, expires_at TEXT, limits_json TEXT)",
        "CREATE TABLE legacy_storage_backups (id TEXT PRIMARY KEY, source_path TEXT, source_kind TEXT, sha256 TEXT, content BLOB, archived_at TEXT)",
        `INSERT INTO app_config VALUES ('default', ${text(stored)}, '2026-11-24')`,
        `INSERT INTO api_keys VALUES ('key-1', 'API Key 1', '${ROUTER_KEY}', 'plain', '2026-11-24', '', '')`,
        `INSERT INTO legacy_storage_backups VALUES ('b', 'config.json', 'legacy-json-config', 'x', CAST(${text(config)} AS BLOB), '2026-11-24')`,
      );
    }
    const gateway = await imported("claude-code-router", env);

    expect((await ask(gateway, "claude-opus-5-5", ROUTER_KEY, { tools: TOOLS })).status).toBe(200);
    expect(main.last.key).toBe("sk-main-0123456789");
    expect(bodyOf(main.last)["model"]).toBe("main-model");

    const thinking = { tools: TOOLS, thinking: { type: "enabled", budget_tokens: 1_024 }, max_tokens: 2_048 };
    expect((await ask(gateway, "claude-sonnet-5-5", ROUTER_KEY, thinking)).status).toBe(200);
    expect(bodyOf(thinker.last)["model"]).toBe("thinking-model");

    expect((await ask(gateway, "claude-haiku-5-5", ROUTER_KEY)).status).toBe(200);
    expect(bodyOf(small.last)["model"]).toBe("small-model");

    // `/model provider,model` of the router is `provider/model` here.
    expect((await ask(gateway, "main/main-model", ROUTER_KEY)).status).toBe(200);
    expect(main.chats).toHaveLength(2);

    await main.close();
    expect((await ask(gateway, "claude-opus-5-5", ROUTER_KEY, { tools: TOOLS })).status).toBe(200);
    expect(bodyOf(thinker.last)["model"]).toBe("thinking-model");
    expect((await gateway.receipt()).route).toMatchObject({ name: "claude-opus-5-5" });
  });
});

describe("Claude Code and Codex that cc-switch has set up", () => {
  it("reach the provider that was in use, the next one after it, and each by its own names", async () => {
    const [first, second, chat] = [await provider("glm-5"), await provider("kimi-k3"), await provider("gpt-x")];
    const messages = (mock: MockProvider, name: string): Seen[] => {
      const seen: Seen[] = [];
      mock.also.set("/v1/messages", ({ seen: call, outgoing }) => {
        seen.push(call);
        const response = claudeMessage("Hello.", undefined, { model: name });
        outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(response));
      });
      return seen;
    };
    const [atFirst, atSecond] = [messages(first, "glm-5"), messages(second, "kimi-k3")];
    const origin = (mock: MockProvider): string => new URL(mock.baseUrl).origin;
    const claude = (mock: MockProvider, key: string, model?: string) => ({
      env: {
        ANTHROPIC_BASE_URL: origin(mock),
        ANTHROPIC_AUTH_TOKEN: key,
        ...(model === undefined ? {} : { ANTHROPIC_MODEL: model }),
      },
    });
    const codex = {
      auth: { OPENAI_API_KEY: "sk-chat-0123456789" },
      config: `model_provider = "custom"\nmodel = "gpt-x"\n[model_providers.custom]\nbase_url = "${chat.baseUrl}"\nwire_api = "chat"\n`,
    };
    const add = (
      id: string,
      app: string,
      name: string,
      settings: unknown,
      current: number,
      queue: number,
      order: number,
    ): string =>
      `INSERT INTO providers (id, app_type, name, settings_config, sort_index, is_current, in_failover_queue) VALUES ('${id}', '${app}', '${name}', ${text(settings)}, ${order}, ${current}, ${queue})`;
    await database(
      ".cc-switch/cc-switch.db",
      "CREATE TABLE providers (id TEXT NOT NULL, app_type TEXT NOT NULL, name TEXT NOT NULL, settings_config TEXT NOT NULL, category TEXT, sort_index INTEGER, meta TEXT NOT NULL DEFAULT '{}', is_current BOOLEAN NOT NULL DEFAULT 0, in_failover_queue BOOLEAN NOT NULL DEFAULT 0, PRIMARY KEY (id, app_type))",
      "CREATE TABLE proxy_config (app_type TEXT PRIMARY KEY, listen_port INTEGER, auto_failover_enabled INTEGER)",
      "INSERT INTO proxy_config VALUES ('claude', 15721, 1)",
      add("a", "claude", "GLM", claude(first, "sk-glm-0123456789", "glm-5"), 1, 1, 1),
      add("b", "claude", "Kimi Relay", claude(second, "sk-kimi-0123456789", "kimi-k3"), 0, 1, 2),
      add("c", "codex", "Chat", codex, 1, 0, 1),
    );
    const gateway = await imported("cc-switch");
    const { secret } = await gateway.ask<{ secret: string }>("POST", "/keys", { name: "claude" });

    expect((await ask(gateway, "claude-opus-5-5", secret, { tools: TOOLS })).status).toBe(200);
    expect(atFirst.map((seen) => bodyOf(seen)["model"])).toEqual(["glm-5"]);
    await first.close();
    expect((await ask(gateway, "claude-sonnet-5-5", secret, { tools: TOOLS })).status).toBe(200);
    expect(atSecond.map((seen) => bodyOf(seen)["model"])).toEqual(["kimi-k3"]);
    expect((await ask(gateway, "kimi-relay/other-model", secret)).status).toBe(200);
    expect(bodyOf(atSecond[1] as Seen)["model"]).toBe("other-model");

    expect(
      (await gateway.chat({ model: "gpt-x", messages: [{ role: "user", content: "Hello" }] }, secret)).status,
    ).toBe(200);
    expect(chat.last.key).toBe("sk-chat-0123456789");
    expect(chat.lastBody["model"]).toBe("gpt-x");
  });
});

describe("clients of LiteLLM", () => {
  it("go on with the master key and the names of its models, and are billed by its prices", async () => {
    const [main, spare] = [await provider("house-model"), await provider("spare-model")];
    const key = "sk-litellm-0123456789abcdef";
    await put(
      "litellm/config.yaml",
      `include: [models.yaml]
model_list:
  - model_name: gpt-4o
    litellm_params: { model: openai/house-model, api_base: "${main.baseUrl}", api_key: os.environ/HOUSE_KEY }
    model_info: { input_cost_per_token: 0.000002, output_cost_per_token: 0.000004 }
litellm_settings: { fallbacks: [{ gpt-4o: [spare] }] }
router_settings: { model_group_alias: { gpt-4: gpt-4o } }
general_settings: { master_key: ${key} }
`,
    );
    await put(
      "litellm/models.yaml",
      `model_list:\n  - model_name: spare\n    litellm_params: { model: hosted_vllm/spare-model, api_base: "${spare.baseUrl}", api_key: sk-spare-0123456789 }\n`,
    );
    const gateway = await imported("litellm", { HOUSE_KEY: "sk-house-0123456789" });
    const hello = (model: string) => gateway.chat({ model, messages: [{ role: "user", content: "Hello" }] }, key);

    expect((await hello("gpt-4o")).status).toBe(200);
    expect([main.last.key, main.lastBody["model"]]).toEqual(["sk-house-0123456789", "house-model"]);
    // 10 tokens in at $2, 5 out at $4 a million.
    expect((await gateway.receipt()).nano).toBe(40_000);
    expect((await hello("gpt-4")).status).toBe(200);
    expect((await hello("spare")).status).toBe(200);
    expect(spare.lastBody["model"]).toBe("spare-model");
    await main.close();
    expect((await hello("gpt-4o")).status).toBe(200);
    expect(spare.chats).toHaveLength(2);
  });
});

describe("clients of 9router", () => {
  it("go on with its key, its combos, aliases, and models after prefixes", async () => {
    const mock = await provider("qwen3");
    const key = "sk-nine-0123456789abcdef";
    await put(
      ".9router/db.json",
      JSON.stringify({
        providerConnections: [
          {
            id: "c",
            provider: "openai-compatible-chat-1",
            authType: "apikey",
            name: "Node",
            priority: 1,
            isActive: true,
            apiKey: "sk-node-0123456789",
          },
        ],
        providerNodes: [
          {
            id: "openai-compatible-chat-1",
            type: "openai-compatible",
            name: "My relay",
            prefix: "mine",
            apiType: "chat",
            baseUrl: mock.baseUrl,
          },
        ],
        combos: [{ id: "k", name: "work", models: ["cc/claude-opus-5", "mine/qwen3"] }],
        modelAliases: { fast: "mine/qwen3" },
        apiKeys: [{ id: "a", key, name: "laptop", isActive: true }],
      }),
    );
    const gateway = await imported("9router");
    for (const model of ["work", "fast", "mine/qwen3", "mine/not-listed"]) {
      const response = await gateway.chat({ model, messages: [{ role: "user", content: "Hello" }] }, key);
      expect([model, response.status]).toEqual([model, 200]);
      expect(mock.last.key).toBe("sk-node-0123456789");
      expect(mock.lastBody["model"]).toBe(model === "mine/not-listed" ? "not-listed" : "qwen3");
    }
  });
});
