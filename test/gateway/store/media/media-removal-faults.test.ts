import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { MediaRefused } from "../../../../gateway/store/media/media-incoming.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { png, wav } from "../../../support/media-samples.ts";
import { eachCallInTurn, failures, fullForAWhile } from "../every-fault.ts";
import { seededRandom } from "../fixtures.ts";
import { ROOMY, addMedia, idsOf, openMedia } from "./media-fixtures.ts";
import { SimFs, type Disk, type Fault } from "../sim-fs.ts";
import { dose } from "../../../support/dose.ts";

const DIR = "/data";
const CODES = ["ENOSPC", "EIO", "EACCES", "EROFS"] as const;
const LATER = 1_000;
/** media_1 and media_3 are the same file. */
const FILES = new Map([
  ["media_1", png(4, 4, 1)],
  ["media_2", wav(20)],
  ["media_3", png(4, 4, 1)],
  ["media_4", png(4, 4, 4)],
  ["media_5", wav(30)],
]);

const open = (fs: SimFs): Promise<MediaStore> => openMedia({ dir: DIR, fs, disk: ROOMY });

/** A disk with all five. */
async function fullDisk(): Promise<Disk> {
  const fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
  const store = await open(fs);
  for (const [id, bytes] of FILES) await addMedia(store, id, bytes);
  await store.close();
  return fs.afterKill();
}

/** What the library must hold by what it has acknowledged. */
class Truth {
  readonly listed = new Set(FILES.keys());
  /** A step that was begun and neither acknowledged nor refused: either is right. */
  readonly open = new Set<string>();
}

/** Deletes, brings back, removes, deletes and removes at once; the disk may refuse any of it, in words that we know. */
async function exercise(store: MediaStore, truth: Truth): Promise<void> {
  const attempt = async (ids: readonly string[], work: () => Promise<unknown>, done: () => void): Promise<void> => {
    for (const id of ids) truth.open.add(id);
    try {
      await work();
      done();
    } catch (error) {
      const known = error instanceof StoreWriteError || error instanceof MediaRefused;
      if (!known && !(error instanceof Error && "code" in error)) throw error;
    }
    for (const id of ids) truth.open.delete(id);
  };
  const takeOut = (ids: readonly string[], until: number): Promise<void> =>
    attempt(
      ids,
      () => store.removal.takeOut(ids, until),
      () => ids.forEach((id) => truth.listed.delete(id)),
    );
  const back = new Set(["media_2", "media_5"].filter((id) => truth.listed.has(id)));
  await takeOut(["media_1", "media_2", "media_5"], LATER);
  const gone = [...back].filter((id) => !truth.listed.has(id));
  await attempt(
    gone,
    () => store.removal.bringBack(["media_2", "media_5"], LATER - 1),
    () => gone.forEach((id) => truth.listed.add(id)),
  );
  await attempt(
    [],
    () => store.removal.removeDue(LATER),
    () => undefined,
  );
  await takeOut(["media_4"], LATER);
  await attempt(
    [],
    () => store.setPoster("media_2", png(2, 2)),
    () => undefined,
  );
  await attempt(
    [],
    () => store.removal.removeDue(LATER),
    () => undefined,
  );
}

async function expectTrue(store: MediaStore, truth: Truth): Promise<void> {
  const ids = new Set(await idsOf(store));
  for (const id of FILES.keys()) if (!truth.open.has(id)) expect([id, ids.has(id)]).toEqual([id, truth.listed.has(id)]);
  for (const id of ids) {
    const row = store.find(id);
    if (row === undefined) throw new Error(`no row for ${id}`);
    const file = await store.open(row);
    const bytes = Buffer.alloc(row.bytes);
    expect([id, await file?.read(bytes, 0)]).toEqual([id, row.bytes]);
    expect(bytes).toEqual(FILES.get(id));
  }
}

/** Hashed files on the disk that no entry names. */
function strays(disk: Disk, store: MediaStore): string[] {
  const named = new Set<string>();
  for (const row of store.oldestFirst()) {
    named.add(row.sha256);
    if (row.poster !== null) named.add(row.poster.sha256);
  }
  const hashes = [...disk.files.keys()].flatMap((path) => /([0-9a-f]{64})\.\w+$/.exec(path)?.[1] ?? []);
  return hashes.filter((hash) => !named.has(hash));
}

async function survive(disk: Disk, fault: Fault | null): Promise<SimFs> {
  const fs = new SimFs(disk);
  const store = await open(fs);
  const truth = new Truth();
  const before = fs.calls;
  fs.fault = fault === null ? null : { ...fault, call: fault.call + before };
  await exercise(store, truth);
  fs.fault = null;
  await expectTrue(store, truth);
  if (fault?.calls === undefined) {
    const early = await open(new SimFs(fs.afterKill()));
    await expectTrue(early, truth);
    await early.close();
  }
  // A refused line that could not be cut off either is cut off with the next one that is written.
  await store.record({ op: "drop", id: "media_0" });
  // What the disk refused to remove goes with the next try, or the next one after a restart.
  await store.removal.removeDue(LATER);
  expect(strays(fs.afterKill(), store).filter((hash) => fault === null || hash !== POSTER)).toEqual([]);
  for (const left of [fs.afterKill(), ...fs.afterPowerCut(4, () => 0)]) {
    const again = await open(new SimFs(left));
    expect(again.problems).toEqual([]);
    await expectTrue(again, truth);
    await again.close();
  }
  await store.close();
  return fs;
}

/** A poster that was saved and whose line was refused stays on the disk, and is taken up by the next one like it. */
const POSTER = createHash("sha256").update(png(2, 2)).digest("hex");

test("without a fault, what was deleted is gone with its files and all else is there", async () => {
  const disk = await fullDisk();
  const run = await survive(disk, null);
  expect(run.calls).toBeGreaterThan(40);
});

const CALLS = 60;

test.each(CODES)(
  "any one call may fail with %s",
  async (code) => {
    const disk = await fullDisk();
    expect(await failures(eachCallInTurn(CALLS, code), (fault) => survive(disk, fault))).toEqual([]);
  },
  300_000,
);

test("the disk may be full for a while, from any call on", async () => {
  const disk = await fullDisk();
  expect(await failures(fullForAWhile(CALLS), (fault) => survive(disk, fault))).toEqual([]);
}, 300_000);

test("a kill or a power cut at any step leaves entries that are whole, and what it left half done is done later", async () => {
  const random = seededRandom(5);
  const fs = new SimFs(await fullDisk());
  const store = await open(fs);
  const truth = new Truth();
  const cuts: { disk: Disk; listed: string[]; open: string[] }[] = [];
  fs.onStep = () => {
    const now = { listed: [...truth.listed], open: [...truth.open] };
    for (const disk of [fs.afterKill(), ...fs.afterPowerCut(dose(3, 12), random)]) cuts.push({ disk, ...now });
  };
  await exercise(store, truth);
  await store.close();
  expect(cuts.length).toBeGreaterThan(80);
  for (const cut of cuts) {
    const after = new Truth();
    after.listed.clear();
    for (const id of cut.listed) after.listed.add(id);
    for (const id of cut.open) after.open.add(id);
    const again = await open(new SimFs(cut.disk));
    await expectTrue(again, after);
    await again.removal.removeDue(LATER);
    await expectTrue(again, after);
    await again.close();
  }
}, 300_000);

test("a log is written anew, or stays as it was, whatever the disk refuses", async () => {
  const fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
  const store = await open(fs);
  const entry = await addMedia(store, "media_0", wav(2), { prompt: "x".repeat(3_900) });
  const others = Array.from({ length: 299 }, (_, index) => `media_${index + 1}`);
  await Promise.all(others.map((id) => store.record({ op: "add", extension: "wav", entry: { ...entry, id } })));
  await store.removal.takeOut(
    Array.from({ length: 297 }, (_, index) => `media_${index}`),
    LATER,
  );
  await store.removal.removeDue(LATER);
  await store.close();
  const disk = fs.afterKill();
  const log = `${DIR}/media/index.ndjson`;
  const size = disk.files.get(log)?.length ?? 0;
  const ids = ["media_299", "media_298", "media_297"];
  const healthy = new SimFs(disk);
  await (await open(healthy)).close();
  expect(healthy.afterKill().files.get(log)?.length).toBeLessThan(size / 10);
  for (const code of ["ENOSPC", "EIO"]) {
    for (let call = 0; call < healthy.calls; call += dose(3, 1)) {
      const failing = new SimFs(disk);
      failing.fault = { call, code };
      const opened = await open(failing).catch(() => null);
      failing.fault = null;
      if (opened !== null) {
        expect(await idsOf(opened)).toEqual(ids);
        await addMedia(opened, "media_new", png(9, 9));
        await opened.close();
      }
      const next = await open(new SimFs(failing.afterKill()));
      expect(await idsOf(next)).toEqual(opened === null ? ids : ["media_new", ...ids]);
      await next.close();
    }
  }
}, 300_000);
