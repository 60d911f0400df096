import { expect, it } from "vitest";
import { sumUnits, withoutZeros } from "../../../../gateway/core/money/price.ts";

it("adds counts class by class", () => {
  expect(sumUnits([])).toEqual({});
  expect(sumUnits([{ input: 3 }, {}, { input: 4, image: 1 }])).toEqual({ input: 7, image: 1 });
});

it("leaves what it adds as it is", () => {
  const first = { output: 1 };
  sumUnits([first, { output: 2 }]);
  expect(first).toEqual({ output: 1 });
});

it("leaves out classes that do not occur", () => {
  expect(withoutZeros({ input: 3, output: 0 })).toEqual({ input: 3 });
});
