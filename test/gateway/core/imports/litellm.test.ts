import { describe, expect, it } from "vitest";
import type { Imported } from "../../../../gateway/core/imports/importer.ts";
import { litellmImporter } from "../../../../gateway/core/imports/litellm/litellm.ts";
import { readAll } from "./read-database.ts";
import { textFile } from "./text-file.ts";
import { connection, fieldLines, places } from "./read-files.ts";

const MAIN = "/home/ada/litellm/config.yaml";

function read(
  text: string,
  env: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, string>> = {},
): Imported | null {
  const files = Object.entries({ [MAIN]: text, ...more }).map(([path, content]) => textFile(path, content));
  return readAll(litellmImporter, files, { env });
}

const one = (params: string, more = ""): string =>
  `model_list:\n  - model_name: mine\n    litellm_params: ${params}\n${more}`;

const WHOLE = `
model_list:
  - model_name: gpt-4o
    litellm_params:
      model: azure/my-gpt4o
      api_base: https://my-res.openai.azure.com/
      api_key: os.environ/AZURE_API_KEY
      api_version: "2025-01-01-preview"
      rpm: 60
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o, api_key: os.environ/OPENAI_API_KEY, tpm: 100000 }
    model_info: { input_cost_per_token: 0.0000025, output_cost_per_token: 0.00001, mode: chat }
  - model_name: claude
    litellm_params: { model: anthropic/claude-sonnet-4-5, api_key: sk-ant-api03-abcdefghijklmnop }
  - model_name: fast
    litellm_params: { model: fireworks_ai/accounts/fireworks/models/llama, api_key: fw_12345678901234567890 }
    model_info: { input_cost_per_token: 9.0e-07, output_cost_per_token: 9.0e-07, cache_read_input_token_cost: 1e-7 }
  - model_name: local
    litellm_params: { model: ollama_chat/llama3.2, api_base: "http://localhost:11434" }
  - model_name: "openai/*"
    litellm_params: { model: "openai/*", api_key: os.environ/OPENAI_API_KEY }
  - model_name: aws
    litellm_params: { model: bedrock/anthropic.claude-v2, aws_access_key_id: AKIA0123456789ABCDEF, aws_secret_access_key: abcdefghijklmnopqrst }
litellm_settings:
  drop_params: true
  fallbacks: [{"gpt-4o": ["claude", "fast"]}, {"claude": ["gpt-4o"]}, {"nobody": ["claude"]}]
  context_window_fallbacks: [{"fast": ["claude"]}]
router_settings:
  routing_strategy: latency-based-routing
  model_group_alias: {"gpt-4": "gpt-4o", "x": {"model": "nope", "hidden": true}, "y": {"model": "fast", "hidden": true}}
general_settings:
  master_key: os.environ/LITELLM_MASTER_KEY
  database_url: "postgresql://ada:swordfish123@host:5432/db"
`;
const ENV = {
  AZURE_API_KEY: "azure-0123456789abcdef",
  OPENAI_API_KEY: "sk-openai-0123456789abcdef",
  LITELLM_MASTER_KEY: "sk-master-0123456789abcdef",
};

describe("a configuration of LiteLLM", () => {
  it("becomes connections", () => {
    expect(read(WHOLE, ENV)?.setup.connections).toEqual([
      connection("azure", "openai-compatible", "https://my-res.openai.azure.com/openai/v1", [ENV.AZURE_API_KEY]),
      { name: "openai", provider: "openai", keys: [ENV.OPENAI_API_KEY] },
      { name: "anthropic", provider: "anthropic", keys: ["sk-ant-api03-abcdefghijklmnop"] },
      connection("fireworks_ai", "openai-compatible", "https://api.fireworks.ai/inference/v1", [
        "fw_12345678901234567890",
      ]),
      { name: "ollama_chat", provider: "openai-compatible", base_url: "http://localhost:11434/v1" },
    ]);
  });

  it("becomes routes: deployments of a name in a row, and its fallbacks after them", () => {
    const azure = "azure/my-gpt4o";
    const llama = "fireworks-ai/accounts/fireworks/models/llama";
    expect(read(WHOLE, ENV)?.setup.routes).toEqual([
      { name: "gpt-4o", models: [azure, "gpt-4o", "claude-sonnet-4-5", llama], order: "fastest" },
      { name: "claude", models: ["claude-sonnet-4-5", azure, "gpt-4o", llama], order: "fastest" },
      { name: "fast", models: [llama, "claude-sonnet-4-5", azure, "gpt-4o"], order: "fastest" },
      { name: "local", models: ["ollama-chat/llama3.2"], order: "fastest" },
      { name: "gpt-4", models: [azure, "gpt-4o", "claude-sonnet-4-5", llama], order: "fastest" },
      { name: "y", models: [llama, "claude-sonnet-4-5", azure, "gpt-4o"], order: "fastest" },
    ]);
  });

  it("becomes prices for a million tokens, and the key with which clients called it", () => {
    const setup = read(WHOLE, ENV)?.setup;
    expect(setup?.prices).toEqual({
      "gpt-4o": { input: 2.5, output: 10 },
      "fireworks-ai/accounts/fireworks/models/llama": { input: 0.9, output: 0.9, cached_input: 0.1 },
    });
    expect(setup?.keys).toEqual([{ name: "LiteLLM master key", secret: ENV.LITELLM_MASTER_KEY }]);
  });

  it("says what becomes of each field, and shows no secret", () => {
    const imported = read(WHOLE, ENV);
    const lines = fieldLines(imported);
    for (const line of [
      'model_list[0].model_name: taken route "gpt-4o"',
      'model_list[0].litellm_params.api_base: changed connection "azure" (endpoint)',
      "model_list[0].litellm_params.rpm: left (not-supported)",
      "model_list[1].litellm_params.tpm: left (not-supported)",
      'model_list[1].model_info.input_cost_per_token: taken price of "gpt-4o"',
      "model_list[1].model_info.mode: left (default)",
      'model_list[5].model_name: taken models of connection "openai"',
      "model_list[6]: left (not-supported)",
      'litellm_settings.fallbacks[0].gpt-4o: taken chain of route "gpt-4o"',
      "litellm_settings.fallbacks[2].nobody: left (unused)",
      'litellm_settings.context_window_fallbacks[0].fast: changed chain of route "fast"',
      "router_settings.routing_strategy: taken order of routes: fastest",
      "router_settings.model_group_alias.x: left (unknown-provider)",
      'general_settings.master_key: taken key "LiteLLM master key"',
      "general_settings.database_url: left (not-supported)",
    ])
      expect(lines).toContain(line);
    const shown = JSON.stringify(imported?.fields);
    for (const secret of [
      "abcdefghijklmnopqrst",
      "swordfish123",
      "sk-ant-api03-abcdefghijklmnop",
      "AKIA0123456789ABCDEF",
    ])
      expect(shown).not.toContain(secret);
  });

  it("does without a route where a name means its own model", () => {
    expect(
      read("model_list:\n  - model_name: gpt-5-mini\n    litellm_params: { model: gpt-5-mini }\n", ENV)?.setup,
    ).toEqual({
      connections: [{ name: "openai", provider: "openai", keys: [ENV.OPENAI_API_KEY] }],
    });
  });

  it.each([
    [
      "{ model: openai/gpt-x, api_base: 'http://10.0.0.5:8000/v1', api_key: none }",
      "openai-compatible",
      "http://10.0.0.5:8000/v1",
    ],
    ["{ model: hosted_vllm/qwen, api_base: 'http://10.0.0.5:8000' }", "openai-compatible", "http://10.0.0.5:8000/v1"],
    ["{ model: anthropic/claude-x, api_base: 'https://relay.example' }", "anthropic", "https://relay.example"],
    ["{ model: gemini/gemini-3-pro }", "gemini", undefined],
    ["{ model: deepseek/deepseek-chat }", "deepseek", undefined],
    ["{ model: openrouter/qwen/qwen3 }", "openai-compatible", "https://openrouter.ai/api/v1"],
    ["{ model: together_ai/llama }", "openai-compatible", "https://api.together.xyz/v1"],
    ["{ model: gpt-9-nano }", "openai", undefined],
    ["{ model: my-model, custom_llm_provider: groq }", "openai-compatible", "https://api.groq.com/openai/v1"],
    ["{ model: xai/grok-4.5 }", "xai", undefined],
  ])("finds the provider of %s", (params, provider, base_url) => {
    expect(read(one(params))?.setup.connections).toMatchObject([
      { provider, ...(base_url === undefined ? {} : { base_url }) },
    ]);
  });

  it.each([
    ["{ model: vertex_ai/gemini-3-pro }", "not-supported"],
    ["{ model: sagemaker/x }", "not-supported"],
    ["{ model: azure/x }", "unknown-provider"],
    ["{ model: nobody-knows/x }", "unknown-provider"],
    ["{ api_key: x }", "unreadable"],
    ["{ model: litellm_proxy/x, api_base: 'http://127.0.0.1:4000' }", "own-address"],
    ["{ model: openai/x, api_base: os.environ/NOT_SET }", "secret-missing"],
  ])("leaves %s: %s", (params, reason) => {
    const imported = read(one(params));
    expect(imported?.setup).toEqual({});
    expect(imported?.fields[0]).toMatchObject({ fate: "left", reason });
  });

  it("takes keys from where LiteLLM would: `.env`, `environment_variables`, the provider's variable, credentials", () => {
    const keys = (text: string, env: Record<string, string>, more: Record<string, string> = {}) =>
      read(text, env, more)?.setup.connections?.[0]?.keys;
    expect(keys(one("{ model: groq/x }"), { GROQ_API_KEY: "k-groq-0123456789" })).toEqual(["k-groq-0123456789"]);
    expect(
      keys(one("{ model: groq/x }"), {}, { "/home/ada/litellm/.env": "GROQ_API_KEY=k-dotenv-0123456789\n" }),
    ).toEqual(["k-dotenv-0123456789"]);
    expect(
      keys(one("{ model: groq/x, api_key: os.environ/K }", "environment_variables: { K: k-yaml-0123456789 }\n"), {}),
    ).toEqual(["k-yaml-0123456789"]);
    expect(
      keys(
        one(
          "{ model: groq/x, litellm_credential_name: c }",
          "credential_list:\n  - credential_name: c\n    credential_values: { api_key: k-cred-0123456789 }\n",
        ),
        {},
      ),
    ).toEqual(["k-cred-0123456789"]);
    const missing = read(one("{ model: groq/x, api_key: os.environ/NOT_SET }"));
    expect(missing?.setup.connections).toEqual([
      { name: "groq", provider: "openai-compatible", base_url: "https://api.groq.com/openai/v1" },
    ]);
    expect(fieldLines(missing)).toContain("model_list[0].litellm_params.api_key: left (secret-missing)");
  });

  it("puts keys of one address together only where they are for the same models", () => {
    const deployment = (name: string, model: string, key: string): string =>
      `  - { model_name: ${name}, litellm_params: { model: groq/${model}, api_key: ${key}-0123456789 } }\n`;
    const imported = read(
      `model_list:\n${deployment("a", "m1", "k1")}${deployment("a", "m1", "k2")}${deployment("b", "m2", "k3")}`,
    );
    expect(imported?.setup.connections?.map(({ name, keys }) => [name, keys])).toEqual([
      ["groq", ["k1-0123456789", "k2-0123456789"]],
      ["groq 2", ["k3-0123456789"]],
    ]);
    expect(imported?.setup.routes).toEqual([
      { name: "a", models: ["groq/m1"] },
      { name: "b", models: ["groq-2/m2"] },
    ]);
  });

  it("asks in the order that deployments name, and follows fallbacks of all names", () => {
    const text = `model_list:
  - { model_name: a, litellm_params: { model: groq/second, order: 2 } }
  - { model_name: a, litellm_params: { model: cerebras/first, order: 1 } }
  - { model_name: spare, litellm_params: { model: deepinfra/spare } }
litellm_settings: { default_fallbacks: [spare] }
router_settings: { fallbacks: [{ "*": [a] }], routing_strategy: usage-based-routing }
`;
    const imported = read(text);
    expect(imported?.setup.routes).toEqual([
      { name: "a", models: ["cerebras/first", "groq/second", "deepinfra/spare"] },
      { name: "spare", models: ["deepinfra/spare", "cerebras/first", "groq/second"] },
    ]);
    expect(fieldLines(imported)).toContain("router_settings.routing_strategy: left (not-supported)");
  });

  it("says of what a chain, a connection or a group has too many", () => {
    const items = Array.from({ length: 25 }, (_, index) => ({
      model_name: index < 12 ? "many" : "keys",
      litellm_params: {
        model: index < 12 ? `groq/m${index}` : "cerebras/a",
        api_key: index < 12 ? "gsk_onekeyforall00000001" : `csk-number-${index}-000000000`,
      },
    }));
    const more = Array.from({ length: 10 }, (_, index) => ({
      model_name: "keys",
      litellm_params: { model: "cerebras/a", api_key: `csk-number-${25 + index}-000000000` },
    }));
    const imported = read(
      JSON.stringify({ model_list: [...items, ...more], router_settings: { fallbacks: [{ many: ["keys"] }] } }),
    );
    expect(imported?.setup.routes?.find(({ name }) => name === "many")?.models).toHaveLength(10);
    expect(imported?.setup.connections?.map(({ keys }) => keys?.length)).toEqual([1, 20]);
    const lines = fieldLines(imported);
    expect(lines).toContain('model_list[9].model_name: taken route "many"');
    expect(lines).toContain("model_list[10].model_name: left (not-supported)");
    expect(lines).toContain("router_settings.fallbacks[0].many: left (not-supported)");
    expect(lines.filter((line) => /api_key: left \(not-supported\)/.test(line))).toHaveLength(3);
  });

  it("reads files that it includes, and those that they include, each once", () => {
    const main = "include: [models.yaml, 's3://bucket/more.yaml']\n";
    const models =
      "include: [deep/more.yaml, ../litellm/config.yaml]\nmodel_list:\n  - { model_name: a, litellm_params: { model: groq/a } }\n";
    const more = "model_list:\n  - { model_name: b, litellm_params: { model: groq/b } }\n";
    const expected = (files: Readonly<Record<string, string>>) =>
      litellmImporter
        .more?.(
          Object.entries(files).map(([path, text]) => textFile(path, text)),
          places(),
        )
        .map(({ path }) => path);
    expect(expected({ [MAIN]: main })).toEqual(["/home/ada/litellm/models.yaml"]);
    expect(expected({ "/home/ada/litellm/models.yaml": models })).toEqual([
      "/home/ada/litellm/deep/more.yaml",
      "/home/ada/litellm/config.yaml",
    ]);
    const imported = read(
      main,
      {},
      { "/home/ada/litellm/models.yaml": models, "/home/ada/litellm/deep/more.yaml": more },
    );
    expect(imported?.setup.routes?.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(fieldLines(imported)).toContain('models.yaml.model_list[0].model_name: taken route "a"');
  });

  it("takes keys of search services, and none that can be guessed", () => {
    const imported = read(`${one("{ model: groq/x }")}general_settings: { master_key: sk-1234 }
search_tools:
  - { search_tool_name: s, litellm_params: { search_provider: tavily, api_key: tvly-0123456789abcdef } }
  - { search_tool_name: p, litellm_params: { search_provider: perplexity, api_key: pplx-0123456789abcdef } }
`);
    expect(imported?.setup.search_keys).toEqual({ tavily: "tvly-0123456789abcdef" });
    expect(imported?.setup.keys).toBeUndefined();
    expect(fieldLines(imported)).toContain("general_settings.master_key: left (weak)");
  });

  it.each([
    ["a file that cannot be read", "model_list: [\n"],
    ["another program's", "services:\n  web:\n    image: nginx\n"],
    ["a list", "- a\n- b\n"],
    ["an empty file", ""],
  ])("is not %s", (_name, text) => {
    expect(read(text)).toBeNull();
  });
});
