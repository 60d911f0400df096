import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outdatedMedia, type RetainedMedia } from "../../../../gateway/core/media/media-retention.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;
const NOW = 20_000 * DAY_MS;

const row = (id: string, age: number, bytes = 10): RetainedMedia => ({ id, at: NOW - age, bytes });
const FIVE = [
  row("a", 40 * DAY_MS),
  row("b", 20 * DAY_MS),
  row("c", 10 * DAY_MS),
  row("d", 2 * HOUR_MS),
  row("e", HOUR_MS / 2),
];

describe("what is too old or too much", () => {
  it.each<[string, { keepDays: number | null; maxBytes: number | null }, string[]]>([
    ["without bounds", { keepDays: null, maxBytes: null }, []],
    ["after 30 days", { keepDays: 30, maxBytes: null }, ["a"]],
    ["after a day", { keepDays: 1, maxBytes: null }, ["a", "b", "c"]],
    ["within what there is", { keepDays: null, maxBytes: 50 }, []],
    ["a byte too much", { keepDays: null, maxBytes: 49 }, ["a"]],
    ["with room for two", { keepDays: null, maxBytes: 20 }, ["a", "b", "c"]],
    ["without any room: but not what is young", { keepDays: null, maxBytes: 0 }, ["a", "b", "c", "d"]],
    ["by age first, then by size", { keepDays: 15, maxBytes: 20 }, ["a", "b", "c"]],
    ["by age alone where that is enough", { keepDays: 15, maxBytes: 30 }, ["a", "b"]],
  ])("%s", (_name, limits, ids) => {
    expect(outdatedMedia(FIVE, limits, NOW)).toEqual(ids);
  });

  it.each([
    ["the clock is 40 years ahead", NOW + 40 * YEAR_MS],
    ["the clock is 400 days ahead", NOW + 400 * DAY_MS],
  ])("takes nothing for its age while %s, and by size the oldest still", (_name, now) => {
    const late = { id: "late", at: now, bytes: 10 };
    for (const rows of [FIVE, [...FIVE, late]]) {
      expect(outdatedMedia(rows, { keepDays: 1, maxBytes: null }, now)).toEqual([]);
      expect(outdatedMedia(rows, { keepDays: 1, maxBytes: 10 * (rows.length - 1) }, now)).toEqual(["a"]);
    }
  });

  it("goes by dates again once the clock is right, but for what was made under a wrong one", () => {
    const ahead = { id: "ahead", at: NOW + 40 * YEAR_MS, bytes: 10 };
    const after = { id: "behind", at: NOW - 40 * YEAR_MS, bytes: 10 };
    const rows = [...FIVE.slice(0, 3), ahead, after, ...FIVE.slice(3)];
    expect(outdatedMedia(rows, { keepDays: 15, maxBytes: null }, NOW)).toEqual(["a", "b"]);
    expect(outdatedMedia(rows, { keepDays: null, maxBytes: 30 }, NOW)).toEqual(["a", "b", "c", "ahead"]);
  });

  it("never takes what is younger than an hour, whatever the clock says of its day", () => {
    expect(outdatedMedia([row("young", HOUR_MS - 1)], { keepDays: 0.001, maxBytes: 0 }, NOW)).toEqual([]);
  });

  it("makes as much room as is needed and no more, the oldest first", () => {
    const stored = fc.array(fc.record({ age: fc.integer({ min: 0, max: 100 * HOUR_MS }), bytes: fc.nat(100) }), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(stored, fc.nat(600), (made, maxBytes) => {
        const rows = made
          .toSorted((a, b) => b.age - a.age)
          .map(({ age, bytes }, index) => row(`r${index}`, age, bytes));
        const gone = new Set(outdatedMedia(rows, { keepDays: null, maxBytes }, NOW));
        const sum = (some: readonly RetainedMedia[]): number => some.reduce((all, { bytes }) => all + bytes, 0);
        const left = rows.filter(({ id }) => !gone.has(id));
        const isYoung = ({ at }: RetainedMedia): boolean => at >= NOW - HOUR_MS;
        expect(rows.filter(({ id }) => gone.has(id)).some(isYoung)).toBe(false);
        expect(sum(left) <= maxBytes || left.every(isYoung)).toBe(true);
        const last = rows.findLast(({ id }) => gone.has(id));
        if (last !== undefined) expect(sum([...left, last])).toBeGreaterThan(maxBytes);
      }),
    );
  });
});
