import { createHash } from "node:crypto";
import { readFile, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LOW_WATER_BYTES } from "../../../../gateway/store/media/media-files.ts";
import { MediaRefused } from "../../../../gateway/store/media/media-incoming.ts";
import type { PendingMedia } from "../../../../gateway/store/media/media-lines.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { mediaOrigin, png, wav } from "../../../support/media-samples.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { NOON } from "../fixtures.ts";
import { ROOMY, addMedia, idsOf, openMedia } from "./media-fixtures.ts";

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
  return names.filter((name) => name.isFile() && /\.(png|wav)$/.test(name.name)).map((name) => name.name);
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
  it("names the file by its hash, for its owner alone", async () => {
    const store = await open();
    const bytes = png(64, 32);
    const entry = await addMedia(store, "media_1", bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(entry).toMatchObject({ sha256, bytes: bytes.length, type: "image/png", width: 64, height: 32 });
    const path = join(dir, "media", sha256.slice(0, 2), `${sha256}.png`);
    expect(await readFile(path)).toEqual(bytes);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("takes a large file in small chunks", async () => {
    const store = await open();
    const bytes = wav(60_000);
    async function* chunks(): AsyncGenerator<Buffer> {
      for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
    }
    const saved = await store.save(chunks());
    expect(saved).toMatchObject({ bytes: bytes.length, measure: { durationMs: 60_000 } });
    expect(await readFile(store.files.pathOf(saved.sha256, "wav"))).toEqual(bytes);
  });

  it("stores the same bytes once, and lists each result", async () => {
    const store = await open();
    await addMedia(store, "media_1", png(8, 8));
    await addMedia(store, "media_2", png(8, 8));
    await Promise.all([addMedia(store, "media_3", png(8, 8)), addMedia(store, "media_4", png(8, 8))]);
    expect(await idsOf(store)).toHaveLength(4);
    expect(await filesOf()).toHaveLength(1);
  });

  it("makes a file whole again that somebody has cut", async () => {
    const store = await open();
    const { sha256 } = await addMedia(store, "media_1", png(8, 8));
    await truncate(store.files.pathOf(sha256, "png"), 10);
    await addMedia(store, "media_2", png(8, 8));
    expect(await readFile(store.files.pathOf(sha256, "png"))).toEqual(png(8, 8));
  });

  it.each<[string, Buffer, MediaRefused["kind"]]>([
    ["HTML", Buffer.from("<html>".repeat(1_000)), "type"],
    ["a short text", Buffer.from("no"), "type"],
    ["nothing", Buffer.alloc(0), "empty"],
    ["a picture of 50,000 by 50,000", png(50_000, 50_000), "size"],
  ])("refuses %s and leaves nothing behind", async (_name, bytes, kind) => {
    const store = await open();
    await expect(store.save([bytes])).rejects.toMatchObject({ name: "MediaRefused", kind });
    expect(await readdir(join(dir, "media", "incoming"))).toEqual([]);
    expect(await filesOf()).toEqual([]);
  });

  it("stops reading a wrong type after its first bytes", async () => {
    const store = await open();
    let taken = 0;
    function* endless(): Generator<Buffer> {
      for (;;) {
        taken += 1;
        yield Buffer.from("<p>".repeat(100));
      }
    }
    await expect(store.save(endless())).rejects.toBeInstanceOf(MediaRefused);
    expect(taken).toBeLessThan(4);
  });

  it("leaves nothing of what breaks off in the middle", async () => {
    const store = await open();
    async function* broken(): AsyncGenerator<Buffer> {
      yield wav(1_000);
      throw new Error("the network went away");
    }
    await expect(store.save(broken())).rejects.toThrow("the network went away");
    expect(await readdir(join(dir, "media", "incoming"))).toEqual([]);
    expect(await filesOf()).toEqual([]);
  });

  it("refuses while the disk has less room than the low-water mark", async () => {
    let free = LOW_WATER_BYTES - 1;
    const store = await open({ disk: { ...ROOMY, freeBytes: async () => free } });
    await expect(store.save([png(4, 4)])).rejects.toMatchObject({ kind: "room" });
    free = LOW_WATER_BYTES;
    await expect(store.save([png(4, 4)])).resolves.toMatchObject({ bytes: png(4, 4).length });
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

  it("marks an entry whose file is gone, over a restart, and takes the mark off when it is back", async () => {
    const store = await open();
    const { sha256 } = await addMedia(store, "media_1", png(4, 4));
    const path = store.files.pathOf(sha256, "png");
    await rm(path);
    const row = store.find("media_1");
    if (row === undefined) throw new Error("no row");
    expect(await store.open(row)).toBeNull();
    await store.close();
    const again = await open();
    expect((await again.list({ limit: 1, before: null })).data[0]?.row.missing).toBe(true);
    await writeFile(path, png(4, 4));
    const file = await again.open(again.find("media_1") ?? row);
    await file?.close();
    expect((await again.list({ limit: 1, before: null })).data[0]?.row.missing).toBe(false);
  });

  it("keeps what is still to be fetched, until it is there or given up", async () => {
    const first = await open();
    for (const id of ["media_a", "media_b", "media_c"])
      await first.record({ op: "pending", pending: pendingMedia(id) });
    await addMedia(first, "media_a", png(4, 4));
    await first.record({ op: "drop", id: "media_b" });
    await first.close();
    expect((await open()).pending).toEqual([pendingMedia("media_c")]);
  });
});
