import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RecentReceipts } from "../../../../gateway/store/usage/recent-receipts.ts";

const MONTH = "2026-11";

/** As lines have it: the receipt with something before it and after it. */
function add(recent: RecentReceipts, n: number, json: string, month = MONTH): void {
  recent.add(n, month, `{"n":${n},"receipt":${json}}`, `{"n":${n},"receipt":`.length, 1);
}

const kept = (recent: RecentReceipts): { n: number; json: string }[] =>
  Array.from(recent.newestFirst(), ({ n, json }) => ({ n, json }));

describe("the newest receipts", () => {
  test("are the newest ones, whole and without a gap, whatever their lengths", () => {
    const unit = fc.constantFrom("x", "é", "語", "😀");
    // Most are as receipts are; some fill a good part of the room, or more than all of it.
    const length = fc.oneof(
      { weight: 30, arbitrary: fc.integer({ min: 1, max: 900 }) },
      { weight: 3, arbitrary: fc.integer({ min: 20_000, max: 200_000 }) },
      { weight: 1, arbitrary: fc.constant(400_000) },
    );
    const text = fc.tuple(unit, length).map(([character, count]) => character.repeat(count));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 120 }), (texts) => {
        const recent = new RecentReceipts();
        const added: { n: number; json: string }[] = [];
        for (const [index, id] of texts.entries()) {
          const json = JSON.stringify({ id });
          add(recent, index + 1, json);
          added.unshift({ n: index + 1, json });
          const got = kept(recent);
          expect(got).toEqual(added.slice(0, got.length));
          if (json.length < 300_000) expect(got.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("are five hundred where they have the length of receipts", () => {
    const recent = new RecentReceipts();
    const text = (index: number): string => JSON.stringify({ id: `r${index}`, rest: "語".repeat(index % 200) });
    for (let index = 0; index < 5_000; index += 1) {
      add(recent, index, text(index));
      if (index < 499 || index % 97 > 0) continue;
      const expected = Array.from({ length: 500 }, (_, back) => ({ n: index - back, json: text(index - back) }));
      expect(kept(recent)).toEqual(expected);
    }
    expect(recent.find("r4999")).toMatchObject({ id: "r4999" });
    expect(recent.find("r4500")).toMatchObject({ id: "r4500" });
    expect(recent.find("r4499")).toBeNull();
  });

  test("leave a month that comes again after a later one to the files, and what came before it", () => {
    const recent = new RecentReceipts();
    add(recent, 1, '{"id":"a"}', "2026-11");
    add(recent, 2, '{"id":"b"}', "2026-12");
    add(recent, 3, '{"id":"c"}', "2026-11");
    expect(kept(recent)).toEqual([{ n: 2, json: '{"id":"b"}' }]);
    add(recent, 4, '{"id":"d"}', "2026-12");
    expect(kept(recent).map(({ n }) => n)).toEqual([4, 2]);
  });
});
