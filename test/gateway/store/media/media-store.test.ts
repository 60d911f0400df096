import { createHash } from "node:crypto";
import { readFile, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LOW_WATER_BYTES } from "../../../../gateway/store/media/media-files.ts";
import { MediaRefused } from "../../../../gateway/store/media/media-incoming.ts";
import type { PendingMedia } from "../../../../gateway/store/media/media-notes.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { mediaOrigin, png, wav } from "../../../support/media-samples.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { NOON } from "../fixtures.ts";
import { ROOMY, addMedia, openMedia } from "./media-fixtures.ts";

let dir: string;
const opened: MediaStore[] = [];

async function open(options: Partial<Parameters<typeof openMedia>[0]> = {}): Promise<MediaStore> {
  const store = await openMedia({ dir, ...options });
  opened.push(store);
  return store;
}

beforeEach(async () => {
  dir = await temporaryFolder();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  await rm(dir, { recursive: true, force: true });
});

async function filesOf(folder = join(dir, "media")): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  return names
    .filter((name) => name.isFile() && name.name.startsWith("media_"))
    .map((name) => name.name)
    .toSorted();
}

async function pathOf(store: MediaStore, id: string): Promise<string> {
  const found = await store.find(id);
  if (found === null) throw new Error(`there is no ${id}`);
  return store.files.getPath(found);
}

const pendingMedia = (id: string): PendingMedia => ({
  id,
  at: NOON,
  url: "https://results.example/1.png",
  target: "api.example:443",
  expires_at: NOON + 1_000,
  origin: mediaOrigin(),
});

describe("saving", () => {
  it("names the file by its id, next to what is known of it, for its owner alone", async () => {
    const store = await open();
    const bytes = png(64, 32);
    const entry = await addMedia(store, "media_1", bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(entry).toMatchObject({ sha256, bytes: bytes.length, type: "image/png", width: 64, height: 32 });
    const path = await pathOf(store, "media_1");
    expect(await readFile(path)).toEqual(bytes);
    const sidecar: unknown = JSON.parse(await readFile(path.replace(".png", ".json"), "utf8"));
    expect(sidecar).toMatchObject({ schema: 1, entry, extension: "png", check: expect.any(Number) });
    for (const one of [path, path.replace(".png", ".json")]) expect((await stat(one)).mode & 0o777).toBe(0o600);
    expect(await filesOf()).toEqual(["media_1.json", "media_1.png"]);
  });

  it("takes a large file in small chunks", async () => {
    const store = await open();
    const bytes = wav(60_000);
    async function* chunks(): AsyncGenerator<Buffer> {
      for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
    }
    const saved = await store.save("media_1", chunks());
    expect(saved).toMatchObject({ bytes: bytes.length, measure: { durationMs: 60_000 } });
    expect(await readFile(saved.aside)).toEqual(bytes);
  });

  it("keeps the first of two results of one id", async () => {
    const store = await open();
    const [first, second] = [await store.save("media_1", [png(8, 8)]), await store.save("media_1", [png(9, 9)])];
    const entry = await addMedia(store, "media_1", png(4, 4));
    for (const file of [first, second]) await store.enter({ ...entry, prompt: "other" } as typeof entry, file);
    expect(await readFile(await pathOf(store, "media_1"))).toEqual(png(4, 4));
    expect(await readdir(join(dir, "media", "incoming"))).toEqual([]);
  });

  it("makes a result whole again whose file was cut or taken away", async () => {
    const store = await open();
    await addMedia(store, "media_1", png(8, 8));
    await truncate(await pathOf(store, "media_1"), 10);
    await addMedia(store, "media_1", png(8, 8));
    expect(await readFile(await pathOf(store, "media_1"))).toEqual(png(8, 8));
  });

  it.each(["../outside", "media_", "media_a/b", "media_a.b", "MEDIA_a", "media_ü"])("has no result %s", async (id) => {
    const store = await open();
    expect(await store.find(id)).toBeNull();
    expect(await store.knows(id)).toBe(false);
    expect(await store.takeOut([id], 1)).toEqual([]);
  });

  it.each<[string, Buffer, MediaRefused["kind"]]>([
    ["HTML", Buffer.from("<html>".repeat(1_000)), "type"],
    ["a short text", Buffer.from("no"), "type"],
    ["nothing", Buffer.alloc(0), "empty"],
    ["a picture of 50,000 by 50,000", png(50_000, 50_000), "size"],
  ])("refuses %s and leaves nothing behind", async (_name, bytes, kind) => {
    const store = await open();
    await expect(store.save("media_1", [bytes])).rejects.toMatchObject({ name: "MediaRefused", kind });
    expect(await readdir(join(dir, "media", "incoming"))).toEqual([]);
    expect(await filesOf()).toEqual([]);
  });

  it("stops reading a wrong type after its first bytes", async () => {
    const store = await open();
    let received = 0;
    function* endless(): Generator<Buffer> {
      for (;;) {
        received += 1;
        yield Buffer.from("<p>".repeat(100));
      }
    }
    await expect(store.save("media_1", endless())).rejects.toBeInstanceOf(MediaRefused);
    expect(received).toBeLessThan(4);
  });

  it("leaves nothing of what breaks off in the middle", async () => {
    const store = await open();
    async function* broken(): AsyncGenerator<Buffer> {
      yield wav(1_000);
      throw new Error("the network went away");
    }
    await expect(store.save("media_1", broken())).rejects.toThrow("the network went away");
    expect(await readdir(join(dir, "media", "incoming"))).toEqual([]);
    expect(await filesOf()).toEqual([]);
  });

  it("refuses while the disk has less room than the low-water mark", async () => {
    let free = LOW_WATER_BYTES - 1;
    const store = await open({ disk: { ...ROOMY, freeBytes: async () => free } });
    await expect(store.save("media_1", [png(4, 4)])).rejects.toMatchObject({ kind: "room" });
    free = LOW_WATER_BYTES;
    await expect(store.save("media_1", [png(4, 4)])).resolves.toMatchObject({ bytes: png(4, 4).length });
  });
});

describe("reading back", () => {
  it("finds everything after a restart, newest first", async () => {
    const first = await open();
    const entries = [];
    for (let index = 0; index < 5; index += 1) {
      entries.push(await addMedia(first, `media_${index}`, png(4, 4, index), { prompt: `prompt ${index} 🚢\n"q"` }));
    }
    await first.close();
    const again = await open();
    const { data, next } = await again.list({ limit: 10, before: null });
    expect(data.map(({ entry }) => entry)).toEqual(entries.toReversed());
    expect(next).toBeNull();
  });

  it("pages without a gap while results come in", async () => {
    const store = await open();
    for (let index = 0; index < 7; index += 1) await addMedia(store, `media_${index}`, png(4, 4, index));
    const one = await store.list({ limit: 3, before: null });
    await addMedia(store, "media_7", png(4, 4, 7));
    const two = await store.list({ limit: 3, before: one.next });
    const three = await store.list({ limit: 3, before: two.next });
    const ids = [...one.data, ...two.data, ...three.data].map(({ entry }) => entry.id);
    expect(ids).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `media_${index}`));
    expect(three.next).toBeNull();
  });

  it("filters by kind and model", async () => {
    const store = await open();
    await addMedia(store, "media_1", png(4, 4));
    await addMedia(store, "media_2", wav(10), { model: "gamma3" });
    await addMedia(store, "media_3", wav(20), { model: "tts-1" });
    const list = async (query: { kind?: "audio"; model?: string }): Promise<string[]> =>
      (await store.list({ limit: 10, before: null, ...query })).data.map(({ entry }) => entry.id);
    expect(await list({ kind: "audio" })).toEqual(["media_3", "media_2"]);
    expect(await list({ model: "gamma3" })).toEqual(["media_2"]);
    expect(await list({ kind: "audio", model: "gpt-image-1" })).toEqual([]);
  });

  it("says which file is gone, over a restart, and that it is back", async () => {
    const store = await open();
    await addMedia(store, "media_1", png(4, 4));
    const path = await pathOf(store, "media_1");
    await rm(path);
    const found = await store.find("media_1");
    if (found === null) throw new Error("no record");
    expect(await store.files.open(found)).toBeNull();
    await store.close();
    const again = await open();
    expect((await again.list({ limit: 1, before: null })).data[0]?.missing).toBe(true);
    await writeFile(path, png(4, 4));
    expect((await again.list({ limit: 1, before: null })).data[0]?.missing).toBe(false);
  });

  it("keeps what is still to be fetched, until it is there or given up", async () => {
    const first = await open();
    for (const id of ["media_a", "media_b", "media_c"]) await first.addPending(pendingMedia(id));
    await addMedia(first, "media_a", png(4, 4));
    await first.dropPending("media_b");
    await first.close();
    expect((await open()).pending).toEqual([pendingMedia("media_c")]);
  });
});
