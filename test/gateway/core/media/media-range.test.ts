import fc from "fast-check";
import { expect, it } from "vitest";
import { parseRange } from "../../../../gateway/core/media/media-range.ts";

const range = (first: number, last: number): { first: number; last: number } => ({ first, last });
const NO = "unsatisfiable";

it.each<[string | undefined, number, ReturnType<typeof parseRange>]>([
  [undefined, 100, null],
  ["", 100, null],
  ["items=0-5", 100, null],
  ["bytes=0-0", 100, range(0, 0)],
  ["bytes=0-99", 100, range(0, 99)],
  ["bytes=0-", 100, range(0, 99)],
  ["bytes=99-", 100, range(99, 99)],
  ["bytes=10-1000", 100, range(10, 99)],
  ["bytes=-1", 100, range(99, 99)],
  ["bytes=-100", 100, range(0, 99)],
  ["bytes=-1000", 100, range(0, 99)],
  ["Bytes = 0-5", 100, range(0, 5)],
  ["bytes=0-99999999999999999999999999", 100, range(0, 99)],
  ["bytes=100-", 100, NO],
  ["bytes=100-200", 100, NO],
  ["bytes=99999999999999999999999999-", 100, NO],
  ["bytes=-0", 100, NO],
  ["bytes=5-4", 100, NO],
  ["bytes=-", 100, NO],
  ["bytes=", 100, NO],
  ["bytes=--5", 100, NO],
  ["bytes=-5-", 100, NO],
  ["bytes=1.5-2", 100, NO],
  ["bytes=0x1-2", 100, NO],
  ["bytes=a-b", 100, NO],
  ["bytes=0-1,5-6", 100, NO],
  ["bytes=0-0,", 100, NO],
  ["bytes=0-", 0, NO],
  ["bytes=-5", 0, NO],
])("%s of %i bytes", (header, size, expected) => {
  expect(parseRange(header, size)).toEqual(expected);
});

it("gives bytes that the file has, whatever is asked", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{0,20}-\d{0,20}$/)), fc.nat(1_000), (requested, size) => {
      const found = parseRange(`bytes=${requested}`, size);
      if (found === NO) return;
      expect(found?.first).toBeGreaterThanOrEqual(0);
      expect(found?.first).toBeLessThanOrEqual(found?.last ?? -1);
      expect(found?.last).toBeLessThan(size);
    }),
  );
});

it("refuses a million ranges", () => {
  const header = `bytes=${Array.from({ length: 1_000_000 }, (_, index) => `${index}-${index}`).join(",")}`;
  expect(parseRange(header, 1e9)).toBe(NO);
});
