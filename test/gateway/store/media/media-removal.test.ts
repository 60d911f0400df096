import { readFile, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeStoreFs, type StoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { png, wav } from "../../../support/media-samples.ts";
import { temporaryFolder, until } from "../../../support/running-gateway.ts";
import { addMedia, idsOf, openMedia } from "./media-fixtures.ts";

let dir: string;
let store: MediaStore;
beforeEach(async () => {
  dir = await temporaryFolder();
  store = await openMedia({ dir });
});
afterEach(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

async function reopen(): Promise<void> {
  await store.close();
  store = await openMedia({ dir });
}

/** Names of the files of the library, without their folders. */
async function filesOf(): Promise<string[]> {
  const names = await readdir(join(dir, "media"), { recursive: true, withFileTypes: true });
  return names.filter((name) => name.isFile() && /^[0-9a-f]{64}\./.test(name.name)).map((name) => name.name);
}

const LATER = 1_000;

describe("deleting", () => {
  it("takes entries out of list and reach at once, and leaves their files", async () => {
    await addMedia(store, "media_1", png(4, 4, 1));
    await addMedia(store, "media_2", png(4, 4, 2));
    expect(await store.removal.takeOut(["media_1", "media_1", "media_none"], LATER)).toEqual(["media_1"]);
    expect(await idsOf(store)).toEqual(["media_2"]);
    expect(store.find("media_1")).toBeUndefined();
    expect(store.knows("media_1")).toBe(true);
    expect(store.size).toBe(1);
    expect(await filesOf()).toHaveLength(2);
    expect(await store.removal.takeOut(["media_1"], LATER)).toEqual([]);
  });

  it("is undone until its time is over, over a restart, at its old place in the list", async () => {
    for (const id of ["media_1", "media_2", "media_3"]) await addMedia(store, id, png(4, 4, Number(id.at(-1))));
    await store.removal.takeOut(["media_1", "media_2"], LATER);
    await reopen();
    expect(await idsOf(store)).toEqual(["media_3"]);
    expect(store.nextRemovalAt).toBe(LATER);
    expect(await store.removal.bringBack(["media_2", "media_3", "media_none"], LATER - 1)).toEqual(["media_2"]);
    expect(await store.removal.bringBack(["media_1"], LATER)).toEqual([]);
    await reopen();
    expect(await idsOf(store)).toEqual(["media_3", "media_2"]);
  });

  it("removes files when the time is over, and forgets the entries for good", async () => {
    const { sha256 } = await addMedia(store, "media_1", png(4, 4, 1));
    await addMedia(store, "media_2", png(4, 4, 2));
    await store.removal.takeOut(["media_1"], LATER);
    expect(await store.removal.removeDue(LATER - 1)).toBe(0);
    expect(await filesOf()).toHaveLength(2);
    expect(await store.removal.removeDue(LATER)).toBe(1);
    expect(await filesOf()).not.toContain(`${sha256}.png`);
    expect(store.knows("media_1")).toBe(false);
    expect(store.nextRemovalAt).toBeNull();
    expect(await store.removal.bringBack(["media_1"], 0)).toEqual([]);
    await reopen();
    expect(await idsOf(store)).toEqual(["media_2"]);
    expect(store.knows("media_1")).toBe(false);
  });

  it("leaves a file that another entry names, until that one goes too", async () => {
    for (const id of ["media_1", "media_2", "media_3"]) await addMedia(store, id, png(8, 8));
    await store.removal.takeOut(["media_1", "media_2"], LATER);
    await store.removal.removeDue(LATER);
    expect(await filesOf()).toHaveLength(1);
    await reopen();
    await store.removal.takeOut(["media_3"], LATER);
    await store.removal.removeDue(LATER);
    expect(await filesOf()).toHaveLength(0);
  });

  it("leaves a file that a deleted entry names which can still be brought back", async () => {
    await addMedia(store, "media_1", png(8, 8));
    await addMedia(store, "media_2", png(8, 8));
    await store.removal.takeOut(["media_1"], LATER);
    await store.removal.takeOut(["media_2"], 2 * LATER);
    await store.removal.removeDue(LATER);
    expect(await store.removal.bringBack(["media_2"], LATER)).toEqual(["media_2"]);
    const row = store.find("media_2");
    const file = row === undefined ? null : await store.open(row);
    expect(file).not.toBeNull();
    await file?.close();
  });

  it("leaves a file whose bytes were just saved again and have no line yet", async () => {
    await addMedia(store, "media_1", png(8, 8));
    await store.removal.takeOut(["media_1"], LATER);
    const { sha256, type, measure, bytes } = await store.save([png(8, 8)]);
    await store.removal.removeDue(LATER);
    expect(await filesOf()).toEqual([`${sha256}.png`]);
    const known = await addMedia(store, "media_2", png(8, 8));
    await store.enter({ ...known, id: "media_3", width: measure.width, bytes }, type.extension);
    await store.removal.takeOut(["media_2", "media_3"], LATER);
    await store.removal.removeDue(LATER);
    expect(await filesOf()).toEqual([]);
  });

  it("loses nothing when the same bytes come and go at the same time", async () => {
    for (let round = 0; round < 40; round += 1) {
      await addMedia(store, `media_old${round}`, png(8, 8));
      await store.removal.takeOut([`media_old${round}`], LATER);
      await Promise.all([store.removal.removeDue(LATER), addMedia(store, `media_new${round}`, png(8, 8))]);
      const row = store.find(`media_new${round}`);
      const file = row === undefined ? null : await store.open(row);
      expect(file).not.toBeNull();
      await file?.close();
      await store.removal.takeOut([`media_new${round}`], LATER);
      await store.removal.removeDue(LATER);
    }
  });

  it("waits with a save of the same bytes until they are removed", async () => {
    const removing = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const { sha256 } = await addMedia(store, "media_1", png(8, 8));
    await store.close();
    const fs: StoreFs = {
      ...nodeStoreFs,
      async remove(path) {
        if (path.includes(sha256)) {
          removing.resolve();
          await held.promise;
        }
        await nodeStoreFs.remove(path);
      },
    };
    store = await openMedia({ dir, fs });
    await store.removal.takeOut(["media_1"], LATER);
    const removed = store.removal.removeDue(LATER);
    await removing.promise;
    const added = addMedia(store, "media_2", png(8, 8));
    // The bytes are written by then: what is left of the save is to put them in place.
    await until(async () => {
      const names = await readdir(join(dir, "media", "incoming"));
      const sizes = await Promise.all(names.map((name) => stat(join(dir, "media", "incoming", name))));
      return sizes.some(({ size }) => size === png(8, 8).length);
    });
    held.resolve();
    await Promise.all([removed, added]);
    expect(await filesOf()).toEqual([`${sha256}.png`]);
  });

  it("takes thousands at once", async () => {
    const ids = Array.from({ length: 1_200 }, (_, index) => `media_${String(index).padStart(90, "0")}`);
    const { type, sha256, measure, bytes } = await store.save([wav(5)]);
    const entry = await addMedia(store, "media_first", wav(5));
    await Promise.all(ids.map((id) => store.record({ op: "add", extension: type.extension, entry: { ...entry, id } })));
    expect(measure.durationMs).toBe(5);
    expect(bytes).toBe(entry.bytes);
    expect(await store.removal.takeOut(ids, LATER)).toHaveLength(1_200);
    expect(await idsOf(store)).toEqual(["media_first"]);
    expect(await store.removal.removeDue(LATER)).toBe(1_200);
    expect(await filesOf()).toEqual([`${sha256}.wav`]);
    await reopen();
    expect(await idsOf(store)).toEqual(["media_first"]);
  });

  it("is refused by a folder of a newer version", async () => {
    await addMedia(store, "media_1", png(4, 4));
    await store.close();
    store = await openMedia({ dir, readOnly: true });
    await expect(store.removal.takeOut(["media_1"], LATER)).rejects.toBeInstanceOf(StoreWriteError);
    expect(await idsOf(store)).toEqual(["media_1"]);
  });
});

describe("a poster", () => {
  it("is kept beside the files, over a restart, and takes the place of the one before it", async () => {
    await addMedia(store, "media_1", wav(5));
    expect(await store.setPoster("media_1", png(2, 2, 1))).toBe(true);
    expect(await store.setPoster("media_1", png(2, 2, 2))).toBe(true);
    expect(await filesOf()).toHaveLength(2);
    await reopen();
    const poster = store.find("media_1")?.poster;
    const file = await store.files.open(poster?.sha256 ?? "", poster?.extension ?? "", poster?.bytes ?? 0);
    const bytes = Buffer.alloc(poster?.bytes ?? 0);
    await file?.read(bytes, 0);
    await file?.close();
    expect(bytes).toEqual(png(2, 2, 2));
  });

  it("goes with its entry, unless it is a result itself", async () => {
    await addMedia(store, "media_1", wav(5));
    await addMedia(store, "media_2", wav(6));
    await addMedia(store, "media_frame", png(2, 2, 2));
    await store.setPoster("media_1", png(2, 2, 1));
    await store.setPoster("media_2", png(2, 2, 2));
    await store.removal.takeOut(["media_1", "media_2"], LATER);
    await store.removal.removeDue(LATER);
    expect(await filesOf()).toEqual([`${store.find("media_frame")?.sha256}.png`]);
    await store.removal.takeOut(["media_frame"], LATER);
    await store.removal.removeDue(LATER);
    expect(await filesOf()).toEqual([]);
  });

  it("is not set for what is deleted or unknown", async () => {
    await addMedia(store, "media_1", wav(5));
    await store.removal.takeOut(["media_1"], LATER);
    expect(await store.setPoster("media_1", png(2, 2))).toBe(false);
    expect(await store.setPoster("media_none", png(2, 2))).toBe(false);
  });
});

describe("the log", () => {
  const path = (): string => join(dir, "media", "index.ndjson");
  const fill = async (count: number, from = 0): Promise<string[]> => {
    const ids = Array.from({ length: count }, (_, index) => `media_${from + index}`);
    const entry = await addMedia(store, `media_file${from}`, png(4, 4), { prompt: "x".repeat(3_900) });
    await Promise.all(ids.map((id) => store.record({ op: "add", extension: "png", entry: { ...entry, id } })));
    return [`media_file${from}`, ...ids];
  };

  it("is written anew at a start when most of it is about what is gone, and says the same", async () => {
    const gone = await fill(400);
    const there = await fill(20, 400);
    await store.removal.takeOut(["media_401", "media_402"], 5 * LATER);
    await store.removal.bringBack(["media_402"], 0);
    await store.setPoster("media_403", png(2, 2));
    await store.removal.takeOut(gone, LATER);
    await store.removal.removeDue(LATER);
    const before = (await stat(path())).size;
    const ids = await idsOf(store);
    await reopen();
    expect((await stat(path())).size).toBeLessThan(before / 10);
    expect(await idsOf(store)).toEqual(ids);
    expect(ids).not.toContain("media_401");
    expect(store.find("media_403")?.poster).not.toBeNull();
    expect(await store.removal.bringBack(["media_401"], LATER)).toEqual(["media_401"]);
    await reopen();
    expect(await idsOf(store)).toEqual(there.toReversed());
  });

  it("stays as it is while most of it is about what is there", async () => {
    const filled = await fill(300);
    await store.removal.takeOut(filled.slice(0, 100), LATER);
    await store.removal.removeDue(LATER);
    const before = await readFile(path());
    await reopen();
    expect(await readFile(path())).toEqual(before);
  });
});
