import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { forgetFar, listOf, PAGE_ROWS, getPages } from "../../../renderer/api/paged-rows.ts";
import { createRest } from "../../../renderer/lib/rest.ts";
import { getPlaces, type RowList } from "../../../renderer/lib/row-list.ts";

describe("the pages that rows stand on", () => {
  it.each([
    [0, 64, 100_000, [0, 1]],
    [0, 40, 100_000, [0]],
    [0, 64, 70, [0]],
    [0, 0, 0, [0]],
    [250, 330, 100_000, [0, 2, 3]],
    [99_930, 100_000, 100_000, [0, 998, 999]],
    [500, 560, 120, [0, 1]],
  ])("rows %i to %i of %i are on %o", (first, last, total, pages) => {
    expect(getPages(first, last, total)).toEqual(pages);
  });
});

it("is a list whose rows are here or not", () => {
  const page = (from: number) => ({ total: 250, data: Array.from({ length: PAGE_ROWS }, (_, index) => from + index) });
  const wanted: unknown[] = [];
  const list = listOf(
    250,
    new Map([
      [0, page(0)],
      [2, page(200)],
    ]),
    (...window) => void wanted.push(window),
  );
  expect([list.length, list.at(7), list.at(107), list.at(207), list.at(900)]).toEqual([
    250,
    7,
    undefined,
    207,
    undefined,
  ]);
  expect([list.findIndex((row) => row === 205), list.findIndex((row) => row === 105)]).toEqual([205, -1]);
  list.want?.(3, 9);
  expect(wanted).toEqual([[3, 9]]);
});

describe("places to draw", () => {
  const key = (row: string): string => row;
  it("wait for rows that are not here, and show a row once that is on two pages", () => {
    const rows: RowList<string> = { length: 4, at: (index) => ["a", undefined, "a", "b"][index], findIndex: () => -1 };
    expect(getPlaces(rows, 0, 4, key)).toEqual([
      { index: 0, key: "a", row: "a" },
      { index: 1, key: "#1", row: undefined },
      { index: 2, key: "#2", row: undefined },
      { index: 3, key: "b", row: "b" },
    ]);
  });

  it("are those of an array, too", () => {
    expect(getPlaces(["a", "b", "c"], 1, 3, key).map(({ row }) => row)).toEqual(["b", "c"]);
    expect(getPlaces([], 0, 0, key)).toEqual([]);
  });
});

it("passes on where a jump comes to rest, once, and at once what needs no rest", () => {
  vi.useFakeTimers();
  try {
    const got: number[] = [];
    const rest = createRest<number>(60, Object.is, (value) => void got.push(value));
    for (const value of [1, 2, 3]) {
      rest.pass(value, false);
      vi.advanceTimersByTime(30);
    }
    expect(got).toEqual([]);
    // Asked for again in each frame while one waits: that does not begin the wait anew.
    for (let frame = 0; frame < 5; frame += 1) {
      rest.pass(3, false);
      vi.advanceTimersByTime(10);
    }
    expect(got).toEqual([3]);
    rest.pass(4, false);
    rest.pass(5, true);
    vi.advanceTimersByTime(100);
    expect(got).toEqual([3, 5]);
    rest.pass(6, false);
    rest.stop();
    vi.advanceTimersByTime(100);
    expect(got).toEqual([3, 5]);
  } finally {
    vi.useRealTimers();
  }
});

it("keeps the pages within four of one that is drawn, and those of other lists", () => {
  const cache = new QueryClient();
  for (let page = 0; page < 20; page += 1) cache.setQueryData(["tasks", "newest", page], {});
  cache.setQueryData(["tasks", "oldest", 19], {});
  forgetFar(cache, ["tasks", "newest"], [0, 10]);
  const kept = cache
    .getQueryCache()
    .getAll()
    .map(({ queryKey: [, ...page] }) => page.join(" "));
  const near = [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14];
  expect(kept).toEqual([...near.map((page) => `newest ${page}`), "oldest 19"]);
  cache.clear();
});
