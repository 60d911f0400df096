import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { State } from "../../../gateway/contract/control.ts";
import type { Notice } from "../../../gateway/contract/notice.ts";
import type { BackupsView } from "../../../gateway/contract/maintenance.ts";
import { requireRoom } from "../../../gateway/store/backups/backup-room.ts";
import { nodeStoreFs } from "../../../gateway/store/disk/store-fs.ts";
import { NoRoomError } from "../../../gateway/store/store.ts";
import { FullDisk } from "../../support/full-disk.ts";
import { errorOf, startGateway, until, type TestGateway } from "../../support/running-gateway.ts";
import { SmallDisk } from "../../support/small-disk.ts";
import { TestClock } from "../../support/test-clock.ts";
import { systemError } from "../store/sim-fs.ts";

const MIB = 1024 ** 2;
const HOUR_MS = 60 * 60_000;
const ROOM = 2 ** 40;

let clock: TestClock;
let free: number;
let requestCount: number;
let postern: TestGateway;
beforeEach(async () => {
  clock = new TestClock();
  free = ROOM;
  requestCount = 0;
  postern = await startGateway({
    clock,
    disk: {
      freeBytes: async () => {
        requestCount += 1;
        return free;
      },
    },
  });
});
afterEach(() => postern.close());

const backups = (): string => join(postern.dataDir, "backups");
const view = (): Promise<BackupsView> => postern.ask("GET", "/backups");
const notices = async (): Promise<readonly Notice[]> => (await postern.ask<State>("GET", "/state")).notices;
const inFolder = (): Promise<string[]> => readdir(backups()).catch(() => []);

function pass(ms: number): void {
  clock.advance(ms);
  postern.gateway.onResume();
}

describe("a backup stops nothing that works", () => {
  it.each([
    ["all works, and goes on to", 2_000, 500, null],
    ["what models make could not be saved any more", 1_030, 10, /1024 MiB must stay free for what models make/],
    ["what models make cannot be saved already", 1_000, 500, null],
    ["recordings would stop", 300, 100, /256 MiB must stay free for recordings/],
    ["recordings have stopped already", 200, 100, null],
    ["receipts would stop", 110, 100, /16 MiB must stay free for receipts/],
    ["receipts have stopped already", 5, 1, /16 MiB must stay free for receipts/],
    ["nobody knows the room", Infinity, 100_000, null],
  ])("%s: %s MiB free, %s MiB needed", (_, freeMib, neededMib, words) => {
    const ask = (): void => requireRoom("No", neededMib * MIB, freeMib * MIB);
    if (words === null) return expect(ask).not.toThrow();
    expect(ask).toThrow(NoRoomError);
    expect(ask).toThrow(words);
  });

  it("is reported before anything is written, in words and with a code", async () => {
    free = 10 * MIB;
    const refused = await postern.control("POST", "/backup");
    expect(refused.status).toBe(503);
    expect(await errorOf(refused)).toMatchObject({
      code: "storage_unavailable",
      message: expect.stringMatching(
        /^The backup was not made: it needs 1 MiB, 10 MiB are free .* 16 MiB must stay free .* Make room on that disk/,
      ),
    });
    expect(existsSync(backups())).toBe(false);
  });
});

describe("what cannot be done is said with a code, and nothing is left of it", () => {
  it("a disk that fills up in the middle of a backup", async () => {
    const disk = new FullDisk().install();
    onTestFinished(() => disk.remove());
    disk.fillBelow(backups());
    for (let time = 0; time < 3; time += 1) {
      const refused = await postern.control("POST", "/backup");
      expect(refused.status).toBe(503);
      expect(await errorOf(refused)).toMatchObject({
        code: "storage_unavailable",
        message:
          "The backup was not made: the disk of the data folder is full. Make room on it, or delete backups, and try again.",
      });
    }
    expect(await inFolder()).toStrictEqual([]);
    expect((await postern.control("POST", "/keys", { name: "goes on" })).status).toBe(200);
    disk.free();
    expect((await postern.control("POST", "/backup")).status).toBe(200);
  });

  it("a disk without room for the copy that a restore begins with", async () => {
    await postern.ask("POST", "/backup");
    const [backup] = (await view()).data;
    free = 1 * MIB;
    const refused = await postern.control("POST", "/backups/restore", { name: backup?.name });
    expect([refused.status, (await errorOf(refused)).message]).toStrictEqual([
      503,
      expect.stringMatching(/^This backup cannot be restored: it needs 1 MiB, 1 MiB are free/),
    ]);
    free = ROOM;
    const disk = new FullDisk().install();
    onTestFinished(() => disk.remove());
    disk.fillBelow(join(postern.dataDir, "restoring"));
    const full = await postern.control("POST", "/backups/restore", { name: backup?.name });
    expect([full.status, (await errorOf(full)).code]).toStrictEqual([503, "storage_unavailable"]);
    disk.free();
    expect((await readdir(postern.dataDir)).filter((name) => name.startsWith("restor"))).toStrictEqual([]);
    expect((await view()).pending).toBeNull();
  });

  it("a disk that refuses to delete a backup, or to forget a restore", async () => {
    await postern.ask("POST", "/backup");
    const [backup] = (await view()).data;
    await postern.ask("POST", "/backups/restore", { name: backup?.name });
    vi.spyOn(nodeStoreFs, "remove").mockRejectedValue(systemError("EIO"));
    const cancelled = await postern.control("POST", "/backups/cancel");
    expect([cancelled.status, (await errorOf(cancelled)).message]).toStrictEqual([
      503,
      "The backup is still to be restored: the disk refused the data folder (EIO). Look at the disk, and try again.",
    ]);
    vi.restoreAllMocks();
    await postern.ask("POST", "/backups/cancel");
    vi.spyOn(nodeStoreFs, "rename").mockRejectedValue(systemError("EACCES"));
    const stored = await postern.control("POST", "/backups/remove", { name: backup?.name });
    expect([stored.status, (await errorOf(stored)).message]).toStrictEqual([
      503,
      expect.stringContaining("The backup was not deleted: the data folder may not be read or written (EACCES)."),
    ]);
  });

  it("a folder of backups that cannot be read", async () => {
    await postern.ask("POST", "/backup");
    await rename(backups(), `${backups()}.aside`);
    await writeFile(backups(), "a file");
    for (const [method, path] of [
      ["GET", "/backups"],
      ["POST", "/backup"],
    ] as const) {
      const refused = await postern.control(method, path);
      expect([refused.status, (await errorOf(refused)).code]).toStrictEqual([503, "storage_unavailable"]);
    }
    await rm(backups());
  });

  it("an intent to restore that is damaged", async () => {
    await writeFile(join(postern.dataDir, "restore.json"), "{");
    const refused = await postern.control("GET", "/backups");
    expect([refused.status, (await errorOf(refused)).message]).toStrictEqual([
      503,
      expect.stringContaining("restore.json is damaged"),
    ]);
    await rm(join(postern.dataDir, "restore.json"));
  });
});

describe("what a kill left", () => {
  it("of a backup that was being made or deleted goes with the next start; backups and a restore that waits stay", async () => {
    await postern.ask("POST", "/backup");
    await postern.ask("POST", "/backup");
    const [newest, oldest] = (await view()).data.map(({ name }) => name);
    await postern.ask("POST", "/backups/restore", { name: newest });
    await postern.stop();
    for (const name of ["2026-11-20T100000-000Z.unfinished", "2026-11-20T110000-000Z-automatic.removing"]) {
      await mkdir(join(backups(), name, "usage"), { recursive: true });
      await writeFile(join(backups(), name, "usage", "usage-2026-11.ndjson"), "half");
    }
    await writeFile(join(postern.dataDir, "media", "index.ndjson.tmp-0123abcd"), "half");
    const { dataDir } = postern;
    postern = await startGateway({ clock, dataDir });
    const [undo, ...rest] = (await view()).data.map(({ name }) => name);
    expect(undo).toMatch(/-before-restore$/);
    expect(rest).toStrictEqual([newest, oldest]);
    expect(new Set(await inFolder())).toStrictEqual(new Set([undo, newest, oldest]));
    expect(await readdir(join(dataDir, "media"))).not.toContain("index.ndjson.tmp-0123abcd");
  });

  it("goes with the next backup too, whatever kept the disk from removing it at once", async () => {
    await mkdir(join(backups(), "2026-11-20T100000-000Z.unfinished"), { recursive: true });
    await postern.ask("POST", "/backup");
    expect(await inFolder()).toStrictEqual([(await view()).data[0]?.name]);
  });
});

describe("the backup of the day", () => {
  it("without room is reported once a day, and is tried again no sooner than after six hours", async () => {
    free = 1 * MIB;
    const before = requestCount;
    pass(10 * 60_000);
    await until(async () => (await notices()).length === 1);
    expect((await notices())[0]?.message).toMatch(
      /^There is no backup of this day\. The backup was not made: it needs/,
    );
    for (let hour = 0; hour < 23; hour += 1) {
      pass(HOUR_MS);
      await postern.ask("GET", "/backups");
    }
    expect(await notices()).toHaveLength(1);
    expect(requestCount - before).toBeLessThanOrEqual(4);
    pass(7 * HOUR_MS);
    await until(async () => (await notices()).length === 2);
    expect(await inFolder()).toStrictEqual([]);
  });

  it("makes room by what it would take the place of, and never of the only one", async () => {
    await postern.ask("PATCH", "/settings", { backup_keep: 2 });
    const made: string[] = [];
    for (let day = 0; day < 2; day += 1) {
      pass(25 * HOUR_MS);
      await until(async () => (await view()).data.length === day + 1);
      made.push((await view()).data[0]?.name ?? "");
    }
    // Room comes by deleting.
    free = 1 * MIB;
    const remove = nodeStoreFs.removeFolder;
    vi.spyOn(nodeStoreFs, "removeFolder").mockImplementation(async (path) => {
      await remove(path);
      if (path.endsWith(".removing")) free = ROOM;
    });
    pass(25 * HOUR_MS);
    await until(async () => (await view()).data.some(({ name }) => !made.includes(name)));
    const names = (await view()).data.map(({ name }) => name);
    expect(names).toHaveLength(2);
    expect(names[1]).toBe(made[1]);
    await postern.ask("PATCH", "/settings", { backup_keep: 1 });
    free = 1 * MIB;
    vi.restoreAllMocks();
    pass(25 * HOUR_MS);
    await until(async () => (await notices()).length === 1);
    expect((await view()).data.map(({ name }) => name)).toStrictEqual([names[0]]);
  });
});

it("a real disk that is full stops no call because of a backup, and the backup says so", async ({ skip }) => {
  const mounted = await SmallDisk.mount(40);
  if (mounted === null) return skip("mounting a small disk needs root");
  await using disk = mounted;
  const small = await startGateway({ dataDir: disk.path });
  try {
    await disk.fill(15);
    await small.ask("POST", "/backup");
    await disk.fill(9, "more");
    for (let time = 0; time < 3; time += 1) {
      const refused = await small.control("POST", "/backup");
      expect([refused.status, (await errorOf(refused)).code]).toStrictEqual([503, "storage_unavailable"]);
    }
    expect(await readdir(join(disk.path, "backups"))).toHaveLength(1);
    expect((await small.control("POST", "/keys", { name: "goes on" })).status).toBe(200);
    expect((await small.ask<State>("GET", "/state")).status).toBe("running");
  } finally {
    await small.stop();
  }
});
