import { expect, it } from "vitest";
import { arrivalsAfter, getArrivals, type Arrivals } from "../../../../renderer/components/table/fresh-rows.ts";

const keyOf = (row: string): string => row;
const after = (before: Arrivals, rows: readonly string[]): Arrivals => arrivalsAfter(before, rows, keyOf);
const rowsFrom = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `r${first - index}`);

it("marks nothing that was there first", () => {
  expect([...getArrivals(["b", "a"], keyOf).marked]).toEqual([]);
});

it("marks a few new rows, wherever among the first they stand, as long as they are there", () => {
  const first = getArrivals(["b", "a"], keyOf);
  const second = after(first, ["d", "b", "c", "a"]);
  expect([...second.marked]).toEqual(["d", "c"]);
  expect([...after(second, ["e", "d", "b", "a"]).marked]).toEqual(["e", "d"]);
});

it("is the same while the rows are, in whatever order", () => {
  const first = after(getArrivals(["a"], keyOf), ["b", "a"]);
  expect(after(first, ["a", "b"])).toBe(first);
});

it("marks none of many that come together, and leaves the marks of earlier ones", () => {
  const few = after(getArrivals(["a"], keyOf), ["b", "a"]);
  const many = after(few, ["f", "e", "d", "c", "b", "a"]);
  expect([...many.marked]).toEqual(["b"]);
  expect([...after(many, ["g", "f", "e", "d", "c", "b", "a"]).marked]).toEqual(["g", "b"]);
});

it("takes rows that moved up for no new ones, and forgets what is far below", () => {
  const first = getArrivals(rowsFrom(1_000, 500), keyOf);
  const gone = after(first, rowsFrom(970, 470));
  expect(gone.marked.size).toBe(0);
  const fresh = after(gone, ["new", ...rowsFrom(970, 470)]);
  expect([...fresh.marked]).toEqual(["new"]);
  expect(fresh.known.size).toBe(120);
});
