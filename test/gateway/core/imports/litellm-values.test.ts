import { expect, it } from "vitest";
import type { Imported } from "../../../../gateway/core/imports/importer.ts";
import { litellmImporter } from "../../../../gateway/core/imports/litellm/litellm.ts";
import { readAll } from "./read-database.ts";
import { textFile } from "./text-file.ts";
import { connection, fieldLines } from "./read-files.ts";

const GATEWAY = "https://gateway.example/v1";
const KEY = "gateway-key-0123456789";

function read(text: string, env: Readonly<Record<string, string>> = {}): Imported | null {
  return readAll(litellmImporter, [textFile("/home/ada/litellm/config.yaml", text)], { env });
}

const list = (...items: readonly string[]): string => `model_list:\n${items.map((item) => `  - ${item}\n`).join("")}`;

it.each([
  ["a mapping", "<<: *d"],
  ["a list of mappings", "<<: [*d, {api_key: other-key-0123456789}]"],
])("merges %s, as PyYAML does", (_what, merge) => {
  const anchors = `defaults: &d {api_base: "${GATEWAY}", api_key: ${KEY}}\n`;
  const items = Array.from(
    { length: 150 },
    (_, at) => `{model_name: m${at}, litellm_params: {${merge}, model: openai/m${at}}}`,
  );
  const imported = read(anchors + list(...items), { OPENAI_API_KEY: "sk-of-postern-0123456789" });
  expect(imported?.setup.connections).toEqual([connection("openai", "openai-compatible", GATEWAY, [KEY])]);
  expect(imported?.setup.routes).toHaveLength(150);
});

it("takes a variable's value wherever one is named", () => {
  const env = { MODEL: "openai/gpt-9", BASE: GATEWAY, KEY, PROVIDER: "openai", COST: "0.000001", ORDER: "2" };
  const params =
    "{model: os.environ/MODEL, api_base: os.environ/BASE, api_key: os.environ/KEY, custom_llm_provider: os.environ/PROVIDER, order: os.environ/ORDER, input_cost_per_token: os.environ/COST, output_cost_per_token: os.environ/COST}";
  const imported = read(
    list(
      `{model_name: mine, litellm_params: ${params}}`,
      `{model_name: mine, litellm_params: {model: groq/a, api_key: k}}`,
    ),
    env,
  );
  expect(imported?.setup.connections?.[0]).toEqual(connection("openai", "openai-compatible", GATEWAY, [KEY]));
  expect(imported?.setup.routes).toEqual([{ name: "mine", models: ["groq/a", "openai/gpt-9"] }]);
  expect(imported?.setup.prices).toEqual({ "openai/gpt-9": { input: 1, output: 1 } });
  expect(fieldLines(read(list("{model_name: mine, litellm_params: {model: os.environ/MODEL, api_key: k}}")))).toContain(
    "model_list[0].litellm_params.model: left (secret-missing)",
  );
});

it.each([
  ["https://openrouter.ai/api/v1", "openai/gpt-4o", "openrouter"],
  ["http://localhost:1234/v1", "openai/qwen", "lm-studio"],
  ["https://api.deepseek.com/v1", "openai/deepseek-chat", "deepseek"],
  [GATEWAY, "openai/gpt-4o", "openai"],
])("names a connection to %s by the program that runs there", (base, model, name) => {
  const imported = read(
    list(`{model_name: mine, litellm_params: {model: ${model}, api_base: "${base}", api_key: ${KEY}}}`),
  );
  expect(imported?.setup.connections?.map((each) => each.name)).toEqual([name]);
});

it("shows the name of a provider also where it stands for a key", () => {
  const imported = read(
    list(
      `{model_name: qwen, litellm_params: {model: openai/qwen, api_base: "http://localhost:1234/v1", api_key: lm-studio}}`,
    ),
  );
  expect(fieldLines(imported)).toContain('model_list[0].litellm_params.model: taken connection "lm-studio"');
});

it("asks no provider for a mocked response, and gives its group the fallbacks that it has", () => {
  const imported = read(
    `${list(
      "{model_name: mock, litellm_params: {model: openai/gpt-4o, api_key: sk-mock-no-provider-call, mock_response: hello}}",
      `{model_name: heavy, litellm_params: {model: bedrock/claude}}`,
      `{model_name: smart, litellm_params: {model: openai/gpt-4o, api_key: sk-real-0123456789abcdef}}`,
    )}litellm_settings: {fallbacks: [{heavy: [smart]}]}`,
  );
  expect(imported?.setup).toEqual({
    connections: [{ name: "openai", provider: "openai", keys: ["sk-real-0123456789abcdef"] }],
    routes: [
      { name: "heavy", models: ["gpt-4o"] },
      { name: "smart", models: ["gpt-4o"] },
    ],
  });
  expect(fieldLines(imported)).toContain('litellm_settings.fallbacks[0].heavy: taken chain of route "heavy"');
});

it.each<[string, object | undefined]>([
  ["general_settings: {master_key: KEY, max_budget: 2, budget_duration: 1d}", { limit_usd: 2, reset: "daily" }],
  [
    "general_settings: {master_key: KEY}\nlitellm_settings: {max_budget: 2, budget_duration: 30d}",
    { limit_usd: 2, reset: "monthly" },
  ],
  ["general_settings: {master_key: KEY}\nlitellm_settings: {max_budget: 2}", { limit_usd: 2, reset: "never" }],
  [
    "general_settings: {master_key: KEY, max_parallel_requests: 3, global_max_parallel_requests: 2, rpm_limit: 9}",
    { rpm: 9, concurrency: 2 },
  ],
  [
    "general_settings: {master_key: KEY}\nrouter_settings: {provider_budget_config: {openai: {budget_limit: 5, time_period: 1d}, groq: {budget_limit: 3, time_period: 1d}}}",
    { limit_usd: 3, reset: "daily" },
  ],
  ["general_settings: {master_key: KEY, tpm_limit: 1000}", undefined],
  ["general_settings: {master_key: KEY, max_budget: 2, budget_duration: 7d}", undefined],
  ["general_settings: {master_key: KEY, max_budget: os.environ/NOT_SET}", undefined],
  ["general_settings: {master_key: KEY, rpm_limit: os.environ/NOT_SET}", undefined],
])("takes the master key with the smallest limit of all calls, or not at all: %s", (settings, limits) => {
  const master = "sk-master-0123456789abcdef";
  const imported = read(settings.replace("KEY", master));
  expect(imported?.setup.keys).toEqual(limits && [{ name: "LiteLLM master key", secret: master, ...limits }]);
});

it("serves a wildcard by a connection of its name, and takes prices of embeddings", () => {
  const imported = read(
    list(
      `{model_name: "gw/*", litellm_params: {model: "openai/*", api_base: "${GATEWAY}", api_key: ${KEY}}}`,
      `{model_name: embed, litellm_params: {model: groq/embed-1, api_key: k}, model_info: {mode: embedding, input_cost_per_token: 1.0e-7}}`,
    ),
  );
  expect(imported?.setup.connections?.[0]?.name).toBe("gw");
  expect(fieldLines(imported)).toContain('model_list[0].model_name: taken models of connection "gw"');
  expect(imported?.setup.prices).toEqual({ "groq/embed-1": { input: 0.1, output: 0 } });
});
