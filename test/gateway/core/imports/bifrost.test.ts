import { describe, expect, it } from "vitest";
import { bifrostImporter } from "../../../../gateway/core/imports/bifrost.ts";
import { fieldLines, readFiles } from "./read-files.ts";

const CONFIG = "/home/ada/.config/bifrost/config.json";
const KEY = "sk-proj-iiiiiiiiiiiiiiii5555";
const VIRTUAL = "sk-bf-0f0f0f0f-1111-2222-3333";

const openai = { keys: [{ name: "one", value: "env.OPENAI", models: ["*"], weight: 0.2 }] };
const read = (config: object, env = { OPENAI: KEY }) =>
  readFiles(bifrostImporter, { [CONFIG]: JSON.stringify(config) }, { env });
const virtualKey = (more: object): object => ({
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
    virtual_keys: [{ id: "vk", name: "team", value: VIRTUAL, ...more }],
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
    ["all models of one provider of two", { provider_configs: [{ provider: "openai", allowed_models: ["*"] }] }],
  ])("lets no key in that would be limited less here: %s", (_, more) => {
    const imported = read(virtualKey(more));
    expect(imported?.setup.keys).toBeUndefined();
    expect(fieldLines(imported)).toContain("governance.virtual_keys[0]: left (not-supported)");
  });

  it("needs no list of models where a key may use all providers", () => {
    const all = ["openai", "anthropic"].map((provider) => ({ provider, allowed_models: ["*"] }));
    expect(read(virtualKey({ provider_configs: all }))?.setup.keys).toEqual([{ name: "team", secret: VIRTUAL }]);
  });

  it("says which secrets are not here", () => {
    const imported = read({ providers: { openai } }, { OPENAI: "" });
    expect(imported?.setup.connections).toEqual([{ name: "openai", provider: "openai" }]);
    expect(fieldLines(imported)).toContain("providers.openai.keys[0].value: left (secret-missing)");
  });
});
