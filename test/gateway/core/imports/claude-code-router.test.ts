import { describe, expect, it } from "vitest";
import { claudeCodeRouterImporter } from "../../../../gateway/core/imports/claude-code-router/claude-code-router.ts";
import { PASTED, type Imported } from "../../../../gateway/core/imports/importer.ts";
import { ENV, KEY, NEW, OLD, VERSION_2, old } from "./ccr-version-2.ts";
import { readAll } from "./read-database.ts";
import { textFile } from "./text-file.ts";
import { connection, fieldLines, places } from "./read-files.ts";

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
      connection("openrouter", "openai-compatible", "https://openrouter.ai/api/v1", ["sk-or-v1-1111111111111111"]),
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
