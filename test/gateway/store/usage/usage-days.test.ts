import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dailyId } from "../../../../gateway/core/usage/aggregate.ts";
import type { DailyRow } from "../../../../gateway/core/usage/daily-rows.ts";
import { sumColumns } from "../../../../gateway/core/usage/usage-series.ts";
import { addTotals, emptyTotals } from "../../../../gateway/core/usage/usage-totals.ts";
import { Slices } from "../../../../gateway/lib/slices.ts";
import type { Store } from "../../../../gateway/store/store.ts";
import { makeUsageQueries } from "../../../support/usage-queries.ts";
import { plainUsageSeries } from "../../../support/plain-usage-series.ts";
import { FixedClock, open, receipt } from "../fixtures.ts";
import { SimFs } from "../sim-fs.ts";

const DIR = "/data";
const DAY_MS = 86_400_000;
/** A minute before a month ends. */
const EVE = Date.UTC(2026, 10, 30, 23, 59);
const emptyFs = (): SimFs => new SimFs({ files: new Map(), folders: new Set([DIR]) });

/** The document's rows from one day to another, summed from scratch. */
function fromScratch(store: Store, since: string, until: string) {
  const total = emptyTotals();
  for (const row of store.document.daily.values()) if (row.day >= since && row.day <= until) addTotals(total, row);
  return total;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const call = fc.record({
  do: fc.constant("call" as const),
  /** Minutes from the clock: a task may end a call of yesterday, a clock may have run ahead. */
  minutes: fc.constantFrom(0, 0, 0, -2, -90, -60 * 24 * 32, 60 * 24),
  key: fc.constantFrom("k1", "k2"),
  model: fc.constantFrom("m1", "m2", "m3"),
  nano: fc.option(fc.nat(10_000_000_000)),
  sandbox: fc.boolean(),
  failed: fc.boolean(),
});
const step = fc.oneof(
  { weight: 6, arbitrary: call },
  { weight: 3, arbitrary: fc.constant({ do: "look" as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), minutes: fc.constantFrom(1, 60, 1_440, -5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const), saved: fc.boolean() }) },
);

test("what is kept is what a sum from scratch gives, after any calls, midnights, months and restarts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const clock = new FixedClock();
      clock.at = EVE;
      let fs = emptyFs();
      let { store } = await open({ dir: DIR, fs, clock });
      let { usage, series } = makeUsageQueries({ dir: DIR, store, clock });
      const look = async (): Promise<void> => {
        const today = dayOf(clock.at);
        expect(usage.today()).toEqual(fromScratch(store, today, today));
        expect(usage.month()).toEqual(fromScratch(store, `${today.slice(0, 7)}-01`, today));
        const rows = [...store.document.daily.values()].map((row) => ({ at: Date.parse(row.day), row }));
        const made = await series.series({ range: "7d" });
        const buckets = Array.from({ length: 7 }, (_none, index) => made.from + index * DAY_MS);
        expect(made).toMatchObject({ ...plainUsageSeries(rows, buckets, "model", 8) });
        const since = dayOf(clock.at - 40 * DAY_MS);
        const byDay = await usage.query({ by: "day", since });
        expect(byDay.total).toEqual(fromScratch(store, since, today));
        for (const { group, totals } of byDay.data) expect(totals).toEqual(fromScratch(store, group, group));
        const byKey = await usage.query({ by: "key", since });
        expect(byKey.total).toEqual(byDay.total);
      };
      for (const [index, one] of steps.entries()) {
        if (one.do === "look") await look();
        else if (one.do === "wait") clock.at += one.minutes * 60_000;
        else if (one.do === "restart") {
          await (one.saved ? store.snapshot() : store.usage.sync());
          fs = new SimFs(fs.afterKill());
          ({ store } = await open({ dir: DIR, fs, clock }));
          ({ usage, series } = makeUsageQueries({ dir: DIR, store, clock }));
        } else {
          const { minutes, failed, do: _, ...change } = one;
          const at = clock.at + minutes * 60_000;
          const status = failed ? { status: 502, outcome: "failed" as const } : {};
          await store.usage.settle(receipt(`r${index}`, { at, ...change, ...status }));
        }
      }
      await look();
    }),
    { numRuns: 60 },
  );
});

test("a day that is over takes a late receipt, and a row of an earlier version next to it", async () => {
  const { store, clock } = await open({ dir: DIR, fs: emptyFs() });
  const yesterday = clock.at - DAY_MS;
  await store.usage.settle(receipt("a", { at: yesterday }));
  const daily = store.document.daily as Map<string, DailyRow>;
  const [row] = daily.values();
  if (row === undefined) throw new Error("no row");
  const { endpoint: _, durations: _1, first_durations: _2, ...old } = row;
  daily.clear();
  daily.set("", { ...old, id: dailyId(row.day, row.key, row.model, row.client) });
  const { days } = store.usage;
  const span = { since: row.day, until: row.day };
  const requests = (): number =>
    days.columns(span, "model").reduce((sum, columns) => sum + sumColumns(columns).requests, 0);
  expect([days.total(span).requests, requests()]).toEqual([1, 1]);
  await store.usage.settle(receipt("b", { at: yesterday }));
  await store.usage.settle(receipt("c", { at: yesterday }));
  expect([days.total(span).requests, requests()]).toEqual([3, 3]);
  expect(days.columns(span, "model")[0]?.rows).toBe(2);
});

test("totals that were given out do not change any more", async () => {
  const { store, clock } = await open({ dir: DIR, fs: emptyFs() });
  await store.usage.settle(receipt("a"));
  const span = { since: dayOf(clock.at), until: dayOf(clock.at) };
  const [total, [day]] = [store.usage.days.total(span), store.usage.days.totals(span)];
  await store.usage.settle(receipt("b"));
  expect([total.requests, day?.totals.requests]).toEqual([1, 1]);
  expect(store.usage.days.total(span).requests).toBe(2);
});

test("years are made ready with turns for others in between", async () => {
  const { store, clock } = await open({ dir: DIR, fs: emptyFs() });
  for (let index = 0; index < 30; index += 1)
    await store.usage.settle(receipt(`r${index}`, { at: clock.at - index * DAY_MS }));
  const slices = new Slices({ now: () => clock.at, monotonic: () => (clock.passed += 1) });
  let turns = 0;
  let done = false;
  const count = (): void => {
    turns += 1;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  await store.usage.days.prepare({ since: null, until: null }, slices);
  done = true;
  expect(turns).toBeGreaterThan(4);
  expect(store.usage.days.columns({ since: null, until: null }, "model")).toHaveLength(30);
});
