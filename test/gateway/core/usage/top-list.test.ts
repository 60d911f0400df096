import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TopList } from "../../../../gateway/core/usage/top-list.ts";

type Entry = readonly [figure: number | null, item: number];

function listOf(entries: readonly Entry[], most: number, order: "desc" | "asc"): number[] {
  const top = new TopList<number>(most, order);
  for (const [figure, item] of entries) if (top.wants(figure)) top.add(figure, item);
  return top.list();
}

/** All of them, sorted: those without a figure last, equals as they came. */
function sorted(entries: readonly Entry[], most: number, order: "desc" | "asc"): number[] {
  const sign = order === "desc" ? -1 : 1;
  const known = entries.filter(([figure]) => figure !== null);
  const rest = entries.filter(([figure]) => figure === null);
  const all = [...known.toSorted(([a], [b]) => sign * ((a ?? 0) - (b ?? 0))), ...rest];
  return all.slice(0, most).map(([, item]) => item);
}

test.each([
  ["nothing", [], 3, "desc", []],
  ["fewer than are asked for", [1, 3, 2], 5, "desc", [1, 2, 0]],
  ["the lowest", [1, 3, 2], 2, "asc", [0, 2]],
  ["the first of equals", [7, 7, 7, 7], 2, "desc", [0, 1]],
  ["none without a figure before one that has it", [null, 0, null, -1], 3, "asc", [3, 1, 0]],
] as const)("%s", (_name, figures, most, order, expected) => {
  const entries = figures.map((figure, index) => [figure, index] as const);
  expect(listOf(entries, most, order)).toEqual(expected);
});

test("is what sorting all of them would give", () => {
  const figure = fc.option(fc.integer({ min: -5, max: 5 }), { nil: null });
  fc.assert(
    fc.property(
      fc.array(figure, { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom("desc", "asc"),
      (figures, most, order) => {
        const entries = figures.map((value, index) => [value, index] as const);
        expect(listOf(entries, most, order)).toEqual(sorted(entries, most, order));
      },
    ),
    { numRuns: 500 },
  );
});
