import { expect, it } from "vitest";
import { getColumns, getDensity, tileAfter, tileSizes } from "../../../../renderer/features/library/tile-grid.ts";

it.each([
  [0, 2],
  [310, 2],
  [467, 2],
  [468, 3],
  [998, 6],
])("%i px hold %i tiles side by side", (width, columns) => {
  expect(getColumns(width, tileSizes.small)).toBe(columns);
});

it.each([
  [310, 1],
  [543, 1],
  [544, 2],
  [998, 3],
])("%i px hold %i large tiles side by side", (width, columns) => {
  expect(getColumns(width, tileSizes.large)).toBe(columns);
});

it("takes what is stored for a size of tiles only where it names one", () => {
  expect(["large", "small", "constructor", null].map(getDensity)).toEqual(["large", "small", "small", "small"]);
});

// Eleven tiles in rows of four, two rows on the screen: 0–3, 4–7, 8–10.
it.each([
  ["ArrowRight", 3, 4],
  ["ArrowRight", 10, 10],
  ["ArrowLeft", 4, 3],
  ["ArrowLeft", 0, 0],
  ["j", 0, 1],
  ["k", 1, 0],
  ["ArrowDown", 1, 5],
  ["ArrowDown", 7, 10],
  ["ArrowDown", 9, 9],
  ["ArrowUp", 5, 1],
  ["ArrowUp", 2, 2],
  ["PageDown", 1, 9],
  ["PageDown", 5, 10],
  ["PageUp", 9, 1],
  ["PageUp", 5, 0],
  ["Home", 7, 0],
  ["End", 7, 10],
  ["Tab", 7, null],
])("%s leads from %i to %s", (key, from, to) => {
  expect(tileAfter(key, from, 11, 4, 2)).toBe(to);
});
