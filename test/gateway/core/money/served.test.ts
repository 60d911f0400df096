import { expect, test } from "vitest";
import { servedFacts } from "../../../../gateway/core/money/price.ts";

test.each<[string, object, object | undefined]>([
  ["nothing said", { service_tier: undefined }, undefined],
  ["as usual, at OpenAI", { service_tier: "default" }, undefined],
  ["as usual, at Anthropic", { service_tier: "standard", speed: null, inference_geo: "not_available" }, undefined],
  ["a tier", { service_tier: "priority" }, { service_tier: "priority" }],
  ["Google's capitals", { service_tier: "FLEX" }, { service_tier: "flex" }],
  [
    "fast mode in a region",
    { service_tier: "standard", speed: "fast", inference_geo: "us" },
    { speed: "fast", inference_geo: "us" },
  ],
  ["fields that say nothing of it", { model: "fast" }, undefined],
  ["what is no text", { service_tier: 3 }, undefined],
])("%s", (_, reported, facts) => {
  expect(servedFacts(reported)).toEqual(facts);
});
