import { expect, test } from "vitest";
import { NOON, open, openCall, receipt } from "../fixtures.ts";
import { SimFs } from "../sim-fs.ts";

const DIR = "/data";
const MONTH_MS = 31 * 86_400_000;
const emptyFs = (): SimFs => new SimFs({ files: new Map(), folders: new Set([DIR]) });

test("a receipt that was just settled is in the log, and one that was not is not", async () => {
  const { store } = await open({ dir: DIR, fs: emptyFs() });
  // Not waited for: it is still being written.
  void store.usage.settle(receipt("req_1"));
  expect(await store.usage.has({ id: "req_1", at: NOON })).toBe(true);
  expect(await store.usage.has({ id: "req_2", at: NOON })).toBe(false);
  expect(await store.usage.has({ id: "req_2", at: NOON + 12 * MONTH_MS })).toBe(false);
});

test("it is waited for when so many are being written that it is not among the newest", async () => {
  const { store } = await open({ dir: DIR, fs: emptyFs() });
  for (let index = 0; index < 800; index += 1) void store.usage.settle(receipt(`req_${index}`));
  expect(await store.usage.has({ id: "req_0", at: NOON })).toBe(true);
});

test("it is found after a restart, among others, in the month of its moment", async () => {
  const fs = emptyFs();
  const { store } = await open({ dir: DIR, fs });
  for (let index = 0; index < 3_000; index += 1) {
    const at = NOON + (index % 2) * MONTH_MS;
    if (index % 3 === 0) store.usage.begin(openCall(`open_${index}`, { at }));
    void store.usage.settle(receipt(`req_${index}`, { at }));
  }
  await store.usage.sync();
  const again = (await open({ dir: DIR, fs: new SimFs(fs.afterKill()) })).store;
  for (const index of [0, 1, 1_499, 2_998, 2_999]) {
    const at = NOON + (index % 2) * MONTH_MS;
    expect(await again.usage.has({ id: `req_${index}`, at })).toBe(true);
    expect(await again.usage.has({ id: `req_${index}`, at: at + 2 * MONTH_MS })).toBe(false);
  }
  expect(await again.usage.has({ id: "req_3000", at: NOON })).toBe(false);
});

test("a call that was started, and a receipt that names the id elsewhere, are no receipt of it", async () => {
  const fs = emptyFs();
  const { store } = await open({ dir: DIR, fs });
  store.usage.begin(openCall("req_1"));
  await store.usage.settle(receipt("req_2", { client: 'say "req_1"', model: "req_1" }));
  await store.usage.sync();
  const again = (await open({ dir: DIR, fs: new SimFs(fs.afterKill()) })).store;
  expect(await again.usage.has({ id: "req_1", at: NOON })).toBe(false);
  expect(await again.usage.has({ id: "req_2", at: NOON })).toBe(true);
});

test("it is sought in the last 10,000 lines, and no further", async () => {
  const fs = emptyFs();
  const { store } = await open({ dir: DIR, fs });
  for (let index = 0; index < 10_001; index += 1) void store.usage.settle(receipt(`req_${index}`));
  await store.usage.sync();
  const again = (await open({ dir: DIR, fs: new SimFs(fs.afterKill()) })).store;
  expect(await again.usage.has({ id: "req_1", at: NOON })).toBe(true);
  expect(await again.usage.has({ id: "req_0", at: NOON })).toBe(false);
});

test("one that waits for a disk that refuses counts as there: it will be", async () => {
  const fs = emptyFs();
  const { store } = await open({ dir: DIR, fs });
  fs.fault = { call: fs.calls, code: "ENOSPC", calls: 1_000 };
  await store.usage.settle(receipt("req_1"));
  expect(await store.usage.has({ id: "req_1", at: NOON })).toBe(true);
});
