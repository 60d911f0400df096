import { expect, it } from "vitest";
import { filesBelow, readSource } from "./source-tree.ts";

const MEDIAN_LIMIT = 130;
const NINETIETH_LIMIT = 280;
const HARD_LIMIT = 400;

/** Data and schemas grow with what they list, not with what they do. */
const lists = ["gateway/contract/", "renderer/locales/", "test/fixtures/"];

const sizes = ["gateway", "main", "renderer", "test"]
  .flatMap((folder) => filesBelow(folder, [".ts", ".tsx", ".mjs", ".css"]))
  .map((path) => ({ path, lines: readSource(path).split("\n").length - 1 }))
  .toSorted((a, b) => a.lines - b.lines);

function percentile(share: number): number {
  return sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * share))]?.lines ?? 0;
}

it("files have one job each", () => {
  console.log(
    `${sizes.length} files; lines at the median ${percentile(0.5)}, at 90 % ${percentile(0.9)}, at most ${percentile(1)}`,
  );
  expect(percentile(0.5)).toBeLessThanOrEqual(MEDIAN_LIMIT);
  expect(percentile(0.9)).toBeLessThanOrEqual(NINETIETH_LIMIT);
});

it("no file is longer than a reader can hold", () => {
  const long = sizes.filter(
    ({ path, lines }) => lines > HARD_LIMIT && !lists.some((folder) => path.startsWith(folder)),
  );
  expect(long).toEqual([]);
});
