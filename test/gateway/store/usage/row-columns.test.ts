import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Totals } from "../../../../gateway/contract/totals.ts";
import type { DailyRow } from "../../../../gateway/core/usage/daily-rows.ts";
import { addedUp, toColumns, namesByGroup, type UsageColumns } from "../../../../gateway/core/usage/usage-columns.ts";
import { usageSeries } from "../../../../gateway/core/usage/usage-series.ts";
import { emptyTotals } from "../../../../gateway/core/usage/usage-totals.ts";
import { readDailyRow } from "../../../../gateway/store/usage/row-checks.ts";
import { RowLines, rowLine } from "../../../../gateway/store/usage/row-lines.ts";

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 12 }), fc.constantFrom(',"durations":{', "}}", "日本"));
const counts = fc.dictionary(
  fc.oneof({ weight: 20, arbitrary: fc.nat(224).map(String) }, { weight: 1, arbitrary: fc.constantFrom("300", "x") }),
  fc.nat(10 ** 9),
  { maxKeys: 6 },
);
const row: fc.Arbitrary<DailyRow> = fc
  .record(
    {
      id: text,
      key: text,
      model: text,
      client: text,
      endpoint: text,
      project: text,
      nano: fc.nat(10 ** 12),
      requests: fc.nat(10 ** 6),
      cache_saved_nano: fc.integer({ min: -(10 ** 9), max: 10 ** 9 }),
      durations: counts,
      first_durations: counts,
    },
    { requiredKeys: ["id", "key", "model", "client", "nano", "requests", "cache_saved_nano"] },
  )
  .map((fields) => {
    const { durations, first_durations, ...rest } = fields;
    const times = { ...(durations && { durations }), ...(first_durations && { first_durations }) };
    const named = { ...rest, id: `2026-11-01|${rest.id}`, n: 1, day: "2026-11-01" };
    return { ...emptyTotals(), ...named, ...times };
  });

test("columns that are made of lines are those that are made of rows, packed or not", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      const lines = new RowLines();
      lines.add(Buffer.from(rows.map(rowLine).join("")), rows.length);
      const expected = toColumns(lines.rows(), namesByGroup());
      for (const packs of [false, true]) {
        if (packs) await lines.pack();
        expect(lines.rows()).toHaveLength(
          rows.filter(({ durations = {}, first_durations = {} }) => Object.keys({ ...durations, ...first_durations }))
            .length,
        );
        const names = namesByGroup();
        const columns = lines.columns(names);
        expect(columns).toEqual(expected);
        expect(lines.rows().map(({ model }) => names.model.findNumber(model))).not.toContain(undefined);
      }
    }),
  );
});

test("columns that are added up say the same of a group as their rows", () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
      const names = namesByGroup();
      const whole = toColumns(rows, names);
      for (const by of ["model", "key", "client", "endpoint", "project", "connection"] as const) {
        const message = (columns: UsageColumns): unknown => usageSeries({ names, at: () => columns }, [0], by, 2);
        expect(message(addedUp(whole, by))).toEqual(message(whole));
      }
    }),
  );
});

test("sums are those of the rows, whatever is in their names", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
      const lines = new RowLines();
      lines.add(Buffer.from(rows.map(rowLine).join("")), rows.length);
      const figures = ({ nano, requests, cache_saved_nano }: Totals) => [nano, requests, cache_saved_nano];
      expect(Array.from(lines.totals(), figures)).toEqual(lines.rows().map(figures));
    }),
  );
});

test("sums that a row of an earlier version got later are counted, wherever they stand in it", () => {
  const { unknown_requests: _, estimated_requests: __, estimated_nano: ___, cache_saved_nano, ...sums } = emptyTotals();
  expect(cache_saved_nano).toBe(0);
  const named = { id: "2026-11-01|k", n: 1, day: "2026-11-01", key: "k", model: "m", client: "c", endpoint: "chat" };
  const earlier = readDailyRow({
    ...named,
    ...sums,
    requests: 3,
    durations: { 8: 3 },
    first_durations: {},
  }) as DailyRow;
  Object.assign(earlier, { unknown_requests: 1, estimated_requests: 2, estimated_nano: 30, cache_saved_nano: -7 });
  const lines = new RowLines();
  lines.add(Buffer.from(rowLine(earlier)), 1);
  expect([...lines.totals()]).toMatchObject([
    { unknown_requests: 1, estimated_requests: 2, estimated_nano: 30, cache_saved_nano: -7 },
  ]);
  expect(lines.columns(namesByGroup())).toEqual(toColumns([earlier], namesByGroup()));
});

test("a row from before caches were counted has saved nothing by them", () => {
  const { cache_saved_nano: _, ...sums } = { ...emptyTotals(), requests: 3 };
  const named = { id: "2026-11-01|k", n: 1, day: "2026-11-01", key: "k", model: "m", client: "c", endpoint: "chat" };
  const line = rowLine({ ...named, ...sums, durations: { 8: 3 }, first_durations: {} } as unknown as DailyRow);
  const lines = new RowLines();
  lines.add(Buffer.from(line), 1);
  expect([...lines.totals()]).toMatchObject([{ requests: 3, cache_saved_nano: 0 }]);
});
