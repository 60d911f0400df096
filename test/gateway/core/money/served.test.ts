import { expect, test } from "vitest";
import { billedAs, servedFacts } from "../../../../gateway/core/money/price.ts";

test.each([
  ["nothing said", { service_tier: undefined }, {}, undefined],
  ["as usual, at OpenAI", { service_tier: "default" }, { service_tier: "auto" }, undefined],
  [
    "as usual, at Anthropic",
    { service_tier: "standard", speed: null, inference_geo: "not_available" },
    { service_tier: "standard_only" },
    undefined,
  ],
  ["the tier of the answer", { service_tier: "priority" }, {}, { service_tier: "priority" }],
  ["the answer's word before the request's", { service_tier: "default" }, { service_tier: "priority" }, undefined],
  [
    "the request's where the answer is silent",
    { service_tier: null },
    { service_tier: "flex" },
    { service_tier: "flex" },
  ],
  ["Google's capitals", { service_tier: "FLEX" }, {}, { service_tier: "flex" }],
  [
    "fast mode in a region",
    { service_tier: "standard", speed: "fast", inference_geo: "us" },
    {},
    { speed: "fast", inference_geo: "us" },
  ],
  ["fields that the dialect does not have", { service_tier: undefined }, { speed: "fast" }, undefined],
  ["what is no text", { service_tier: 3 }, {}, undefined],
])("%s", (_, told, asked, facts) => {
  expect(servedFacts(told, asked)).toEqual(facts);
});

test("only what is not as usual is billed with its facts", () => {
  expect(billedAs({ input: 1 }, undefined)).toEqual({ input: 1 });
  expect(billedAs({ input: 1 }, { speed: "fast" })).toEqual([{ units: { input: 1 }, served: { speed: "fast" } }]);
});
