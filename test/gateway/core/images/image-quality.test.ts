import { expect, it } from "vitest";
import { IMAGE_QUALITIES, chooseQuality } from "../../../../gateway/core/images/image-quality.ts";

const DELTA = ["auto", "low", "medium", "high"];
const EPSILON_3 = ["standard", "hd"];

it.each([
  ["auto", DELTA, "auto"],
  ["low", DELTA, "low"],
  ["medium", DELTA, "medium"],
  ["high", DELTA, "high"],
  ["standard", DELTA, "medium"],
  ["hd", DELTA, "high"],
  ["standard", EPSILON_3, "standard"],
  ["hd", EPSILON_3, "hd"],
  ["low", EPSILON_3, "standard"],
  ["medium", EPSILON_3, "standard"],
  ["high", EPSILON_3, "hd"],
  ["auto", EPSILON_3, null],
] as const)("%s for a model of %j is %s", (request, accepted, expected) => {
  expect(chooseQuality(request, accepted)).toBe(expected);
});

it("is never sent to a model that knows none", () => {
  for (const quality of IMAGE_QUALITIES) expect(chooseQuality(quality, [])).toBeNull();
});
