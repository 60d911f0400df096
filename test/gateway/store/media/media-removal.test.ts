import { readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { iso, png, wav } from "../../../support/media-samples.ts";
import { jpeg } from "../../../support/pictures.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
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
  return names
    .filter((name) => name.isFile() && /^media_.*\.(?:png|wav|mp4|jpg)$/.test(name.name))
    .map((name) => name.name);
}

const LATER = 1_000;

describe("deleting", () => {
  it("takes entries out of list and reach at once, and leaves their files", async () => {
    await addMedia(store, "media_1", png(4, 4, 1));
    await addMedia(store, "media_2", png(4, 4, 2));
    expect(await store.takeOut(["media_1", "media_1", "media_none"], LATER)).toEqual(["media_1"]);
    expect(await idsOf(store)).toEqual(["media_2"]);
    expect(await store.find("media_1")).toBeNull();
    expect(await store.knows("media_1")).toBe(true);
    expect(await filesOf()).toHaveLength(2);
    expect(await store.takeOut(["media_1"], LATER)).toEqual([]);
  });

  it("is undone until its time is over, over a restart, at its old place in the list", async () => {
    for (const id of ["media_1", "media_2", "media_3"]) await addMedia(store, id, png(4, 4, Number(id.at(-1))));
    await store.takeOut(["media_1", "media_2"], LATER);
    await reopen();
    expect(await idsOf(store)).toEqual(["media_3"]);
    expect(store.nextRemovalAt).toBe(LATER);
    expect(await store.bringBack(["media_2", "media_3", "media_none"], LATER - 1)).toEqual(["media_2"]);
    expect(await store.bringBack(["media_1"], LATER)).toEqual([]);
    await reopen();
    expect(await idsOf(store)).toEqual(["media_3", "media_2"]);
  });

  it("removes files when the time is over, and forgets the entries for good", async () => {
    await addMedia(store, "media_1", png(4, 4, 1));
    await addMedia(store, "media_2", png(4, 4, 2));
    await store.takeOut(["media_1"], LATER);
    expect(await store.removeDue(LATER - 1)).toBe(0);
    expect(await filesOf()).toHaveLength(2);
    expect(await store.removeDue(LATER)).toBe(1);
    expect(await filesOf()).toEqual(["media_2.png"]);
    expect(await store.knows("media_1")).toBe(false);
    expect(store.nextRemovalAt).toBeNull();
    expect(await store.bringBack(["media_1"], 0)).toEqual([]);
    await reopen();
    expect(await idsOf(store)).toEqual(["media_2"]);
    expect(await store.knows("media_1")).toBe(false);
  });

  it("leaves results of the same bytes, each with a file of its own", async () => {
    for (const id of ["media_1", "media_2"]) await addMedia(store, id, png(8, 8));
    await store.takeOut(["media_1"], LATER);
    await Promise.all([store.removeDue(LATER), addMedia(store, "media_3", png(8, 8))]);
    expect((await filesOf()).toSorted()).toEqual(["media_2.png", "media_3.png"]);
  });

  it("takes thousands at once", async () => {
    const ids = Array.from({ length: 1_200 }, (_, index) => `media_${String(index).padStart(90, "0")}`);
    await addMedia(store, "media_first", wav(5));
    for (const id of ids) await addMedia(store, id, wav(5));
    expect(await store.takeOut(ids, LATER)).toHaveLength(1_200);
    expect(await idsOf(store)).toEqual(["media_first"]);
    expect(await store.removeDue(LATER)).toBe(1_200);
    expect(await filesOf()).toEqual(["media_first.wav"]);
    await reopen();
    expect(await idsOf(store)).toEqual(["media_first"]);
  }, 60_000);

  it("is refused by a folder of a newer version", async () => {
    await addMedia(store, "media_1", png(4, 4));
    await store.close();
    store = await openMedia({ dir, readOnly: true });
    await expect(store.takeOut(["media_1"], LATER)).rejects.toBeInstanceOf(StoreWriteError);
    expect(await idsOf(store)).toEqual(["media_1"]);
  });
});

describe("a poster", () => {
  it("is kept next to its video, over a restart, and takes the place of the one before it", async () => {
    await addMedia(store, "media_1", iso("isom"));
    expect(await store.setPoster("media_1", png(2, 2, 1))).toBe(true);
    expect(await store.setPoster("media_1", jpeg(2, 2))).toBe(true);
    expect(await filesOf()).toEqual(["media_1.mp4", "media_1.poster.jpg"]);
    await reopen();
    const poster = (await store.list({ limit: 1, before: null })).data[0]?.poster;
    expect(await readFile(poster?.path ?? "")).toEqual(jpeg(2, 2));
  });

  it("goes with its video", async () => {
    await addMedia(store, "media_1", iso("isom"));
    await addMedia(store, "media_frame", png(2, 2, 2));
    await store.setPoster("media_1", png(2, 2, 2));
    await store.takeOut(["media_1"], LATER);
    await store.removeDue(LATER);
    expect(await filesOf()).toEqual(["media_frame.png"]);
  });

  it("is not set for what is deleted or unknown", async () => {
    await addMedia(store, "media_1", iso("isom"));
    await store.takeOut(["media_1"], LATER);
    expect(await store.setPoster("media_1", png(2, 2))).toBe(false);
    expect(await store.setPoster("media_none", png(2, 2))).toBe(false);
    expect(await readdir(join(dir, "media", "incoming"))).toEqual([]);
  });
});
