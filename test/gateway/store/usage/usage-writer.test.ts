import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { UsageWriter } from "../../../../gateway/store/usage/usage-writer.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { open, openCall, receipt } from "../fixtures.ts";
import { SimFs, type Disk } from "../sim-fs.ts";
import { receiptIdsOn } from "../receipts-on.ts";

const DIR = "/data";
const SEGMENT = "/data/usage/usage-2026-11.ndjson";
const EMPTY: Disk = { files: new Map(), folders: new Set([DIR]) };

const linesIn = (fs: SimFs): number => (fs.afterKill().files.get(SEGMENT)?.toString() ?? "").split("\n").length - 1;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
async function until(isSo: () => boolean): Promise<void> {
  for (let turns = 0; turns < 200 && !isSo(); turns += 1) await turn();
  expect(isSo()).toBe(true);
}

describe("after the end of the store", () => {
  test("a receipt is refused by name and the receipts of its month stay", async () => {
    const dir = await mkdtemp(join(tmpdir(), "postern-late-"));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const first = (await open({ dir })).store;
    await first.usage.settle(receipt("r0"));
    await first.close();
    const { store, events } = await open({ dir });
    for (let index = 1; index <= 10; index += 1) await store.usage.settle(receipt(`r${index}`));
    await store.close();
    await expect(store.usage.settle(receipt("late"))).rejects.toThrow(StoreWriteError);
    expect(events.filter(({ event }) => event === "store.receipt_too_late").map(({ message }) => message)).toEqual([
      expect.stringContaining("late"),
    ]);
    const text = await readFile(join(dir, "usage", "usage-2026-11.ndjson"), "utf8");
    expect(text.split("\n")).toHaveLength(12);
    const again = (await open({ dir })).store;
    expect((await again.usage.list({ limit: 100 })).data).toHaveLength(11);
    expect(again.document.spend.get("*")?.total_nano).toBe(110);
    await again.close();
  });

  test("nothing is written to any file, regardless of who asks", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const fs = new SimFs(EMPTY);
    const { store } = await open({ dir: DIR, fs });
    store.usage.begin(openCall("open"));
    await store.close();
    const { files } = fs.afterKill();
    store.usage.begin(openCall("late"));
    await expect(store.usage.settle(receipt("open"))).rejects.toThrow(StoreWriteError);
    await expect(store.commit([])).rejects.toThrow(StoreWriteError);
    await expect(store.secrets.add("late")).rejects.toThrow(StoreWriteError);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fs.afterKill().files).toEqual(files);
    expect((await open({ dir: DIR, fs: new SimFs(fs.afterKill()) })).store.unfinished).toEqual([openCall("open")]);
  });

  test("a receipt without a waiter is no unhandled rejection", async () => {
    const { store } = await open({ dir: DIR, fs: new SimFs(EMPTY) });
    await store.close();
    const unhandled = vi.fn<(reason: unknown) => void>();
    process.on("unhandledRejection", unhandled);
    onTestFinished(() => void process.off("unhandledRejection", unhandled));
    void store.usage.settle(receipt("late"));
    await turn();
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe("the end of a call that is not noted yet", () => {
  /** A store whose disk has started no sync of receipts, and the paths that it is asked to sync. */
  async function onSlowDisk() {
    const fs = new SimFs(EMPTY);
    const { store } = await open({ dir: DIR, fs });
    await store.usage.settle(receipt("first"));
    await store.usage.sync();
    const disk = Promise.withResolvers<void>();
    fs.hold = (call) => (call === "sync" ? disk.promise : null);
    return { fs, store, disk };
  }

  test.each([
    ["somebody bills it", [false]],
    ["somebody bills what it asked first", [false, true]],
    ["somebody bills what it asked last", [true, false]],
  ])("waits for the disk where %s", async (_who, requests) => {
    const { store, disk } = await onSlowDisk();
    for (const unbilled of requests) store.usage.begin(openCall("billed"), null, unbilled);
    const settled = vi.fn<() => void>();
    const ended = store.usage.settle(receipt("billed")).then(settled);
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect(settled).not.toHaveBeenCalled();
    disk.resolve();
    await ended;
    await store.close();
  });

  test("waits for its own write where no one does", async () => {
    const { fs, store, disk } = await onSlowDisk();
    store.usage.begin(openCall("here"), null, true);
    await store.usage.settle(receipt("here"));
    const text = fs.afterKill().files.get(`${DIR}/usage/usage-2026-11.ndjson`)?.toString();
    expect(text).toContain('"id":"here"');
    disk.resolve();
    await store.close();
  });
});

test("a call that holds more than five cents survives a kill in its first millisecond", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const fs = new SimFs(EMPTY);
  const { store } = await open({ dir: DIR, fs });
  store.usage.begin(openCall("small", { hold_nano: 50_000_000 }));
  store.usage.begin(openCall("large", { hold_nano: 50_000_001, kinds: ["tools"] }));
  await turn();
  const { unfinished } = (await open({ dir: DIR, fs: new SimFs(fs.afterKill()) })).store;
  expect(unfinished).toEqual([openCall("large", { hold_nano: 50_000_001, kinds: ["tools"] })]);
  await store.close();
});

test("a log that may not be written is not healthy, takes no line and says why", async () => {
  const fs = new SimFs(EMPTY);
  const ends = new Map([["2026-11", 7]]);
  const ignore = () => undefined;
  const writer = new UsageWriter({ fs, folder: DIR, log: ignore, onHealth: ignore, ends, frozen: "It is newer." });
  writer.stage("2026-12", "line\n");
  await writer.written();
  await expect(writer.sync()).rejects.toThrow(new StoreWriteError("It is newer."));
  expect([writer.healthy, writer.position(), fs.afterKill().files.size]).toEqual([false, { "2026-11": 7 }, 0]);
});

describe("a call that is under way", () => {
  test("is noted before it is 10 ms old, unless it is over within 5, whenever it was started", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const fs = new SimFs(EMPTY);
    const { store } = await open({ dir: DIR, fs });
    store.usage.begin(openCall("long"), null, true);
    for (let startedAt = 1; startedAt < 10; startedAt += 1) {
      store.usage.begin(openCall(`short-${startedAt}`), null, true);
      await vi.advanceTimersByTimeAsync(1);
      // The one that is 5 ms old by now.
      if (startedAt > 4) void store.usage.settle(receipt(`short-${startedAt - 4}`));
    }
    await vi.advanceTimersByTimeAsync(1);
    await until(() => linesIn(fs) === 6);
    const lines = fs.afterKill().files.get(SEGMENT)?.toString() ?? "";
    expect([...lines.matchAll(/"call":\{"id":"([^"]+)"/g)].map(([, id]) => id)).toEqual(["long"]);
    await store.close();
  });
});

describe("while the disk refuses", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => vi.useRealTimers());

  test("a receipt that settles while a repair syncs is written as soon as the repair ends", async () => {
    const fs = new SimFs(EMPTY);
    const { store } = await open({ dir: DIR, fs });
    await store.usage.settle(receipt("r1"));
    fs.fault = { call: fs.calls, code: "ENOSPC" };
    await store.usage.settle(receipt("r2"));
    expect(store.writable).toBe(false);
    const repaired = Promise.withResolvers<void>();
    let repairs = 0;
    fs.hold = (call, path) => {
      if (call !== "sync" || path !== SEGMENT) return null;
      repairs += 1;
      return repaired.promise;
    };
    await vi.advanceTimersByTimeAsync(500);
    await until(() => repairs > 0);
    // Into the last sync of the repair.
    void store.usage.settle(receipt("r3"));
    fs.hold = () => null;
    repaired.resolve();
    await until(() => store.writable);
    await until(() => linesIn(fs) === 3);
  });

  test("a try that comes due while a file is being opened is made afterwards", async () => {
    const fs = new SimFs(EMPTY);
    const { store } = await open({ dir: DIR, fs });
    await store.usage.settle(receipt("r1"));
    const opened = Promise.withResolvers<void>();
    fs.hold = (call, path) => (call === "open" && path.endsWith("2026-12.ndjson") ? opened.promise : null);
    // The sync of the first month fails while the file of the second is on its way.
    fs.fault = { call: fs.calls, code: "EIO" };
    void store.usage.settle(receipt("r2", { at: Date.UTC(2026, 11, 1) }));
    await vi.advanceTimersByTimeAsync(25);
    await until(() => !store.writable);
    await vi.advanceTimersByTimeAsync(500);
    opened.resolve();
    await turn();
    for (let tries = 0; tries < 4; tries += 1) await vi.advanceTimersByTimeAsync(500);
    await until(() => store.writable);
    expect((await receiptIdsOn(new SimFs(fs.afterKill()), DIR)).toSorted()).toEqual(["r1", "r2"]);
  });
});

describe("sums that are reported", () => {
  test("are on the disk, and hold nothing that came while they were being synced", async () => {
    const fs = new SimFs(EMPTY);
    const { store } = await open({ dir: DIR, fs });
    await store.usage.settle(receipt("r1"));
    const synced = Promise.withResolvers<void>();
    let syncs = 0;
    fs.hold = (call, path) => {
      if (call !== "sync" || path !== SEGMENT) return null;
      syncs += 1;
      return synced.promise;
    };
    const reported = store.usage.readDurable(() => store.document.spend.get("*")?.total_nano);
    await until(() => syncs > 0);
    await store.usage.settle(receipt("r2"));
    synced.resolve();
    expect(await reported).toBe(10);
    for (const disk of fs.afterPowerCut(100, () => 0)) {
      const again = (await open({ dir: DIR, fs: new SimFs(disk) })).store;
      expect(again.document.spend.get("*")?.total_nano ?? 0).toBeGreaterThanOrEqual(10);
    }
  });

  test("are reported all the same while the disk refuses", async () => {
    const fs = new SimFs(EMPTY);
    const { store } = await open({ dir: DIR, fs });
    fs.fault = { call: fs.calls, code: "ENOSPC", calls: 1_000 };
    await store.usage.settle(receipt("r1"));
    expect(await store.usage.readDurable(() => store.document.spend.get("*")?.total_nano)).toBe(10);
  });

  test("are on the disk after a start too, when the process before was killed before its sync", async () => {
    const before = new SimFs(EMPTY);
    const killed = (await open({ dir: DIR, fs: before })).store;
    await killed.usage.settle(receipt("r1"));
    const fs = before.killed();
    const { store } = await open({ dir: DIR, fs });
    expect(await store.usage.readDurable(() => store.document.spend.get("*")?.total_nano)).toBe(10);
    for (const disk of fs.afterPowerCut(100, () => 0)) {
      const again = (await open({ dir: DIR, fs: new SimFs(disk) })).store;
      expect(again.document.spend.get("*")?.total_nano).toBe(10);
    }
  });
});
