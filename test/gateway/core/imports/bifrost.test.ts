import { describe, expect, it } from "vitest";
import { bifrostImporter } from "../../../../gateway/core/imports/bifrost.ts";
import { fieldLines, readFiles } from "./read-files.ts";

const CONFIG = "/home/ada/.config/bifrost/config.json";
const KEY = "sk-proj-iiiiiiiiiiiiiiii5555";
const VIRTUAL = "sk-bf-0f0f0f0f-1111-2222-3333";

const openai = { keys: [{ name: "one", value: "env.OPENAI", models: ["*"], weight: 0.2 }] };
const read = (config: object, env = { OPENAI: KEY }) =>
  readFiles(bifrostImporter, { [CONFIG]: JSON.stringify(config) }, { env });
const ALL = ["openai", "anthropic"].map((provider) => ({ provider, allowed_models: ["*"] }));
const virtualKey = (more: object, governance: object = {}): object => ({
  providers: { openai, anthropic: { keys: [{ value: "sk-ant-jjjjjjjjjjjjjjjj" }] } },
  governance: {
    budgets: [
      { id: "month", max_limit: 25.5, reset_duration: "1M" },
      { id: "week", max_limit: 5, reset_duration: "1w" },
    ],
    rate_limits: [
      { id: "slow", request_max_limit: 30, request_reset_duration: "1m" },
      { id: "tokens", token_max_limit: 10_000, token_reset_duration: "1h" },
    ],
    virtual_keys: [{ id: "vk", name: "team", value: VIRTUAL, provider_configs: ALL, ...more }],
    ...governance,
  },
});

describe("Bifrost", () => {
  it("takes providers with the keys in use, those of more weight first", () => {
    const imported = read({
      providers: {
        openai: {
          keys: [
            ...openai.keys,
            { value: "sk-proj-kkkkkkkkkkkkkkkk", weight: 0.8 },
            { value: "sk-off-llllllll", enabled: false },
          ],
        },
        mine: {
          keys: [],
          network_config: { base_url: "https://llm.example.com" },
          custom_provider_config: { base_provider_type: "openai" },
        },
        bedrock: { keys: [{ bedrock_key_config: { secret_key: "aws-secret-mmmmmmmm" } }] },
        unheard: { keys: [{ value: "key-of-unheard-1" }] },
      },
    });
    expect(imported?.setup.connections).toEqual([
      { name: "openai", provider: "openai", keys: ["sk-proj-kkkkkkkkkkkkkkkk", KEY] },
      { name: "mine", provider: "openai-compatible", base_url: "https://llm.example.com/v1" },
    ]);
    const lines = fieldLines(imported);
    expect(lines).toContain("providers.openai.keys[2].value: left (unused)");
    expect(lines.filter((line) => line.startsWith("providers.bedrock"))[0]).toMatch(/left \(login\)$/);
    expect(lines.filter((line) => line.startsWith("providers.unheard"))[0]).toMatch(/left \(unknown-provider\)$/);
    expect(JSON.stringify(imported?.fields)).not.toMatch(/mmmmmmmm|sk-off-llllllll|kkkkkkkk/);
  });

  it("takes virtual keys with their limits", () => {
    const imported = read(
      virtualKey({
        budget_id: "month",
        rate_limit_id: "slow",
        provider_configs: [{ provider: "openai", allowed_models: ["gpt-5.4", "gpt-5.4-mini"] }],
      }),
    );
    expect(imported?.setup.keys).toEqual([
      {
        name: "team",
        secret: VIRTUAL,
        models: ["gpt-5.4", "gpt-5.4-mini"],
        limit_usd: 25.5,
        reset: "monthly",
        rpm: 30,
      },
    ]);
    expect(fieldLines(imported)).toContain('governance.virtual_keys[0].value: taken key "team"');
    expect(JSON.stringify(imported?.fields)).not.toContain(VIRTUAL);
  });

  it.each([
    ["a budget of another period", { budget_id: "week" }],
    ["a limit of tokens", { rate_limit_id: "tokens" }],
    ["models of a provider that is not taken", { provider_configs: [{ provider: "bedrock", allowed_models: ["*"] }] }],
    ["no models", { provider_configs: [{ provider: "openai", allowed_models: [] }] }],
  ])("lets no key in that would be limited less here: %s", (_, more) => {
    const imported = read(virtualKey(more));
    expect(imported?.setup.keys).toBeUndefined();
    expect(
      fieldLines(imported).some((line) => /^governance\.virtual_keys\[0\].*left \(not-supported\)/.test(line)),
    ).toBe(true);
  });

  const inProvider = (limit: object) => ({ provider_configs: [{ ...ALL[0], id: "pc", ...limit }, ALL[1]] });
  const daily = (usd: number, more: object = {}) => ({ id: "day", max_limit: usd, reset_duration: "1d", ...more });
  const others = {
    virtual_keys: [
      { id: "vk", name: "team", value: VIRTUAL, provider_configs: ALL, team_id: "t" },
      { id: "v2", value: `${VIRTUAL}2`, team_id: "t" },
    ],
  };
  it.each<[string, object, object, object | undefined]>([
    ["a provider's", inProvider({ rate_limit_id: "slow" }), {}, { rpm: 30 }],
    [
      "a provider's that is counted otherwise",
      inProvider({ rate_limit: { request_max_limit: 1, request_reset_duration: "1h" } }),
      {},
      undefined,
    ],
    [
      "a provider's, named by the budget",
      inProvider({}),
      { budgets: [daily(1, { provider_config_id: "pc" })] },
      { limit_usd: 1, reset: "daily" },
    ],
    [
      "its team's",
      { team_id: "t" },
      { teams: [{ id: "t" }], budgets: [daily(3, { team_id: "t" })] },
      { limit_usd: 3, reset: "daily" },
    ],
    [
      "its team's, shared with another key",
      { team_id: "t" },
      { ...others, teams: [{ id: "t" }], budgets: [daily(3, { team_id: "t" })] },
      undefined,
    ],
    [
      "the customer's of its team",
      { team_id: "t" },
      { teams: [{ id: "t", customer_id: "c" }], customers: [{ id: "c", rate_limit_id: "slow" }] },
      { rpm: 30 },
    ],
    ["of a team that is not there", { team_id: "t" }, {}, undefined],
    ["a list of its own", { budgets: [daily(9), daily(2)] }, {}, { limit_usd: 2, reset: "daily" }],
    [
      "a day's within a month's",
      { budget: daily(1), budget_id: "month" },
      { budgets: [{ id: "month", max_limit: 31, reset_duration: "1M" }] },
      { limit_usd: 1, reset: "daily" },
    ],
    ["a month's below a day's", { budget: daily(100), budget_id: "month" }, {}, { limit_usd: 25.5, reset: "monthly" }],
    ["two of which none keeps the other", { budget: daily(5), budget_id: "month" }, {}, undefined],
    ["one that is not there", { budget_id: "none" }, {}, undefined],
    [
      "a model's",
      {},
      { model_configs: [{ id: "m", model_name: "*", scope: "virtual_key", scope_id: "vk", rate_limit_ids: ["slow"] }] },
      { rpm: 30 },
    ],
    [
      "another key's model's",
      {},
      { model_configs: [{ scope: "virtual_key", scope_id: "v9", rate_limit_ids: ["slow"] }] },
      {},
    ],
    ["no provider at all", { provider_configs: [] }, {}, undefined],
  ])("takes the smallest of a key's limits, or not the key: %s", (_what, more, governance, limits) => {
    const keys = read(virtualKey(more, governance))?.setup.keys;
    expect(keys).toEqual(
      limits && [{ name: "team", secret: VIRTUAL, models: expect.any(Array) as unknown, ...limits }],
    );
  });

  it("asks a server of the user's own where its key says it is", () => {
    const imported = read(
      {
        providers: {
          ollama: { keys: [{ value: "", ollama_key_config: { url: "http://ollama:11434" } }] },
          vllm: { keys: [{ value: "vllm-key-0123456789", vllm_key_config: { url: "env.VLLM" } }] },
        },
      },
      { OPENAI: KEY, VLLM: "http://gpu:8000" } as never,
    );
    expect(imported?.setup.connections).toEqual([
      { name: "ollama", provider: "openai-compatible", base_url: "http://ollama:11434/v1" },
      { name: "vllm", provider: "openai-compatible", base_url: "http://gpu:8000/v1", keys: ["vllm-key-0123456789"] },
    ]);
  });

  it.each([
    ["https://api.githubcopilot.com", "/chat/completions", "https://api.githubcopilot.com/chat/completions"],
    ["https://gateway.example/openai", undefined, "https://gateway.example/openai/v1"],
    ["https://gateway.example/openai/v3", undefined, "https://gateway.example/openai/v3"],
  ])("asks %s where Bifrost asks it", (base_url, chat_completion, at) => {
    const custom_provider_config = { base_provider_type: "openai", request_path_overrides: { chat_completion } };
    const imported = read({ providers: { mine: { network_config: { base_url }, custom_provider_config, keys: [] } } });
    expect(imported?.setup.connections).toEqual([{ name: "mine", provider: "openai-compatible", base_url: at }]);
  });

  it("names the models where a key may use all of a provider, so that no other connection is its too", () => {
    const [both] = read(virtualKey({}))?.setup.keys ?? [];
    expect(both?.models).toEqual(expect.arrayContaining(["gpt-5.4", "claude-sonnet-4-6"]));
    const [one] = read(virtualKey({ provider_configs: [ALL[0]] }))?.setup.keys ?? [];
    expect(one?.models).toContain("gpt-5.4");
    expect(one?.models).not.toContain("claude-sonnet-4-6");
  });

  it("takes no key for all models of a server whose models are not known", () => {
    const mine = {
      keys: [],
      network_config: { base_url: "https://llm.example.com" },
      custom_provider_config: { base_provider_type: "openai" },
    };
    const governance = {
      virtual_keys: [{ id: "vk", value: VIRTUAL, provider_configs: [{ provider: "mine", allowed_models: ["*"] }] }],
    };
    expect(read({ providers: { mine }, governance })?.setup.keys).toBeUndefined();
  });

  it("says which secrets are not here", () => {
    const imported = read({ providers: { openai } }, { OPENAI: "" });
    expect(imported?.setup.connections).toEqual([{ name: "openai", provider: "openai" }]);
    expect(fieldLines(imported)).toContain("providers.openai.keys[0].value: left (secret-missing)");
  });
});
