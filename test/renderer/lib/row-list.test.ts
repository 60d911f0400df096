import { describe, expect, it } from "vitest";
import { getPlaces, type RowList } from "../../../renderer/lib/row-list.ts";

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
