import { expect, it } from "vitest";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { png, wav } from "../../../support/media-samples.ts";
import { dose } from "../../../support/dose.ts";
import { CODES, eachCallInTurn, failures, fullForAWhile } from "../every-fault.ts";
import { NOON, seededRandom } from "../fixtures.ts";
import { SimFs, systemError, type Disk, type Fault } from "../sim-fs.ts";
import { EarlierFolder, textOf } from "./earlier-library.ts";
import { ROOMY, addMedia, openMedia } from "./media-fixtures.ts";

const DIR = "/data";
const LOG = `${DIR}/media/index.ndjson`;
const COPY = `${DIR}/media/index.copy.ndjson`;

/** Two results have one file, and one has a still. */
const FILES = new Map([
  ["media_0", png(4, 4, 0)],
  ["media_1", wav(21)],
  ["media_2", png(4, 4, 0)],
  ["media_3", wav(23)],
  ["media_4", png(4, 4, 4)],
]);
const LISTED = ["media_4", "media_2", "media_1", "media_0"];

const openSim = (fs: SimFs): Promise<MediaStore> => openMedia({ dir: DIR, fs, disk: ROOMY });

/** As a kill left it: its last line is torn, and its copy does not have the last one. media_3 is deleted. */
function earlierDisk(isDamaged = false): Disk {
  const folder = new EarlierFolder();
  for (const [index, [id, bytes]] of [...FILES].entries())
    folder.add(id, bytes, { prompt: `Prompt of ${id}` }, NOON + index);
  folder.setPoster("media_1", png(2, 2));
  folder.lines.push({ op: "deleted", ids: ["media_3"], until: NOON });
  const disk = folder.disk(DIR);
  const files = new Map(disk.files).set(COPY, Buffer.from(textOf(folder.lines.slice(0, -1))));
  const log = Buffer.concat([files.get(LOG) ?? Buffer.alloc(0), Buffer.from("1234 {")]);
  return { ...disk, files: files.set(LOG, isDamaged ? log.fill(0, 100, 700) : log) };
}

/** Every result that is not deleted has its file, its still and what it came from; what was deleted can come back. */
async function expectAll(store: MediaStore): Promise<void> {
  const data = [...(await store.list({ limit: 100, before: null })).data];
  const more = data.at(-1)?.entry.id === "media_more" ? data.pop() : undefined;
  expect(more?.missing).not.toBe(true);
  expect(data.map(({ entry }) => entry.id)).toEqual(LISTED);
  for (const found of data) {
    expect(found.entry.origin?.prompt).toBe(`Prompt of ${found.entry.id}`);
    const file = await store.files.open(found);
    const bytes = Buffer.alloc(found.entry.bytes);
    expect(await file?.read(bytes, 0)).toBe(bytes.length);
    expect(bytes.equals(FILES.get(found.entry.id) ?? Buffer.alloc(0)), found.entry.id).toBe(true);
  }
  expect(await store.files.findPoster("media_1")).not.toBeNull();
  expect(store.nextRemovalAt).toBe(NOON);
}

it.each([
  ["whole", false],
  ["damaged", true],
])(
  "loses nothing of a library with a %s log to a kill or a power cut at any step",
  async (_, isDamaged) => {
    const cutting = seededRandom(31);
    const fs = new SimFs(earlierDisk(isDamaged));
    const disks: Disk[] = [];
    fs.onStep = () => void disks.push(fs.afterKill(), ...fs.afterPowerCut(dose(4, 12), cutting));
    await (await openSim(fs)).close();
    expect(disks.length).toBeGreaterThan(150);
    for (const disk of disks) {
      const next = new SimFs(disk);
      const store = await openSim(next);
      await expectAll(store);
      await store.close();
    }
  },
  120_000,
);

it("loses nothing to a second kill in what the first one left", async () => {
  const random = seededRandom(37);
  const fs = new SimFs(earlierDisk());
  const disks: Disk[] = [];
  fs.onStep = () => void disks.push(...fs.afterPowerCut(2, random));
  await (await openSim(fs)).close();
  for (const disk of disks.filter((_, index) => index % dose(9, 3) === 0)) {
    const again = new SimFs(disk);
    const cuts: Disk[] = [];
    again.onStep = () => void cuts.push(...again.afterPowerCut(2, random));
    await (await openSim(again)).close();
    for (const cut of cuts) {
      const store = await openSim(new SimFs(cut));
      await expectAll(store);
      await store.close();
    }
  }
}, 120_000);

/** Opens with a fault, and then without. */
async function survive(fault: Fault | null): Promise<SimFs> {
  const fs = new SimFs(earlierDisk());
  fs.fault = fault;
  const store = await openSim(fs).catch(() => null);
  fs.fault = null;
  // What could not be brought over is not written over or deleted.
  if (store !== null && store.problems.length > 0) {
    expect(store.problems).toEqual([expect.stringContaining("and start Postern again")]);
    await addMedia(store, "media_more", png(8, 8), {}, NOON - 5);
    await expect(store.takeOut(["media_more"], NOON)).rejects.toThrow("start Postern again");
    await expect(store.removeDue(NOON).catch(() => 0)).resolves.toBe(0);
  } else if (store !== null) await expectAll(store);
  await store?.close();
  for (const disk of [fs.afterKill(), ...fs.afterPowerCut(4, () => 0)]) {
    const again = await openSim(new SimFs(disk));
    await expectAll(again);
    await addMedia(again, "media_new", png(9, 9));
    await again.close();
  }
  return fs;
}

it("without a fault takes some hundred calls", async () => {
  expect((await survive(null)).calls).toBeGreaterThan(100);
});

it.each(CODES)(
  "loses nothing where any one call fails with %s",
  async (code) => {
    expect(await failures(eachCallInTurn(dose(160, 200), code), survive)).toEqual([]);
  },
  300_000,
);

it("loses nothing while the disk is full for a while, from any call on", async () => {
  expect(await failures(fullForAWhile(160), survive)).toEqual([]);
}, 300_000);

it("takes the second copy for a log that the disk cannot read, where that has everything", async () => {
  for (const hasCopy of [true, false]) {
    const disk = earlierDisk();
    const files = new Map(disk.files);
    if (hasCopy) files.set(COPY, Buffer.from(files.get(LOG) ?? ""));
    else files.delete(COPY);
    const fs = new SimFs({ ...disk, files });
    const openFile = fs.open.bind(fs);
    fs.open = async (path, how) => {
      const file = await openFile(path, how);
      if (path === LOG) file.read = () => Promise.reject(systemError("EIO"));
      return file;
    };
    if (!hasCopy) {
      await expect(openSim(fs)).rejects.toThrow("EIO");
      continue;
    }
    const store = await openSim(fs);
    await expectAll(store);
    expect(store.problems).toEqual([expect.stringContaining("cannot be read by the disk (EIO)")]);
    await store.close();
  }
});
