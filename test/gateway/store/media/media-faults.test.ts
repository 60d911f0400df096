import { expect, test } from "vitest";
import { MediaRefused } from "../../../../gateway/store/media/media-incoming.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { mediaOrigin, png, wav } from "../../../support/media-samples.ts";
import { CODES, eachCallInTurn, failures, fullForAWhile } from "../every-fault.ts";
import { NOON, seededRandom } from "../fixtures.ts";
import { ROOMY, addMedia, idsOf, openMedia } from "./media-fixtures.ts";
import { SimFs, type Disk, type Fault } from "../sim-fs.ts";
import { dose } from "../../../support/dose.ts";

const DIR = "/data";
const EMPTY: Disk = { files: new Map(), folders: new Set([DIR]) };

const FILES = new Map([
  ["media_1", png(4, 4, 1)],
  ["media_2", wav(20)],
  ["media_3", png(4, 4, 1)],
  ["media_4", png(4, 4, 4)],
]);

/** What was acknowledged: it must be there afterwards. */
interface Reported {
  readonly added: Set<string>;
  readonly pending: Set<string>;
}

const open = (fs: SimFs): Promise<MediaStore> => openMedia({ dir: DIR, fs, disk: ROOMY });

/** Saves some results and notes some addresses; the disk may refuse any of it, in words that we know. */
async function exercise(store: MediaStore, reported: Reported): Promise<void> {
  const attempt = async (work: Promise<unknown>, done: () => void): Promise<void> => {
    try {
      await work;
      done();
    } catch (error) {
      if (!(error instanceof MediaRefused) && !(error instanceof StoreWriteError)) throw error;
    }
  };
  const add = (id: string): Promise<void> =>
    attempt(addMedia(store, id, FILES.get(id) ?? Buffer.alloc(0)), () => reported.added.add(id));
  const note = (id: string): Promise<void> => {
    const pending = {
      id,
      at: NOON,
      url: "https://a.example/1",
      target: "a:443",
      expires_at: NOON,
      origin: mediaOrigin(),
    };
    return attempt(store.addPending(pending), () => reported.pending.add(id));
  };
  await add("media_1");
  await Promise.all([note("media_4"), note("media_5"), add("media_2")]);
  await add("media_3");
  await add("media_4");
}

/** Everything that was acknowledged is listed, nothing twice, and every file that is listed is whole. */
async function expectWhole(store: MediaStore, reported: Reported, exactly: boolean): Promise<void> {
  const ids = await idsOf(store);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining([...reported.added]));
  if (exactly) expect(ids.toSorted()).toEqual([...reported.added].toSorted());
  for (const id of reported.pending) if (!ids.includes(id)) expect(store.pending.map((one) => one.id)).toContain(id);
  for (const id of ids) {
    const found = await store.find(id);
    if (found === null) throw new Error(`no record of ${id}`);
    const file = await store.files.open(found);
    const bytes = Buffer.alloc(found.entry.bytes);
    expect(await file?.read(bytes, 0)).toBe(bytes.length);
    // An expectation about bytes looks at each of them by itself: a tenth of all that this file takes.
    expect(bytes.equals(FILES.get(id) ?? Buffer.alloc(0)), id).toBe(true);
  }
}

/** Runs everything with a fault, and compares memory with what a kill and what a power cut afterwards leave. */
async function survive(fault: Fault | null): Promise<SimFs> {
  const fs = new SimFs(EMPTY);
  fs.fault = fault;
  const reported: Reported = { added: new Set(), pending: new Set() };
  const store = await open(fs).catch(() => {
    // It could not be opened: that is said, and the next try is as if there had been none.
    fs.fault = null;
    return open(fs);
  });
  await exercise(store, reported);
  fs.fault = null;
  await expectWhole(store, reported, true);
  // While the disk also refuses to remove what it refused to finish, a kill may find that; what is listed is whole.
  const early = await open(new SimFs(fs.afterKill()));
  await expectWhole(early, reported, fault?.calls === undefined);
  await early.close();
  // What the disk refused to remove is removed with the next change.
  await store.dropPending("media_0");
  for (const disk of [fs.afterKill(), ...fs.afterPowerCut(4, () => 0)]) {
    const again = await open(new SimFs(disk));
    expect(again.problems).toEqual([]);
    await expectWhole(again, reported, true);
    await again.close();
  }
  await exercise(store, reported);
  expect(reported.added.size).toBe(FILES.size);
  await store.close();
  return fs;
}

test("without a fault everything is in memory and on the disk", async () => {
  const fs = await survive(null);
  expect(fs.calls).toBeGreaterThan(60);
});

const CALLS = 90;

test.each(CODES)(
  "any one call may fail with %s: what was refused is nowhere, what was not is whole",
  async (code) => {
    expect(await failures(eachCallInTurn(CALLS, code), survive)).toEqual([]);
  },
  300_000,
);

test("the disk may be full for a while, from any call on", async () => {
  expect(await failures(fullForAWhile(CALLS), survive)).toEqual([]);
}, 300_000);

test("a power cut or a kill at any step leaves no entry, or an entry whose file is whole", async () => {
  const random = seededRandom(7);
  const fs = new SimFs(EMPTY);
  const reported: Reported = { added: new Set(), pending: new Set() };
  const cuts: { disk: Disk; reported: Reported }[] = [];
  fs.onStep = () => {
    const now = { added: new Set(reported.added), pending: new Set(reported.pending) };
    for (const disk of [fs.afterKill(), ...fs.afterPowerCut(dose(3, 12), random)]) cuts.push({ disk, reported: now });
  };
  const store = await open(fs);
  await exercise(store, reported);
  await store.close();
  expect(cuts.length).toBeGreaterThan(dose(150, 300));
  for (const cut of cuts) {
    const again = await open(new SimFs(cut.disk));
    await expectWhole(again, cut.reported, false);
    await again.close();
  }
}, 300_000);
