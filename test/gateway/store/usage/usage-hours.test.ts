import { expect, test } from "vitest";
import { dailyId } from "../../../../gateway/core/usage/aggregate.ts";
import type { DailyRow } from "../../../../gateway/core/usage/daily-rows.ts";
import { HOUR_MS } from "../../../../gateway/core/usage/usage-period.ts";
import { UsageHours } from "../../../../gateway/store/usage/usage-hours.ts";
import type { HourlyUsage, Store } from "../../../../gateway/store/store.ts";
import { requestsAt } from "../../../support/usage-sources.ts";
import { NOON, open, receipt } from "../fixtures.ts";
import { SimFs } from "../sim-fs.ts";

const DIR = "/data";
const emptyFs = (): SimFs => new SimFs({ files: new Map(), folders: new Set([DIR]) });

/** Requests by the hour, counted back from noon. */
function byHour({ source }: Pick<HourlyUsage, "source">): Record<number, number> {
  const hours: Record<number, number> = {};
  for (let hour = -100; hour <= 10; hour += 1) {
    const requests = requestsAt(source, NOON + hour * HOUR_MS);
    if (requests !== undefined) hours[hour] = requests;
  }
  return hours;
}

const settle = (store: Store, at: number, id = `req_${at}`): Promise<void> => store.usage.settle(receipt(id, { at }));

test("hours hold what was settled before a restart and after it, each receipt once", async () => {
  const fs = emptyFs();
  const { store } = await open({ dir: DIR, fs });
  for (const hours of [-800, -25, -2, -2, 0]) await settle(store, NOON + hours * HOUR_MS);
  await store.snapshot();
  await settle(store, NOON + 1_000);
  const again = (await open({ dir: DIR, fs: new SimFs(fs.afterKill()) })).store;
  await settle(again, NOON + 2_000);
  const [first, second] = await Promise.all([again.usage.hours(NOON), again.usage.hours(NOON)]);
  expect(byHour(first)).toEqual({ [-25]: 1, [-2]: 2, 0: 3 });
  expect(byHour(second)).toEqual(byHour(first));
  await settle(again, NOON + 3_000);
  expect(byHour(await again.usage.hours(NOON))).toEqual({ [-25]: 1, [-2]: 2, 0: 4 });
  expect(first.wholeFrom).toBeNull();
});

test("over the end of a month both segments are read", async () => {
  const fs = emptyFs();
  const { store, clock } = await open({ dir: DIR, fs });
  const midnight = Date.UTC(2026, 11, 1);
  clock.at = midnight + HOUR_MS;
  await settle(store, midnight - 1);
  await settle(store, midnight);
  await store.close();
  const opened = await open({ dir: DIR, fs: new SimFs(fs.afterKill()) });
  const { source } = await opened.store.usage.hours(midnight + HOUR_MS);
  expect([-2, -1, 0, 1].map((hour) => requestsAt(source, midnight + hour * HOUR_MS))).toEqual([
    undefined,
    1,
    1,
    undefined,
  ]);
});

test("what was used while the clock was years ahead pushes out no hour, before a restart and after it", async () => {
  const fs = emptyFs();
  const { store } = await open({ dir: DIR, fs });
  const ahead = NOON + 40 * 365 * 24 * HOUR_MS;
  for (let hour = 0; hour < 30; hour += 1) await settle(store, ahead + hour * HOUR_MS);
  for (const hours of [-2, -1, 0]) await settle(store, NOON + hours * HOUR_MS);
  expect(byHour(await store.usage.hours(NOON))).toEqual({ [-2]: 1, [-1]: 1, 0: 1 });
  const again = (await open({ dir: DIR, fs: new SimFs(fs.afterKill()) })).store;
  expect(byHour(await again.usage.hours(NOON))).toEqual({ [-2]: 1, [-1]: 1, 0: 1 });
});

test("a wall clock that was set back hides no hours", async () => {
  const fs = emptyFs();
  const { store } = await open({ dir: DIR, fs });
  await settle(store, NOON);
  for (let index = 0; index < 200; index += 1) await settle(store, NOON - 5 * 24 * HOUR_MS, `old_${index}`);
  await settle(store, NOON + 1);
  const again = (await open({ dir: DIR, fs: new SimFs(fs.afterKill()) })).store;
  expect(byHour(await again.usage.hours(NOON))).toEqual({ 0: 2 });
});

test("an hour that is over takes a late receipt, and names that have gone leave its figures as they are", async () => {
  const hours = new UsageHours({ fs: emptyFs(), folder: DIR }, { at: NOON - 900 * HOUR_MS, ends: new Map() });
  const count = (hour: number, client: string): void =>
    hours.count(receipt("r", { at: NOON + hour * HOUR_MS, client }));
  for (const hour of [0, 1, 0, 1, 0]) count(hour, hour === 0 ? "a" : "b");
  const { source } = await hours.read(NOON);
  const figures = (): unknown =>
    [0, 1].map((hour) => ["a", "b"].map((client) => requestsAt(source, NOON + hour * HOUR_MS, "client", client)));
  expect(figures()).toEqual([
    [3, 0],
    [0, 2],
  ]);
  expect(hours.total(NOON, NOON + HOUR_MS)?.requests).toBe(3);
  // So many that the oldest are forgotten, and their names with them.
  for (let hour = 2; hour < 767; hour += 1) count(hour, `client-${hour}`);
  expect(figures()).toEqual([
    [3, 0],
    [0, 2],
  ]);
  for (let hour = 767; hour < 767 + 30; hour += 1) count(hour, "c");
  expect(requestsAt(source, NOON + 766 * HOUR_MS, "client", "client-766")).toBe(1);
  expect(source.names.client.known("a")).toBeUndefined();
  expect(requestsAt(source, NOON + HOUR_MS, "client", "b")).toBeUndefined();
});

test("connections are told apart, those of days are not", async () => {
  const { store } = await open({ dir: DIR, fs: emptyFs() });
  for (const [index, connection] of ["con_1", "con_2", "con_2"].entries()) {
    await store.usage.settle(receipt(`req_${index}`, { at: NOON, connection }));
  }
  const { source } = await store.usage.hours(NOON);
  expect(["con_1", "con_2"].map((id) => requestsAt(source, NOON, "connection", id))).toEqual([1, 2]);
  expect([...store.document.daily.values()].map((row) => [row.requests, "connection" in row])).toEqual([[3, false]]);
});

test("what is too much to be read back is told", async () => {
  const fs = emptyFs();
  const { store } = await open({ dir: DIR, fs });
  for (let hours = -6; hours <= 0; hours += 1) await settle(store, NOON + hours * HOUR_MS);
  await store.usage.synced();
  const [name, size] = [`${DIR}/usage/usage-2026-11.ndjson`, await fs.size(`${DIR}/usage/usage-2026-11.ndjson`)];
  expect(name).toBeDefined();
  const start = { at: NOON, ends: new Map([["2026-11", size ?? 0]]) };
  const hours = new UsageHours({ fs, folder: `${DIR}/usage`, mostBytes: 1_000 }, start);
  const { wholeFrom, source } = await hours.read(NOON);
  const read = Object.keys(byHour({ source })).map(Number);
  expect(read.length).toBeLessThan(7);
  // The oldest hour that was read may lack a part: only those after it are whole.
  expect(wholeFrom).toBe(NOON + (Math.min(...read) + 1) * HOUR_MS);
});

test("a month and a day is kept, and clients without number share a row", async () => {
  const hours = new UsageHours({ fs: emptyFs(), folder: DIR }, { at: NOON - 900 * HOUR_MS, ends: new Map() });
  for (let index = 0; index < 800; index += 1) hours.count(receipt("r", { at: NOON + (index - 799) * HOUR_MS }));
  for (let index = 0; index < 3_000; index += 1) hours.count(receipt("r", { at: NOON, client: `client_${index}` }));
  const { source, since } = await hours.read(NOON);
  expect(since).toBe(NOON - 767 * HOUR_MS);
  expect([768, 767, 0].map((hour) => requestsAt(source, NOON - hour * HOUR_MS))).toEqual([undefined, 1, 3_001]);
  expect(source.at(NOON, "model")?.rows).toBe(2_001);
  expect(requestsAt(source, NOON, "client", "")).toBe(1_001);
});

test("of very much the oldest hours are forgotten, but never the last two days", async () => {
  const hours = new UsageHours({ fs: emptyFs(), folder: DIR }, { at: NOON - 900 * HOUR_MS, ends: new Map() });
  for (let hour = -99; hour <= 0; hour += 1) {
    for (let index = 0; index < 1_000; index += 1) {
      hours.count(receipt("r", { at: NOON + hour * HOUR_MS, client: `client_${index}` }));
    }
  }
  const { source, since } = await hours.read(NOON);
  expect(since).toBe(NOON - 49 * HOUR_MS);
  expect([50, 49, 0].map((hour) => requestsAt(source, NOON - hour * HOUR_MS))).toEqual([undefined, 1_000, 1_000]);
});

test("the last day is there before the one before it, and both before all that is kept", async () => {
  const fs = emptyFs();
  const { store } = await open({ dir: DIR, fs });
  const many = async (hour: number, name: string): Promise<void> => {
    for (let index = 0; index < 1_500; index += 1)
      await settle(store, NOON + hour * HOUR_MS + index, `${name}${index}`);
  };
  await many(-60, "old");
  await many(-30, "before");
  await settle(store, NOON - 24 * HOUR_MS);
  await settle(store, NOON);
  const { usage } = (await open({ dir: DIR, fs: new SimFs(fs.afterKill()) })).store;
  const [day, days] = [usage.hours(NOON), usage.hours(NOON, "days")];
  expect(await day).toMatchObject({ reading: true, since: NOON - 24 * HOUR_MS });
  expect(byHour(await day)).toMatchObject({ [-24]: 1, 0: 1 });
  const both = await days;
  expect(both.since).toBeLessThanOrEqual(NOON - 49 * HOUR_MS);
  expect(byHour(both)).toMatchObject({ [-30]: 1_500, [-24]: 1, 0: 1 });
});

test("the last two days are there before all that is kept is read back", async () => {
  const fs = emptyFs();
  const { store } = await open({ dir: DIR, fs });
  for (let index = 0; index < 3_000; index += 1) {
    await settle(store, NOON - 20 * 24 * HOUR_MS + index, `old_${index}`);
  }
  await settle(store, NOON);
  const { usage } = (await open({ dir: DIR, fs: new SimFs(fs.afterKill()) })).store;
  expect(usage.hoursHere()).toBeNull();
  const near = await usage.hours(NOON);
  expect(byHour(near)).toEqual({ 0: 1 });
  const all = await usage.hours(NOON, "kept");
  expect(all).toMatchObject({ reading: false, since: NOON - 767 * HOUR_MS });
  expect(requestsAt(all.source, NOON - 20 * 24 * HOUR_MS)).toBe(3_000);
  expect(usage.hoursHere()).toEqual(all);
});

test("a look at the last day reads back no more, and what was left is read when somebody wants it", async () => {
  const fs = emptyFs();
  const { store } = await open({ dir: DIR, fs });
  for (let index = 0; index < 3_000; index += 1) {
    await settle(store, NOON - 20 * 24 * HOUR_MS + index, `old_${index}`);
  }
  await settle(store, NOON - HOUR_MS);
  const { usage } = (await open({ dir: DIR, fs: new SimFs(fs.afterKill()) })).store;
  expect(usage.hoursTotal(0, NOON)).toBeNull();
  await usage.prepareHours(NOON);
  expect(usage.hoursTotal(NOON - HOUR_MS, NOON)?.requests).toBe(1);
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  expect(usage.hoursTotal(0, NOON)!.requests).toBeLessThan(1_500);
  await usage.hours(NOON, "kept");
  expect(usage.hoursTotal(0, NOON)?.requests).toBe(3_001);
});

test("a folder whose daily rows know no endpoint opens, and nothing is counted twice or lost", async () => {
  const fs = emptyFs();
  const { store } = await open({ dir: DIR, fs });
  await store.usage.settle(receipt("a"));
  await store.usage.settle(receipt("b"));
  const daily = store.document.daily as Map<string, DailyRow>;
  const [row] = daily.values();
  if (row !== undefined) {
    const { endpoint: _, durations: _1, first_durations: _2, ...old } = row;
    daily.clear();
    daily.set("", { ...old, id: dailyId(row.day, row.key, row.model, row.client) });
  }
  await store.snapshot();
  // An earlier version has counted this one too, but the state that it left does not say so.
  await store.usage.settle(receipt("c", { endpoint: "messages" }));
  const again = (await open({ dir: DIR, fs: new SimFs(fs.afterKill()) })).store;
  const found = [...again.document.daily.values()].map(({ endpoint, requests, durations }) => ({
    endpoint,
    requests,
    durations,
  }));
  expect(found).toEqual([
    { endpoint: undefined, requests: 2, durations: undefined },
    { endpoint: "messages", requests: 1, durations: { 29: 1 } },
  ]);
  expect(again.openingNotices).toEqual([]);
  expect(byHour(await again.usage.hours(NOON))).toEqual({ 0: 3 });
});

test("what is read back between calls of now keeps a row for each of its names", () => {
  const hours = new UsageHours({ fs: emptyFs(), folder: DIR }, { at: NOON, ends: new Map() });
  for (let turn = 0; turn < 3_000; turn += 1) {
    hours.count(receipt(`req_now_${turn}`, { at: NOON, client: `app-${turn % 3}` }));
    hours.count(receipt(`req_before_${turn}`, { at: NOON - 5 * HOUR_MS, client: `app-${turn % 2}` }));
  }
  const named = (at: number): string[] => {
    const columns = hours.at(at);
    return [...(columns?.groups.client ?? [])].map((number) => hours.names.client.text(number));
  };
  expect(named(NOON)).toEqual(["app-0", "app-1", "app-2"]);
  expect(named(NOON - 5 * HOUR_MS)).toEqual(["app-0", "app-1"]);
});
