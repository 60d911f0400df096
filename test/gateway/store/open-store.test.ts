import { mkdtemp, rm, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Change } from "../../../gateway/store/document.ts";
import { StoreWriteError } from "../../../gateway/store/store.ts";
import { taskRecord } from "../../support/tasks.ts";
import { dropKey, open, openCall, putKey, receipt } from "./fixtures.ts";
import { SimFs } from "./sim-fs.ts";

let dir: string;

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), "postern-store-"));
  dir = join(root, "made", "data");
  onTestFinished(() => rm(root, { recursive: true, force: true }));
});

const keysOf = (store: { document: { keys: ReadonlyMap<string, unknown> } }): string[] => [
  ...store.document.keys.keys(),
];

describe("changes", () => {
  test("survive a restart, with and without a clean end", async () => {
    const first = await open({ dir });
    expect(first.store.fresh).toBe(true);
    await first.store.commit([putKey("a"), putKey("b")]);
    await first.store.commit([dropKey("a")]);
    // Not closed: as after a kill.
    const second = await open({ dir });
    expect(keysOf(second.store)).toEqual(["b"]);
    expect(second.store.fresh).toBe(false);
    expect(second.store.openingNotices).toEqual([]);
    await second.store.close();
    const third = await open({ dir });
    expect(keysOf(third.store)).toEqual(["b"]);
    await third.store.close();
  });

  test("of one commit are seen together, and only once they are synced", async () => {
    const fs = new SimFs({ files: new Map(), folders: new Set(["/data"]) });
    const { store } = await open({ dir: "/data", fs });
    const done = store.commit([putKey("a"), putKey("b")]);
    expect(keysOf(store)).toEqual([]);
    await done;
    expect(keysOf(store)).toEqual(["a", "b"]);
  });

  test("that are relaxed are seen at once and are never overtaken by earlier strict ones", async () => {
    const { store } = await open({ dir });
    const put = (at: number): Change => ({ op: "put", in: "discoveries", record: { id: "c1", at, models: [] } });
    const strict = store.commit([put(1)]);
    store.commitRelaxed([put(2)]);
    expect(store.document.discoveries.get("c1")?.at).toBe(2);
    await strict;
    expect(store.document.discoveries.get("c1")?.at).toBe(2);
    await store.commit([put(3)]);
    expect(store.document.discoveries.get("c1")?.at).toBe(3);
    await store.close();
    expect((await open({ dir })).store.document.discoveries.get("c1")?.at).toBe(3);
  });

  test("keep fields that this version does not know", async () => {
    const { store } = await open({ dir });
    const record = { ...taskRecord({ native: { deep: [1, { x: null }] } }), later: { version: [2] } };
    await store.commit([{ op: "put", in: "tasks", record }]);
    await store.close();
    expect((await open({ dir })).store.document.tasks.get(record.id)).toEqual(record);
  });

  test("after the end are refused", async () => {
    const { store } = await open({ dir });
    await store.close();
    await store.close();
    await expect(store.commit([putKey("a")])).rejects.toThrow(StoreWriteError);
  });
});

describe("receipts", () => {
  test("count at once and survive a restart", async () => {
    const { store } = await open({ dir });
    const written = store.usage.settle(receipt("r1"));
    expect(store.document.spend.get("k1")?.total_nano).toBe(10);
    await written;
    const again = (await open({ dir })).store;
    expect(again.document.spend.get("k1")?.total_nano).toBe(10);
    expect([...again.document.daily.values()]).toEqual([...store.document.daily.values()]);
  });

  test("end their calls; what was open when the process ended is unfinished until it is settled", async () => {
    const { store } = await open({ dir });
    // With a field that this version does not know.
    const request = { ...openCall("a"), later: { figures: [1] } };
    store.usage.begin(request);
    for (const id of ["b", "c"]) store.usage.begin(openCall(id));
    await store.usage.settle(receipt("b"));
    await store.snapshot();
    await store.usage.settle(receipt("c"));
    const again = (await open({ dir })).store;
    expect(again.unfinished).toEqual([request]);
    await again.snapshot();
    const third = (await open({ dir })).store;
    expect(third.unfinished).toEqual([request]);
    await third.usage.settle(receipt("a", { outcome: "unknown", nano: 0 }));
    expect((await open({ dir })).store.unfinished).toEqual([]);
  });

  test("go to the month of their own time", async () => {
    const { store } = await open({ dir });
    await store.usage.settle(receipt("r1"));
    await store.usage.settle(receipt("r2", { at: Date.UTC(2026, 11, 1) }));
    await store.usage.settle(receipt("r3", { at: Date.UTC(2026, 10, 30, 23, 59, 59, 999) }));
    expect((await readdir(join(dir, "usage"))).toSorted()).toEqual(["usage-2026-11.ndjson", "usage-2026-12.ndjson"]);
    expect((await open({ dir })).store.document.spend.get("*")?.total_nano).toBe(30);
  });

  test("refused by the disk are reported to those who want to show sums, and to listeners", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const fs = new SimFs({ files: new Map(), folders: new Set(["/data"]) });
    const { store } = await open({ dir: "/data", fs });
    await store.usage.settle(receipt("r1"));
    const events: boolean[] = [];
    const stop = store.onWritable((writable) => events.push(writable));
    fs.fault = { call: fs.calls, code: "ENOSPC", calls: 1_000 };
    await store.usage.settle(receipt("r2"));
    expect(store.writable).toBe(false);
    await expect(store.usage.sync()).rejects.toThrow(/ENOSPC/);
    fs.fault = null;
    await vi.advanceTimersByTimeAsync(600);
    await store.usage.sync();
    expect(events).toEqual([false, true]);
    stop();
    expect(
      (await open({ dir: "/data", fs: new SimFs(fs.afterKill()) })).store.document.spend.get("*")?.total_nano,
    ).toBe(20);
  });
});

test("a backup is a data folder of its own", async () => {
  const { store } = await open({ dir });
  await store.commit([putKey("a")]);
  const id = await store.secrets.add("provider key");
  await store.usage.settle(receipt("r1"));
  const { path, bytes } = await store.backup();
  await store.commit([dropKey("a")]);
  const copy = (await open({ dir: path })).store;
  expect(keysOf(copy)).toEqual(["a"]);
  expect(copy.secrets.get(id)).toBe("provider key");
  expect(copy.document.spend.get("*")?.total_nano).toBe(10);
  expect(bytes).toBeGreaterThan(0);
  expect(await readdir(join(dir, "backups"))).toHaveLength(1);
});
