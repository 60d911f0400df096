import { expect, it, test } from "vitest";
import { compareCatalog, readGenaiPrices, readLiteLlm } from "./compare-catalog.ts";

const SOL = {
  litellm_provider: "openai",
  mode: "chat",
  input_cost_per_token: 2e-6,
  cache_read_input_token_cost: 1e-7,
  cache_creation_input_token_cost: 2.5e-6,
  cache_creation_input_token_cost_above_12hr: 5e-6,
  output_cost_per_token: 1e-5,
  output_cost_per_token_ultrafast: 6e-5,
};
const compare = (change: object, key = "gpt-6.1-sol") =>
  compareCatalog(readLiteLlm({ [key]: { ...SOL, ...change } }), "2026-11-28");

it("finds nothing where both lists agree", () => {
  expect(compare({})).toEqual({ compared: 1, differences: [], explained: [], missing: [] });
});

test.each([
  [{ input_cost_per_token: 3e-6 }, "input: 2 here, 3 there"],
  [{ cache_creation_input_token_cost_above_12hr: 6e-6 }, "cache_write_1h: 5 here, 6 there"],
  [{ output_cost_per_token_priority: 3e-5 }, "priority: 2 here, 3 there"],
  [{ input_cost_per_audio_token: 3e-6 }, "audio_input: 2 here, 3 there"],
  [{ input_cost_per_token_above_272k_tokens: 5e-6 }, "input above 272000: 4 here, 5 there"],
  [{ search_context_cost_per_query: { search_context_size_medium: 0.02 } }, "web_search: 10000 here, 20000 there"],
  [{ deprecation_date: "2027-01-01" }, "end: none here, 2027-01-01 there"],
])("%j differs", (change, words) => {
  expect(compare(change).differences).toEqual([`gpt-6.1-sol ${words}`]);
});

it("explains what is known to differ, and counts it apart", () => {
  const { differences, explained } = compare({ litellm_provider: "deepseek" }, "deepseek/deepseek-v4-pro");
  expect(differences).toEqual([]);
  expect(explained.join("\n")).toContain("peak hours");
});

test.each([
  [{}, ["gpt-99 (chat)"]],
  [{ deprecation_date: "2026-11-28" }, []],
  [{ litellm_provider: "azure" }, []],
])("of a model that the catalog does not know, with %j", (change, missing) => {
  expect(compare(change, "gpt-99").missing).toEqual(missing);
});

test.each([
  [
    "alpha2.7-t2v",
    "dashscope/wan2.7-t2v",
    { output_cost_per_second_720p: 0.2 },
    "second 720p: 100000 here, 200000 there",
  ],
  [
    "gamma-image-3.0",
    "dashscope/qwen-image-3.0",
    { mode: "image_generation", output_cost_per_image: 0.05 },
    "image: 30000 here, 50000 there",
  ],
])("%s is compared by the piece", (id, key, fields, words) => {
  const { differences, explained } = compareCatalog(
    readLiteLlm({ [key]: { litellm_provider: "dashscope", ...fields } }),
    "2026-11-28",
  );
  expect([...differences, ...explained].join()).toContain(`${id} ${words}`);
});

test("genai-prices is compared on its day, tiers and searches included", () => {
  const tiers = { base: 2, tiers: [{ start: 272_000, price: 4 }] };
  const later = { constraint: { type: "StartDateConstraint", start_date: "2027-01-01" }, prices: { input_mtok: 9 } };
  const prices = [{ prices: { input_mtok: tiers, output_mtok: 11, web_searches_kcount: 10 } }, later];
  const models = [
    { id: "gpt-6.1-sol", prices },
    { id: "gpt-99", prices: {} },
  ];
  const list = readGenaiPrices(
    [
      { id: "openai", models },
      { id: "azure", models },
    ],
    "2026-11-28",
  );
  expect(compareCatalog(list, "2026-11-28")).toEqual({
    compared: 1,
    differences: ["gpt-6.1-sol output: 10 here, 11 there"],
    explained: [],
    missing: ["openai gpt-99"],
  });
});
