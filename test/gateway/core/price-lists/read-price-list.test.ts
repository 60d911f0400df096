import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findListHost } from "../../../../gateway/catalog/list-providers.ts";
import type { PriceTier } from "../../../../gateway/core/models/model.ts";
import { readPriceList } from "../../../../gateway/core/price-lists/read-price-list.ts";

const MTOK = 1_000_000_000;

const pricesOf = (list: unknown): Record<string, Record<string, readonly PriceTier[]>> =>
  Object.fromEntries(
    [...(readPriceList(list, findListHost)?.hosts ?? [])].map(([host, models]) => [host, Object.fromEntries(models)]),
  );

describe("a list of LiteLLM's shape", () => {
  const anthropic = { litellm_provider: "anthropic", mode: "chat" };
  const only = (entry: object): readonly PriceTier[] | undefined =>
    pricesOf({ sample_spec: {}, m: { ...anthropic, ...entry } })["api.anthropic.com"]?.["m"];

  it("has a rate for each class that it names", () => {
    const entry = {
      input_cost_per_token: 5e-6,
      output_cost_per_token: 2.5e-5,
      cache_read_input_token_cost: 5e-7,
      cache_creation_input_token_cost: 6.25e-6,
      cache_creation_input_token_cost_above_1hr: 1e-5,
      output_cost_per_reasoning_token: 3e-5,
      input_cost_per_audio_token: 1e-5,
      output_cost_per_audio_token: 4e-5,
      cache_read_input_audio_token_cost: 1e-6,
      input_cost_per_request: 0.005,
      max_tokens: 128_000,
      supports_vision: true,
      input_cost_per_token_batches: 2.5e-6,
      output_cost_per_token_flex: 1e-5,
      cache_read_input_token_cost_above_200k_tokens_priority: 1e-5,
      search_context_cost_per_query: { search_context_size_low: 0.01 },
    };
    expect(only(entry)).toEqual([
      {
        above: 0,
        rates: {
          input: 5 * MTOK,
          output: 25 * MTOK,
          cached_input: 0.5 * MTOK,
          cache_write: 6.25 * MTOK,
          cache_write_1h: 10 * MTOK,
          reasoning: 30 * MTOK,
          audio_input: 10 * MTOK,
          audio_output: 40 * MTOK,
          cached_audio_input: 1 * MTOK,
          request: 0.005 * 1e15,
        },
      },
    ]);
  });

  it("has tiers by the length of the prompt, in which what may be more expensive is not guessed", () => {
    const entry = {
      input_cost_per_token: 2e-6,
      output_cost_per_token: 1e-5,
      cache_read_input_token_cost: 2e-7,
      input_cost_per_request: 0.001,
      input_cost_per_token_above_200k_tokens: 4e-6,
      cache_creation_input_token_cost_above_1hr_above_200k_tokens: 8e-6,
    };
    expect(only(entry)).toEqual([
      { above: 0, rates: { input: 2 * MTOK, output: 10 * MTOK, cached_input: 0.2 * MTOK, request: 1e12 } },
      { above: 200_000, rates: { input: 4 * MTOK, output: 10 * MTOK, cache_write_1h: 8 * MTOK, request: 1e12 } },
    ]);
  });

  it("has bands of prompts as Qwen's are", () => {
    const band = (from: number, to: number, input: number) => ({
      range: [from, to],
      input_cost_per_token: input,
      output_cost_per_token: 4 * input,
    });
    expect(only({ tiered_pricing: [band(0, 256_000, 1e-6), band(256_000, 1_000_000, 3e-6)] })).toEqual([
      { above: 0, rates: { input: 1 * MTOK, output: 4 * MTOK } },
      { above: 256_000, rates: { input: 3 * MTOK, output: 12 * MTOK } },
    ]);
  });

  const plain = { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
  it.each<[string, object]>([
    ["no price at all", {}],
    ["a price of nothing", { input_cost_per_token: 0, output_cost_per_token: 0 }],
    ["a negative price", { ...plain, cache_read_input_token_cost: -1 }],
    ["words for a price", { ...plain, cache_read_input_token_cost: "ask" }],
    ["a price for each image of a prompt", { ...plain, input_cost_per_image: 0.01 }],
    ["a price by the second", { ...plain, input_cost_per_audio_per_second: 0.01 }],
    ["bands that do not begin", { tiered_pricing: [{ ...plain, range: [128_000, 256_000] }] }],
    ["bands without a range", { tiered_pricing: [plain] }],
    ["another way of being sold", { ...plain, mode: "image_generation" }],
    ["a cloud of one's own", { ...plain, litellm_provider: "azure" }],
    ["fees that the list does not have", { ...plain, litellm_provider: "perplexity" }],
  ])("says nothing of a model with %s", (_, entry) => {
    const list = { known: { ...anthropic, ...plain }, m: { ...anthropic, ...entry } };
    expect(pricesOf(list)).toEqual({
      "api.anthropic.com": { known: [{ above: 0, rates: { input: MTOK, output: 2 * MTOK } }] },
    });
  });

  it("has the ids that the provider has, and its own host", () => {
    const at = (litellm_provider: string) => ({ ...plain, mode: "chat", litellm_provider });
    const list = {
      "gpt-5": at("openai"),
      "gemini/gemini-3-pro": at("gemini"),
      "openrouter/openai/gpt-5": at("openrouter"),
      "together_ai/meta-llama/Llama-4": at("together_ai"),
      "dashscope/qwen-max": at("dashscope"),
    };
    const ids = Object.entries(pricesOf(list)).map(([host, models]) => [host, ...Object.keys(models)]);
    expect(ids).toEqual([
      ["api.openai.com", "gpt-5"],
      ["generativelanguage.googleapis.com", "gemini-3-pro"],
      ["openrouter.ai", "openai/gpt-5"],
      ["api.together.xyz", "meta-llama/Llama-4"],
      ["dashscope-intl.aliyuncs.com", "qwen-max"],
    ]);
  });

  it("has no price for a model that is there at two", () => {
    const at = (input: number) => ({ ...anthropic, input_cost_per_token: input, output_cost_per_token: 1e-5 });
    expect(pricesOf({ one: at(1e-6), "anthropic/one": at(2e-6), two: at(1e-6), "anthropic/two": at(1e-6) })).toEqual({
      "api.anthropic.com": { two: [{ above: 0, rates: { input: MTOK, output: 10 * MTOK } }] },
    });
  });

  it("has no output for embeddings", () => {
    const entry = { mode: "embedding", input_cost_per_token: 2e-8, output_cost_per_token: 0 };
    expect(only(entry)).toEqual([{ above: 0, rates: { input: 0.02 * MTOK } }]);
  });
});

describe("a list of models.dev's shape", () => {
  const provider = (models: object, fields: object = {}) => ({ id: "anthropic", models, ...fields });
  const model = (cost: object | undefined, output = ["text"]) => ({ cost, modalities: { input: ["text"], output } });

  it("has a rate for each class that it names", () => {
    const cost = {
      input: 5,
      output: 25,
      reasoning: 30,
      cache_read: 0.5,
      cache_write: 6.25,
      input_audio: 10,
      output_audio: 40,
      tiers: [{ input: 10, output: 37.5, cache_read: 1, tier: { type: "context", size: 200_000 } }],
      context_over_200k: { input: 10, output: 37.5, cache_read: 1 },
    };
    expect(pricesOf({ anthropic: provider({ m: model(cost) }) })).toEqual({
      "api.anthropic.com": {
        m: [
          {
            above: 0,
            rates: {
              input: 5 * MTOK,
              output: 25 * MTOK,
              reasoning: 30 * MTOK,
              cached_input: 0.5 * MTOK,
              cache_write: 6.25 * MTOK,
              audio_input: 10 * MTOK,
              audio_output: 40 * MTOK,
            },
          },
          { above: 200_000, rates: { input: 10 * MTOK, output: 37.5 * MTOK, cached_input: 1 * MTOK } },
        ],
      },
    });
  });

  it("knows longer prompts by their field of old", () => {
    const cost = { input: 1, output: 2, context_over_200k: { input: 3, output: 4 } };
    expect(pricesOf({ xai: provider({ m: model(cost) }) })["api.x.ai"]?.["m"]?.[1]).toEqual({
      above: 200_000,
      rates: { input: 3 * MTOK, output: 4 * MTOK },
    });
  });

  it("has the host of each provider's own API", () => {
    const models = { m: model({ input: 1, output: 2 }) };
    const list = {
      openai: provider(models),
      someone: provider(models, { api: "https://api.someone.example/v1" }),
      lmstudio: provider(models, { api: "http://127.0.0.1:1234/v1" }),
      cloudflare: provider(models, { api: "https://api.cloudflare.com/accounts/${ACCOUNT}/v1" }),
      "amazon-bedrock": provider(models),
      "perplexity-agent": provider(models, { api: "https://api.perplexity.ai/v1" }),
    };
    expect(Object.keys(pricesOf(list))).toEqual(["api.openai.com", "api.someone.example"]);
  });

  it.each<[string, object]>([
    ["no price", model(undefined)],
    ["a price of nothing, as plans by the month have", model({ input: 0, output: 0 })],
    ["a price that is no number", model({ input: "1", output: 2 })],
    ["a tier that is none", model({ input: 1, output: 2, tiers: [{ input: 3, output: 4, tier: { type: "hour" } }] })],
    ["images for an answer", model({ input: 1, output: 2 }, ["text", "image"])],
  ])("says nothing of a model with %s", (_, entry) => {
    const list = { anthropic: provider({ known: model({ input: 1, output: 2 }), m: entry }) };
    expect(Object.keys(pricesOf(list)["api.anthropic.com"] ?? {})).toEqual(["known"]);
  });
});

describe("anything else", () => {
  it.each([[null], [[]], ["text"], [{}], [{ data: [] }], [{ models: { m: {} } }]])("%j is no price list", (list) => {
    expect(readPriceList(list, findListHost)).toBeNull();
  });

  const value = fc.oneof(
    fc.double(),
    fc.integer(),
    fc.constantFrom<unknown>(null, "0.1", "x", true, [], {}, 1e300, -1, Number.NaN),
  );
  const field = fc.constantFrom(
    "input_cost_per_token",
    "output_cost_per_token",
    "input_cost_per_token_above_200k_tokens",
    "cache_read_input_token_cost",
    "input_cost_per_image",
    "tiered_pricing",
    "__proto__",
    "constructor",
  );
  const entry = fc
    .dictionary(field, value)
    .map((fields) => ({ litellm_provider: "openai", mode: "chat", input_cost_per_token: 1e-6, ...fields }));
  const cost = fc.dictionary(
    fc.constantFrom("input", "output", "cache_read", "tiers", "context_over_200k", "__proto__"),
    fc.oneof(value, fc.array(value)),
  );
  const provider = fc.record({ api: value, models: fc.dictionary(fc.string(), fc.oneof(value, fc.record({ cost }))) });

  it("never breaks a reader, and never becomes a rate that is no whole amount", () => {
    const list = fc.oneof(fc.dictionary(fc.string(), entry), fc.dictionary(fc.string(), provider), fc.object());
    fc.assert(
      fc.property(list, (input) => {
        for (const models of readPriceList(input, findListHost)?.hosts.values() ?? []) {
          for (const tiers of models.values()) {
            expect(tiers[0]?.above).toBe(0);
            expect(tiers.map(({ above }) => above)).toEqual(
              tiers.map(({ above }) => above).toSorted((one, other) => one - other),
            );
            for (const rate of tiers.flatMap(({ rates }) => Object.values(rates))) {
              expect(Number.isSafeInteger(rate) && rate >= 0).toBe(true);
            }
          }
        }
      }),
    );
  });
});
