import fc from "fast-check";
import { expect, test } from "vitest";
import { Slices } from "../../../gateway/lib/slices.ts";
import { sortInSlices } from "../../../gateway/lib/slices.ts";
import { seededRandom } from "../store/fixtures.ts";

/** A clock whose every look is some milliseconds later. */
const hasty = {
  now: () => 0,
  monotonic: (
    (at) => () =>
      (at += 3)
  )(0),
};

test("it sorts as toSorted does, and keeps the order of what is the same", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: -5, max: 5 })), async (numbers) => {
      const items = numbers.map((number, index) => ({ number, index }));
      expect(await sortInSlices(items, ({ number }) => number, new Slices(hasty))).toEqual(
        items.toSorted((a, b) => a.number - b.number),
      );
    }),
  );
});

test.each([0, 1, 1_023, 1_024, 1_025, 5_000, 20_001])("%i items, of which many are the same", async (count) => {
  const random = seededRandom(count);
  const items = Array.from({ length: count }, (_, index) => ({ figure: Math.floor(random() * 100), index }));
  const sorted = await sortInSlices(items, ({ figure }) => figure, new Slices(hasty));
  expect(sorted).toEqual(items.toSorted((a, b) => a.figure - b.figure));
});

test("others have their turns meanwhile", async () => {
  let turns = 0;
  let sorting = true;
  const turn = (): void => {
    turns += 1;
    if (sorting) setImmediate(turn);
  };
  turn();
  const items = Array.from({ length: 50_000 }, (_, index) => (index * 7_919) % 50_000);
  await sortInSlices(items, (item) => item, new Slices(hasty));
  sorting = false;
  expect(turns).toBeGreaterThan(20);
});
