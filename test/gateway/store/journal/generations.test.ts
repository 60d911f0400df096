import { describe, expect, test } from "vitest";
import {
  selectRetainedGenerations,
  spentJournals,
  type Generation,
} from "../../../../gateway/store/journal/generations.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 20, 12);
const generation = (seq: number, daysAgo: number): Generation => ({
  name: `state.${seq}.ndjson`,
  seq,
  at: NOW - daysAgo * DAY_MS,
});
const numbers = (generations: readonly Generation[]): number[] => generations.map(({ seq }) => seq);

describe("generations that stay", () => {
  test("the three newest, whatever their age", () => {
    const all = [generation(1, 90), generation(2, 80), generation(3, 70), generation(4, 60)];
    expect(numbers(selectRetainedGenerations(all, NOW))).toEqual([4, 3, 2]);
  });

  test("and the newest of each of the last seven days", () => {
    const all = Array.from({ length: 40 }, (_, index) => generation(100 - index, index / 4));
    const stored = selectRetainedGenerations(all, NOW);
    expect(numbers(stored)).toEqual([100, 99, 98, 97, 93, 89, 85, 81, 77, 73]);
  });

  test("a day and a week are counted to the millisecond", () => {
    const newest = [generation(9, 0), generation(8, 0), generation(7, 0)];
    const week = { ...generation(6, 7), at: NOW - 7 * DAY_MS };
    expect(numbers(selectRetainedGenerations([...newest, week], NOW))).toEqual([9, 8, 7, 6]);
    expect(numbers(selectRetainedGenerations([...newest, { ...week, at: week.at - 1 }], NOW))).toEqual([9, 8, 7]);
  });

  test("never more than ten", () => {
    const all = Array.from({ length: 100 }, (_, index) => generation(1_000 - index, index / 3));
    expect(selectRetainedGenerations(all, NOW).length).toBeLessThanOrEqual(10);
    // The newest three by a clock that is days ahead, and one of each of eight days.
    const spread = Array.from({ length: 12 }, (_, index) => generation(50 - index, index < 3 ? -1 - index : index - 3));
    expect(numbers(selectRetainedGenerations(spread, NOW))).toEqual([50, 49, 48, 47, 46, 45, 44, 43, 42, 41]);
  });

  test("a clock that was wrong drops none of the newest", () => {
    const all = [generation(1, 0), generation(2, -5_000), generation(3, 0)];
    expect(numbers(selectRetainedGenerations(all, NOW))).toEqual([3, 2, 1]);
  });
});

describe("journals that can go", () => {
  const stored = [generation(30, 0), generation(20, 0), generation(10, 0)];

  test.each([
    ["the oldest generation still needs the one it was taken in", [1, 11, 21, 31], [1]],
    ["a file that goes on past the oldest generation stays", [5, 12, 21], []],
    ["several old ones go together", [1, 4, 8, 11, 31], [1, 4, 8]],
    ["the newest never goes", [1], []],
  ])("%s", (_, firstSeqs, spent) => {
    expect(spentJournals(firstSeqs, stored)).toEqual(spent);
  });

  test("none before there are three generations: the journal still has everything", () => {
    expect(spentJournals([1, 11, 21], stored.slice(0, 2))).toEqual([]);
  });
});
