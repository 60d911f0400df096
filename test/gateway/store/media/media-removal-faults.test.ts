import { expect, test } from "vitest";
import { MediaRefused } from "../../../../gateway/store/media/media-incoming.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { iso, png, wav } from "../../../support/media-samples.ts";
import { eachCallInTurn, failures, fullForAWhile } from "../every-fault.ts";
import { seededRandom } from "../fixtures.ts";
import { ROOMY, addMedia, idsOf, openMedia } from "./media-fixtures.ts";
import { SimFs, type Disk, type Fault } from "../sim-fs.ts";
import { dose } from "../../../support/dose.ts";

const DIR = "/data";
const CODES = ["ENOSPC", "EIO", "EACCES", "EROFS"] as const;
const LATER = 1_000;
/** media_1 and media_3 have the same bytes. */
const FILES = new Map([
  ["media_1", png(4, 4, 1)],
  ["media_2", iso("isom")],
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
  /** a step that started and neither acknowledged nor refused: either is right. */
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
      () => store.takeOut(ids, until),
      () => ids.forEach((id) => truth.listed.delete(id)),
    );
  const back = new Set(["media_2", "media_5"].filter((id) => truth.listed.has(id)));
  await takeOut(["media_1", "media_2", "media_5"], LATER);
  const gone = [...back].filter((id) => !truth.listed.has(id));
  await attempt(
    gone,
    () => store.bringBack(["media_2", "media_5"], LATER - 1),
    () => gone.forEach((id) => truth.listed.add(id)),
  );
  await attempt(
    [],
    () => store.removeDue(LATER),
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
    () => store.removeDue(LATER),
    () => undefined,
  );
}

async function expectTrue(store: MediaStore, truth: Truth): Promise<void> {
  const ids = new Set(await idsOf(store));
  for (const id of FILES.keys()) if (!truth.open.has(id)) expect([id, ids.has(id)]).toEqual([id, truth.listed.has(id)]);
  for (const id of ids) {
    const found = await store.find(id);
    if (found === null) throw new Error(`no record of ${id}`);
    const file = await store.files.open(found);
    const bytes = Buffer.alloc(found.entry.bytes);
    expect([id, await file?.read(bytes, 0)]).toEqual([id, bytes.length]);
    expect(bytes).toEqual(FILES.get(id));
  }
}

/** Ids of files on the disk that are no results of the library, deleted or not. */
const strays = (disk: Disk, truth: Truth): string[] =>
  [...disk.files.keys()]
    .flatMap((path) => /\/[0-9a-f]{2}\/(media_\d)\./.exec(path)?.[1] ?? [])
    .filter((id) => !truth.listed.has(id));

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
  // What the disk refused to put back is put back with the next change.
  await store.dropPending("media_0");
  // What the disk refused to remove goes with the next try, or the next one after a restart.
  await store.removeDue(LATER);
  expect(strays(fs.afterKill(), truth)).toEqual([]);
  for (const left of [fs.afterKill(), ...fs.afterPowerCut(4, () => 0)]) {
    const again = await open(new SimFs(left));
    expect(again.problems).toEqual([]);
    await expectTrue(again, truth);
    await again.close();
  }
  await store.close();
  return fs;
}

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
  expect(cuts.length).toBeGreaterThan(70);
  for (const cut of cuts) {
    const after = new Truth();
    after.listed.clear();
    for (const id of cut.listed) after.listed.add(id);
    for (const id of cut.open) after.open.add(id);
    const again = await open(new SimFs(cut.disk));
    await expectTrue(again, after);
    await again.removeDue(LATER);
    await expectTrue(again, after);
    await again.close();
  }
}, 300_000);
