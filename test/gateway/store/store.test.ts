import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../gateway/lib/clock.ts";
import { StoreOpenError } from "../../../gateway/store/data-folder.ts";
import type { Change } from "../../../gateway/store/document.ts";
import { nodeStoreFs, renameInTime } from "../../../gateway/store/store-fs.ts";
import { StoreWriteError } from "../../../gateway/store/store.ts";
import { dropKey, open, openCall, putKey, receipt } from "./fixtures.ts";
import { SimFs, systemError } from "./sim-fs.ts";

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
    const record = { id: "vt_1", status: "running", native: { deep: [1, { x: null }] } };
    await store.commit([{ op: "put", in: "tasks", record }]);
    await store.close();
    expect((await open({ dir })).store.document.tasks.get("vt_1")).toEqual(record);
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
    for (const id of ["a", "b", "c"]) store.usage.begin(openCall(id));
    await store.usage.settle(receipt("b"));
    await store.snapshot();
    await store.usage.settle(receipt("c"));
    const again = (await open({ dir })).store;
    expect(again.unfinished).toEqual([openCall("a")]);
    await again.snapshot();
    const third = (await open({ dir })).store;
    expect(third.unfinished).toEqual([openCall("a")]);
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

  test("refused by the disk are told to those who want to show sums, and to listeners", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const fs = new SimFs({ files: new Map(), folders: new Set(["/data"]) });
    const { store } = await open({ dir: "/data", fs });
    await store.usage.settle(receipt("r1"));
    const heard: boolean[] = [];
    const stop = store.onWritable((writable) => heard.push(writable));
    fs.fault = { call: fs.calls, code: "ENOSPC", calls: 1_000 };
    await store.usage.settle(receipt("r2"));
    expect(store.writable).toBe(false);
    await expect(store.usage.synced()).rejects.toThrow(/ENOSPC/);
    fs.fault = null;
    await vi.advanceTimersByTimeAsync(600);
    await store.usage.synced();
    expect(heard).toEqual([false, true]);
    stop();
    expect(
      (await open({ dir: "/data", fs: new SimFs(fs.afterKill()) })).store.document.spend.get("*")?.total_nano,
    ).toBe(20);
  });
});

describe("the folder", () => {
  test("is for its owner only, and so is every file in it", async () => {
    const { store } = await open({ dir });
    await store.commit([putKey("a")]);
    await store.secrets.add("vendor key");
    await store.usage.settle(receipt("r1"));
    await store.backup();
    await store.close();
    for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(join(entry.parentPath, entry.name));
      expect((mode & 0o777).toString(8), entry.name).toBe(entry.isDirectory() ? "700" : "600");
    }
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
  });

  test("that Postern made is closed to others again; one full of other things keeps its mode", async () => {
    await (await open({ dir })).store.close();
    await chmod(dir, 0o755);
    await (await open({ dir })).store.close();
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    const shared = join(dir, "..", "shared");
    await mkdir(shared);
    await writeFile(join(shared, "thesis.txt"), "");
    await chmod(shared, 0o755);
    await (await open({ dir: shared })).store.close();
    expect((await stat(shared)).mode & 0o777).toBe(0o755);
  });

  test("may be a symbolic link and stays one", async () => {
    const link = join(dir, "..", "link");
    await mkdir(dir, { recursive: true });
    await symlink(dir, link);
    const { store } = await open({ dir: link });
    await store.commit([putKey("a")]);
    await store.close();
    expect(keysOf((await open({ dir })).store)).toEqual(["a"]);
  });

  test("is rid of what a crash left half written", async () => {
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, "state.5.ndjson.tmp-0123abcd"), "half");
    await open({ dir });
    expect((await readdir(dir)).filter((name) => name.includes(".tmp-"))).toEqual([]);
  });

  test.each([
    ["EACCES", /cannot be used by this user/],
    ["EROFS", /read-only file system/],
    ["EMFILE", /cannot be used \(EMFILE\)/],
  ])("that refuses with %s is a clear error", async (code, sentence) => {
    const fs = new SimFs({ files: new Map(), folders: new Set(["/data"]) });
    fs.open = () => Promise.reject(systemError(code));
    const opening = open({ dir: "/data", fs });
    await expect(opening).rejects.toThrow(StoreOpenError);
    await expect(opening).rejects.toThrow(sentence);
  });

  test("that is a file is a clear error", async () => {
    await mkdir(join(dir, ".."), { recursive: true });
    await writeFile(dir, "");
    await expect(open({ dir })).rejects.toThrow(/is not a folder/);
  });

  test("on a full disk opens for reading", async () => {
    const fs = new SimFs({ files: new Map(), folders: new Set(["/data"]) });
    const { store } = await open({ dir: "/data", fs });
    await store.commit([putKey("a")]);
    const full = new SimFs(fs.afterKill());
    const openFile = full.open.bind(full);
    full.open = (path, how) => (how === "read" ? openFile(path, how) : Promise.reject(systemError("ENOSPC")));
    const again = (await open({ dir: "/data", fs: full })).store;
    expect(keysOf(again)).toEqual(["a"]);
    await expect(again.commit([putKey("b")])).rejects.toThrow(/ENOSPC/);
    expect(again.writable).toBe(false);
  });
});

describe("snapshots", () => {
  test("keep three generations and the journal back to the oldest", async () => {
    const { store } = await open({ dir });
    for (let round = 0; round < 6; round += 1) {
      await store.commit([putKey(`k${round}`)]);
      await store.snapshot();
    }
    const names = (await readdir(dir)).filter((name) => name.startsWith("state.") || name.startsWith("journal."));
    expect(names.toSorted()).toEqual(
      [
        "journal.10.ndjson",
        "journal.12.ndjson",
        "journal.14.ndjson",
        "state.13.ndjson",
        "state.11.ndjson",
        "state.9.ndjson",
      ].toSorted(),
    );
  });

  test("are taken by themselves when much was written, and when time has passed", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const fs = new SimFs({ files: new Map(), folders: new Set(["/data"]) });
    const { store, clock } = await open({ dir: "/data", fs });
    const generations = (): number =>
      [...fs.afterKill().files.keys()].filter((path) => path.includes("/state.")).length;
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await store.snapshot();
    clock.passed += 5 * 60_000;
    await vi.advanceTimersByTimeAsync(1_000);
    await turn();
    expect(generations()).toBe(1);
    await store.usage.settle(receipt("r1"));
    await vi.advanceTimersByTimeAsync(1_000);
    await turn();
    expect(generations()).toBe(2);
    await store.commit([{ op: "put", in: "tasks", record: { id: "t", text: "x".repeat(4 * 1024 * 1024) } }]);
    await vi.advanceTimersByTimeAsync(1_000);
    await turn();
    expect(generations()).toBe(3);
    await store.close();
  });

  test("hold what changes while they are written in one form or the other, and a restart has the newer", async () => {
    const { store } = await open({ dir, clock: systemClock });
    const ids = Array.from({ length: 5_000 }, (_, index) => `k${index}`);
    await store.commit(ids.map((id) => putKey(id)));
    const writing = store.snapshot();
    await Promise.all([
      ...ids.filter((_, index) => index % 50 === 0).map((id) => store.commit([putKey(id, "changed")])),
      ...ids.filter((_, index) => index % 50 === 1).map((id) => store.commit([dropKey(id)])),
    ]);
    await writing;
    const again = (await open({ dir })).store;
    expect(again.document.keys).toEqual(store.document.keys);
    expect(again.document.keys.get("k50")?.name).toBe("changed");
    expect(again.document.keys.has("k51")).toBe(false);
  });
});

test("a backup is a data folder of its own", async () => {
  const { store } = await open({ dir });
  await store.commit([putKey("a")]);
  const id = await store.secrets.add("vendor key");
  await store.usage.settle(receipt("r1"));
  const { path, bytes } = await store.backup();
  await store.commit([dropKey("a")]);
  const copy = (await open({ dir: path })).store;
  expect(keysOf(copy)).toEqual(["a"]);
  expect(copy.secrets.get(id)).toBe("vendor key");
  expect(copy.document.spend.get("*")?.total_nano).toBe(10);
  expect(bytes).toBeGreaterThan(0);
});

describe("renames on Windows", () => {
  test("are tried again while somebody holds the file", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let tries = 0;
    const renamed = renameInTime("a", "b", async () => {
      tries += 1;
      if (tries <= 5) throw systemError("EPERM");
    });
    await vi.runAllTimersAsync();
    await renamed;
    expect(tries).toBe(6);
  });

  test("fail after two seconds, and at once when trying again cannot help", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const held = expect(renameInTime("a", "b", () => Promise.reject(systemError("EBUSY")))).rejects.toThrow("EBUSY");
    await vi.runAllTimersAsync();
    await held;
    await expect(renameInTime("a", "b", () => Promise.reject(systemError("ENOSPC")))).rejects.toThrow("ENOSPC");
  });
});

test("removing or measuring what is not there is no error", async () => {
  await nodeStoreFs.remove(join(dir, "missing"));
  expect(await nodeStoreFs.size(join(dir, "missing"))).toBeNull();
  expect(await nodeStoreFs.list(join(dir, "missing"))).toEqual([]);
});
