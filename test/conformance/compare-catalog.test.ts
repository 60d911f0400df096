import { expect, it, test } from "vitest";
import { compareCatalog } from "./compare-catalog.ts";

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
const compare = (change: object, key = "gpt-6.1-sol") => compareCatalog({ [key]: { ...SOL, ...change } }, "2026-11-28");

it("finds nothing where both lists agree", () => {
  expect(compare({})).toEqual({ compared: 1, differences: [], explained: [], missing: [] });
});

test.each([
  [{ input_cost_per_token: 3e-6 }, "input: 2 here, 3 there"],
  [{ cache_creation_input_token_cost_above_12hr: 6e-6 }, "cache_write_1h: 5 here, 6 there"],
  [{ output_cost_per_token_priority: 3e-5 }, "priority: 2 here, 3 there"],
  [{ input_cost_per_audio_token: 3e-6 }, "audio_input: 2 here, 3 there"],
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
