import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { listBackups } from "../../../../gateway/store/backups/backup.ts";
import { applyRestore, copyToStage, intendRestore, readIntent } from "../../../../gateway/store/backups/restore.ts";
import { BackupUnusableError, stageRestore } from "../../../../gateway/store/backups/stage-restore.ts";
import { fileSealer } from "../../../../gateway/store/data-key.ts";
import { nodeStoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import { NoRoomError } from "../../../../gateway/store/store.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { failures, eachCall } from "../every-fault.ts";
import { FixedClock, open, putKey, receipt, seededRandom } from "../fixtures.ts";
import { SimFs, type Disk } from "../sim-fs.ts";
import { receiptIdsOn } from "../receipts-on.ts";

const DIR = "/data";
const EMPTY: Disk = { files: new Map(), folders: new Set([DIR]) };
const UNDO = "2026-11-20T120000-000Z-before-restore";

/** A folder with a backup that has the key `old` and one receipt, and with `new` and a second receipt since. */
async function folder(): Promise<{ disk: Disk; backup: string }> {
  const fs = new SimFs(EMPTY);
  const { store } = await open({ dir: DIR, fs });
  await store.commit([putKey("old")]);
  await store.secrets.add("a provider key of then");
  await store.usage.settle(receipt("req_old"));
  const { path } = await store.backup();
  await store.commit([putKey("new")]);
  await store.usage.settle(receipt("req_new"));
  await store.secrets.add("a provider key of now");
  await store.close();
  return { disk: fs.afterKill(), backup: path.slice(path.lastIndexOf("/") + 1) };
}

async function staged(): Promise<Disk> {
  const { disk, backup } = await folder();
  const fs = new SimFs(disk);
  await copyToStage(fs, DIR, backup, Infinity);
  await intendRestore(fs, DIR, { backup, undo: UNDO });
  return fs.afterKill();
}

/** What a start finds: keys and receipts of the data, and of the backup that undoes the restore. */
async function found(fs: SimFs): Promise<Record<"data" | "undo", string>> {
  await applyRestore(fs, DIR);
  expect((await fs.list(DIR)).filter((name) => /restor/.test(name) && !name.includes(".tmp-"))).toStrictEqual([]);
  return { data: await contents(fs, DIR), undo: await contents(fs, join(DIR, "backups", UNDO)) };
}

async function contents(fs: SimFs, dir: string): Promise<string> {
  const { store, events } = await open({ dir, fs });
  const text = [...store.document.keys.keys(), ...(await receiptIdsOn(fs, dir))].join(" ");
  const { locked } = store.secrets;
  await store.close();
  expect([events, locked]).toStrictEqual([[], null]);
  return text;
}

const RESTORED = { data: "old req_old", undo: "old new req_new req_old" };

test("a restored backup takes the place of the data, which becomes a backup", async () => {
  expect(await found(new SimFs(await staged()))).toStrictEqual(RESTORED);
});

test("an undone restore brings back everything until the last moment", async () => {
  const fs = new SimFs(await staged());
  await applyRestore(fs, DIR);
  await copyToStage(fs, DIR, UNDO, Infinity);
  const restored = { backup: UNDO, undo: "2026-11-20T130000-000Z-before-restore" };
  await intendRestore(fs, DIR, restored);
  expect(await applyRestore(fs, DIR)).toEqual(restored);
  expect(await contents(fs, DIR)).toBe(RESTORED.undo);
});

test("a kill at any step of a restore is made good by the next start", async () => {
  const fs = new SimFs(await staged());
  const disks: Disk[] = [];
  fs.onStep = () => void disks.push(fs.afterKill());
  await applyRestore(fs, DIR);
  expect(disks.length).toBeGreaterThan(20);
  for (const disk of disks) expect(await restoredAfter(disk)).toStrictEqual(RESTORED);
});

test("a power cut at any step of a restore loses nothing of either", async () => {
  const fs = new SimFs(await staged());
  const random = seededRandom(7);
  const disks: Disk[] = [];
  fs.onStep = () => void disks.push(...fs.afterPowerCut(6, random));
  await applyRestore(fs, DIR);
  expect(disks.length).toBeGreaterThan(100);
  for (const disk of disks) expect(await restoredAfter(disk)).toStrictEqual(RESTORED);
});

/** When the intent itself is gone the restore is over, and the store of that start sees it as any other. */
async function restoredAfter(disk: Disk): Promise<Record<"data" | "undo", string>> {
  return found(new SimFs(disk));
}

test("a disk that refuses any one call of a restore leaves it to the next start", async () => {
  const disk = await staged();
  const calls = new SimFs(disk);
  await applyRestore(calls, DIR);
  const refusals = new Set<string>();
  const broken = await failures(eachCall(calls.calls, "EIO"), async (fault) => {
    const fs = new SimFs(disk);
    fs.fault = fault;
    await applyRestore(fs, DIR).catch(({ message }: Error) => refusals.add(message.slice(0, 21)));
    fs.fault = null;
    expect(await found(fs)).toStrictEqual(RESTORED);
  });
  expect(broken).toStrictEqual([]);
  expect([...refusals]).toContain("Restoring the backup ");
  expect([...refusals]).not.toContain("Bringing /data up to ");
});

test("a power cut while a backup is being staged restores nothing and loses nothing", async () => {
  const { disk, backup } = await folder();
  const fs = new SimFs(disk);
  const random = seededRandom(8);
  const disks: Disk[] = [];
  fs.onStep = () => void disks.push(...fs.afterPowerCut(4, random));
  await copyToStage(fs, DIR, backup, Infinity);
  for (const each of disks) {
    const after = new SimFs(each);
    expect(await applyRestore(after, DIR)).toBeNull();
    expect(await contents(after, DIR)).toBe(RESTORED.undo);
  }
});

test("without the staged copy the data stays where it is", async () => {
  const fs = new SimFs(await staged());
  await fs.removeFolder(join(DIR, "restoring"));
  expect(await applyRestore(fs, DIR)).toBeNull();
  expect(await readIntent(fs, DIR)).toBeNull();
  expect(await applyRestore(new SimFs(EMPTY), DIR)).toBeNull();
  expect(await contents(fs, DIR)).toBe(RESTORED.undo);
});

test("an intent that cannot be read stops the start and says what to do", async () => {
  const fs = new SimFs(await staged());
  const file = await fs.open(join(DIR, "restore.json"), "append");
  await file.truncate(5);
  await expect(applyRestore(fs, DIR)).rejects.toThrow(/restore\.json is damaged/);
  const { files, folders } = await staged();
  const copy = new Map([...files].filter(([path]) => path.includes("/restoring/")));
  await expect(applyRestore(new SimFs({ files: copy, folders }), DIR)).rejects.toThrow(/restore\.json is gone/);
});

test("backups are named by when and why they were made", async () => {
  const fs = new SimFs(EMPTY);
  const { store } = await open({ dir: DIR, fs });
  const { path } = await store.backup("automatic");
  await store.close();
  expect(path).toBe(join(DIR, "backups", "2026-11-20T120000-000Z-automatic"));
});

test("a backup is staged where it opens whole, and what was staged before is forgotten first", async () => {
  const dir = await temporaryFolder();
  const { store } = await open({ dir });
  await store.commit([putKey("old")]);
  const whole = (await store.backup()).path;
  await store.close();
  let room = Infinity;
  const stage = (backup: string): Promise<string> =>
    stageRestore({
      dir,
      backup: basename(backup),
      sealer: fileSealer(),
      clock: new FixedClock(),
      freeBytes: async () => {
        expect(await readIntent(nodeStoreFs, dir)).toBeNull();
        return room;
      },
    });
  const broken = async (day: number, name: string, content: string): Promise<string> => {
    const path = join(dir, "backups", `2026-10-${day}T120000-000Z`);
    await cp(whole, path, { recursive: true });
    for (const each of await readdir(path)) if (each.startsWith(name)) await writeFile(join(path, each), content);
    return path;
  };
  const empty = join(dir, "backups", "2026-10-10T120000-000Z");
  await mkdir(empty);
  const newer = JSON.stringify({ format: "postern-data", schemaVersion: 99, writtenBy: "Postern 9.0.0" });
  for (const [backup, free, kind, why] of [
    [whole, 1024 ** 3, NoRoomError, /This backup cannot be restored: it needs .* for what models make/],
    [empty, Infinity, BackupUnusableError, "This backup is empty."],
    [await broken(11, "state.", "{"), Infinity, BackupUnusableError, /This backup is not whole: \w/],
    [await broken(12, "postern.json", newer), Infinity, BackupUnusableError, /made by a newer version/],
  ] as const) {
    room = Infinity;
    expect(await stage(whole)).toBe(UNDO);
    expect(await readIntent(nodeStoreFs, dir)).toMatchObject({ backup: basename(whole), undo: UNDO, phase: "away" });
    await expect(stage("x".repeat(101))).rejects.toThrow(`There is no backup ${"x".repeat(100)}.`);
    room = free;
    const error = await stage(backup).catch((thrown: unknown) => thrown);
    expect([(error as Error).constructor, (error as Error).message]).toEqual([kind, expect.stringMatching(why)]);
    expect(await readIntent(nodeStoreFs, dir)).toBeNull();
    expect(await readdir(dir)).not.toContain("restoring");
  }
});

test("a backup without its key opens with the one of the folder that it is restored in", async () => {
  const dir = await temporaryFolder();
  const { store } = await open({ dir, fs: nodeStoreFs, sealer: fileSealer() });
  await store.commit([putKey("kept")]);
  await store.secrets.add("a provider key");
  const free = async () => Infinity;
  const whole = await store.backup("manual", free);
  const { path, opens_keys: opensKeys } = await store.backup("before-update", free, true);
  await store.close();
  expect([whole.opens_keys, opensKeys, await readdir(path)]).toEqual([
    true,
    false,
    expect.not.arrayContaining(["secret.key"]),
  ]);
  expect(new Set((await listBackups(dir)).map(({ opens_keys: opens }) => opens)).size).toBe(2);
  await stageRestore({ dir, backup: basename(path), sealer: fileSealer(), clock: new FixedClock(), freeBytes: free });
  await applyRestore(nodeStoreFs, dir);
  const restored = await open({ dir, fs: nodeStoreFs, sealer: fileSealer() });
  expect([restored.store.secrets.locked, [...restored.store.document.keys.keys()]]).toEqual([null, ["kept"]]);
  await restored.store.close();
  expect(await readdir(dir)).toContain("secret.key");
});
