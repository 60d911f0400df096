import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeLines } from "../../../../gateway/store/media/media-recovery.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { png, wav } from "../../../support/media-samples.ts";
import { seededRandom } from "../fixtures.ts";
import { SimFs, systemError, type Disk } from "../sim-fs.ts";
import { ROOMY, addMedia, openMedia } from "./media-fixtures.ts";

const bytesOf = (index: number): Buffer => (index % 2 === 0 ? png(4, 4, index) : wav(20 + index));

/** What the library says of each result, newest first. */
async function prompts(store: MediaStore): Promise<(string | undefined)[]> {
  return (await store.list({ limit: 100, before: null })).data.map(({ entry }) => entry.origin?.prompt);
}

describe("two logs that have lost lines of one history", () => {
  const history = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 40 });
  const some = fc.array(fc.boolean(), { minLength: 40, maxLength: 40 });
  const linesOf = (keys: readonly number[]) => keys.map((key) => ({ key: String(key) }));
  const keysOf = (lines: readonly { key: string }[]): number[] => lines.map(({ key }) => Number(key));

  it("are the whole history again when one of them is whole", () => {
    fc.assert(
      fc.property(history, some, (all, kept) => {
        const rest = linesOf(all.filter((_, index) => kept[index]));
        expect(keysOf(mergeLines(rest, linesOf(all)))).toEqual(all);
        expect(keysOf(mergeLines(linesOf(all), rest))).toEqual(all);
      }),
    );
  });

  it("have everything that either has, once, in the order of each", () => {
    fc.assert(
      fc.property(history, some, some, (all, inOne, inOther) => {
        const [one, other] = [all.filter((_, index) => inOne[index]), all.filter((_, index) => inOther[index])];
        const merged = keysOf(mergeLines(linesOf(one), linesOf(other)));
        expect(merged.toSorted((a, b) => a - b)).toEqual([...new Set([...one, ...other])].toSorted((a, b) => a - b));
        for (const kept of [one, other]) expect(merged.filter((key) => kept.includes(key))).toEqual(kept);
      }),
    );
  });
});

describe("making the log again", () => {
  const DIR = "/data";
  const openSim = (fs: SimFs): Promise<MediaStore> => openMedia({ dir: DIR, fs, disk: ROOMY });

  async function damagedDisk(): Promise<Disk> {
    const fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
    const store = await openSim(fs);
    for (let index = 0; index < 4; index += 1)
      await addMedia(store, `media_${index}`, bytesOf(index), { prompt: `Prompt of ${index}` });
    await store.close();
    const disk = fs.afterKill();
    const bytes = Buffer.from(disk.files.get(`${DIR}/media/index.ndjson`) ?? "");
    return { ...disk, files: new Map(disk.files).set(`${DIR}/media/index.ndjson`, bytes.fill(0, 100, 700)) };
  }

  it("loses nothing to a kill or a power cut at any step", async () => {
    const cutting = seededRandom(31);
    const fs = new SimFs(await damagedDisk());
    const disks: Disk[] = [];
    fs.onStep = () => void disks.push(fs.afterKill(), ...fs.afterPowerCut(8, cutting));
    await (await openSim(fs)).close();
    expect(disks.length).toBeGreaterThan(60);
    for (const disk of disks) {
      const store = await openSim(new SimFs(disk));
      expect(await prompts(store)).toEqual([3, 2, 1, 0].map((index) => `Prompt of ${index}`));
      await store.close();
    }
  }, 60_000);

  it("shows everything for reading while the disk refuses it, and says so", async () => {
    const disk = await damagedDisk();
    const fs = new SimFs(disk);
    const openFile = fs.open.bind(fs);
    fs.open = (path, how) => (how === "create" ? Promise.reject(systemError("ENOSPC")) : openFile(path, how));
    const store = await openSim(fs);
    expect(await prompts(store)).toEqual([3, 2, 1, 0].map((index) => `Prompt of ${index}`));
    expect(store.problems).toEqual([
      expect.stringMatching(/is damaged: 1 line of it was changed\. It could not be made again/),
    ]);
    await expect(store.save([png(9, 9)])).rejects.toMatchObject({ kind: "disk" });
    await store.close();
    const path = `${DIR}/media/index.ndjson`;
    expect(fs.afterKill().files.get(path)).toEqual(disk.files.get(path));
  });

  it.each([true, false])(
    "sets aside a log that the disk cannot read where the second copy has everything (%s), and leaves it otherwise",
    async (hasCopy) => {
      const whole = new SimFs(await damagedDisk());
      await (await openSim(whole)).close();
      const files = new Map(whole.afterKill().files);
      if (!hasCopy) files.delete(`${DIR}/media/index.copy.ndjson`);
      const fs = new SimFs({ ...whole.afterKill(), files });
      let isBroken = true;
      const [openFile, rename] = [fs.open.bind(fs), fs.rename.bind(fs)];
      fs.open = async (path, how) => {
        const file = await openFile(path, how);
        if (isBroken && path.endsWith("/index.ndjson")) file.read = () => Promise.reject(systemError("EIO"));
        return file;
      };
      fs.rename = async (from, to) => {
        if (from.endsWith("/index.ndjson")) isBroken = false;
        return rename(from, to);
      };
      if (!hasCopy) return expect(openSim(fs)).rejects.toThrow("EIO");
      const store = await openSim(fs);
      expect(await prompts(store)).toEqual([3, 2, 1, 0].map((index) => `Prompt of ${index}`));
      expect(store.problems).toEqual([expect.stringContaining("the disk cannot read it (EIO)")]);
      return store.close();
    },
  );
});
