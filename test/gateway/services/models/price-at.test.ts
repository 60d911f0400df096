import { describe, expect, it } from "vitest";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import type { Price } from "../../../../gateway/core/models/model.ts";
import { makeConnection } from "../../../../gateway/services/connections/connection.ts";
import { getPrice } from "../../../../gateway/services/models/price-at.ts";
import type { PriceList } from "../../../../gateway/services/models/price-list.ts";
import { providers, type ProviderId } from "../../../../gateway/providers/registry.ts";

const connectionTo = (provider: ProviderId, baseUrl: string) =>
  makeConnection({
    id: "c",
    provider: providers[provider],
    name: "Ours",
    baseUrl,
    priority: 100,
    enabled: true,
    from: "created",
    createdAt: Date.UTC(2026, 10, 20),
    credentials: [],
  });

const priceOf = (
  provider: ProviderId,
  baseUrl: string,
  id: string,
  accepted: PriceList | null = null,
): Price | null => {
  const spec = findModel(id);
  return getPrice(
    { id: spec?.id ?? id, spec, discovered: null, listed: null },
    connectionTo(provider, baseUrl),
    accepted,
  );
};
const listPrice = (id: string): Price | null => findModel(id)?.price ?? null;
const outputOf = (price: Price | null) => price?.tiers[0]?.rates.output;

describe("an owner's own hosts sell at its list price", () => {
  it.each<[ProviderId, string, string]>([
    ["openai", "https://api.openai.com/v1", "gpt-5.4"],
    ["anthropic", "https://api.anthropic.com", "claude-opus-5"],
    ["gemini", "https://generativelanguage.googleapis.com", "gemini-2.5-pro"],
    ["dashscope", "https://dashscope-intl.aliyuncs.com", "qwen-plus"],
    ["dashscope", "https://dashscope-intl.aliyuncs.com", "alpha2.7-t2v"],
    ["ark", "https://ark.ap-southeast.bytepluses.com/api/v3", "doubao-seedance-2-0-260128"],
    ["xai", "https://api.x.ai/v1", "grok-imagine-video"],
    ["openai-compatible", "https://api.deepseek.com", "deepseek-chat"],
    ["openai-compatible", "https://api.moonshot.ai/v1", "kimi-k2.6"],
    ["openai-compatible", "https://api.openai.com/v1", "gpt-5.4"],
  ])("%s at %s: %s", (provider, baseUrl, id) => {
    expect(priceOf(provider, baseUrl, id)).toBe(listPrice(id));
  });
});

describe("regions that keep data there cost a tenth more", () => {
  it.each<[ProviderId, string, string, number]>([
    ["openai", "https://eu.api.openai.com/v1", "gpt-5.4", 16.5],
    ["openai", "https://us.api.openai.com/v1", "gpt-6.1-sol", 11],
    ["openai", "https://eu.api.openai.com/v1", "gpt-5.2", 14],
    ["xai", "https://us.api.x.ai/v1", "grok-4.6", 6.6],
  ])("%s at %s: $%s", (provider, baseUrl, id, usd) => {
    expect(outputOf(priceOf(provider, baseUrl, id))).toBe(usd * 1e9);
  });
});

describe("others set prices of their own, which are not known", () => {
  it.each<[ProviderId, string, string]>([
    ["openai", "https://my-company.openai.azure.com/openai/v1", "gpt-5.4"],
    ["openai", "https://reseller.example/v1", "gpt-5.4"],
    ["openai", "https://api.openai.com.evil.example/v1", "gpt-5.4"],
    ["anthropic", "https://bedrock-mantle.us-east-1.api.aws", "claude-opus-5"],
    ["gemini", "https://aiplatform.googleapis.com", "gemini-2.5-pro"],
    ["dashscope", "https://dashscope.aliyuncs.com", "qwen-plus"],
    ["dashscope", "https://ws-1.cn-beijing.maas.aliyuncs.com", "qwen-plus"],
    ["dashscope", "https://dashscope.aliyuncs.com", "alpha2.7-t2v"],
    ["ark", "https://ark.cn-beijing.volces.com/api/v3", "doubao-seedance-2-0-260128"],
    ["openai-compatible", "https://openrouter.ai/api/v1", "deepseek-chat"],
    ["openai-compatible", "https://api.moonshot.cn/v1", "kimi-k2.6"],
    ["openai-compatible", "https://api.deepseek.com.evil.example", "deepseek-chat"],
    ["openai-compatible", "https://api.deepseek.com", "who-knows"],
    ["openai-compatible", "http://127.0.0.1:4000/v1", "gpt-5.4"],
  ])("%s at %s: %s", (provider, baseUrl, id) => {
    expect(priceOf(provider, baseUrl, id)).toBeNull();
  });
});

it.each([
  "http://127.0.0.1:9000/v1",
  "http://localhost:9000/v1",
  "http://[::1]:9000/v1",
  "http://192.168.1.20:9000/v1",
  "http://relay:9000/v1",
  "http://relay.internal/v1",
])("who speaks OpenAI's own protocol at %s passes calls on to OpenAI", (baseUrl) => {
  expect(priceOf("openai", baseUrl, "gpt-5.4")).toBe(listPrice("gpt-5.4"));
});

describe("a provider's own list", () => {
  const listed = { tiers: [{ above: 0, rates: { input: 1, output: 2 } }] };

  it.each<[ProviderId, string]>([
    ["openai-compatible", "https://openrouter.ai/api/v1"],
    ["openai", "https://reseller.example/v1"],
    ["openai", "https://api.openai.com/v1"],
  ])("goes before all others: %s at %s", (provider, baseUrl) => {
    const spec = findModel("gpt-5.4");
    expect(getPrice({ id: "gpt-5.4", spec, discovered: null, listed }, connectionTo(provider, baseUrl), null)).toEqual({
      ...listed,
      source: "Ours's own model list",
      as_of: "2026-11-20",
    });
  });
});

describe("a price list that the owner has accepted", () => {
  const their = (output: number): Price => ({
    tiers: [{ above: 0, rates: { input: 1e9, output } }],
    source: "a list",
    as_of: "2026-11-21",
  });
  const prices = new Map([
    ["api.openai.com gpt-5.4", their(9e9)],
    ["generativelanguage.googleapis.com gemini-embedding-001", their(8e9)],
    ["openrouter.ai deepseek-chat", their(7e9)],
    ["dashscope.aliyuncs.com qwen-plus", their(6e9)],
  ]);
  const accepted: PriceList = {
    find: (host, names) =>
      names.map((name) => prices.get(`${host} ${name}`)).find((price) => price !== undefined) ?? null,
  };

  it.each<[string, ProviderId, string, string, number]>([
    ["at the owner's host", "openai", "https://api.openai.com/v1", "gpt-5.4", 9],
    ["by the provider's own id", "gemini", "https://generativelanguage.googleapis.com", "zeta-embedding-001", 8],
    ["in a region, for more", "openai", "https://eu.api.openai.com/v1", "gpt-5.4", 9.9],
    ["through a relay", "openai", "http://127.0.0.1:9000/v1", "gpt-5.4", 9],
    ["at another's host", "openai-compatible", "https://openrouter.ai/api/v1", "deepseek-chat", 7],
    ["in a region that the catalog does not price", "dashscope", "https://dashscope.aliyuncs.com", "qwen-plus", 6],
  ])("holds %s", (_, provider, baseUrl, id, usd) => {
    expect(outputOf(priceOf(provider, baseUrl, id, accepted))).toBe(usd * 1e9);
  });

  it("keeps what the catalog multiplies a price by", () => {
    expect(priceOf("openai", "https://api.openai.com/v1", "gpt-5.4", accepted)?.factors).toEqual(
      listPrice("gpt-5.4")?.factors,
    );
  });

  it.each<[string, ProviderId, string, string, Price | null]>([
    ["models that it does not have", "openai", "https://api.openai.com/v1", "gpt-5.5", listPrice("gpt-5.5")],
    ["other owners", "anthropic", "https://api.anthropic.com", "claude-opus-5", listPrice("claude-opus-5")],
    ["resellers", "openai", "https://reseller.example/v1", "gpt-5.4", null],
  ])("changes nothing for %s", (_, provider, baseUrl, id, price) => {
    expect(priceOf(provider, baseUrl, id, accepted)).toBe(price);
  });
});
