import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { png } from "../../../support/media-samples.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { addMedia, idsOf, openMedia } from "./media-fixtures.ts";

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

const log = (): string => join(dir, "media", "index.ndjson");

async function filesOf(folder = join(dir, "media")): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  return names.filter((name) => name.isFile() && /\.(png|wav)$/.test(name.name)).map((name) => name.name);
}

describe("opening a folder", () => {
  it("removes what a crash left of files that were coming in", async () => {
    await (await open()).close();
    await writeFile(join(dir, "media", "incoming", "half"), "half a file");
    await open();
    expect(await readdir(join(dir, "media", "incoming"))).toEqual([]);
  });

  it("cuts off a torn last line, keeps it in quarantine and goes on after it", async () => {
    const first = await open();
    await addMedia(first, "media_1", png(4, 4));
    await first.close();
    await appendFile(log(), '1234abcd {"op":"add","entr');
    const second = await open();
    expect(second.problems).toEqual([expect.stringContaining("not written to its end")]);
    await addMedia(second, "media_2", png(4, 4, 2));
    await second.close();
    const third = await open();
    expect(third.problems).toEqual([]);
    expect(await idsOf(third)).toEqual(["media_2", "media_1"]);
    const [folder = ""] = await readdir(join(dir, "quarantine"));
    const [name = ""] = await readdir(join(dir, "quarantine", folder));
    expect(await readFile(join(dir, "quarantine", folder, name), "utf8")).toBe('1234abcd {"op":"add","entr');
  });

  it("takes a damaged line from the second copy, and without one loses no other, and says so once", async () => {
    const first = await open();
    for (let index = 0; index < 400; index += 1) {
      await addMedia(first, `media_${index}`, png(4, 4), { prompt: `${index} ${"x".repeat(1_000)}` });
    }
    await first.close();
    const copy = join(dir, "media", "index.copy.ndjson");
    const ids = Array.from({ length: 400 }, (_, index) => `media_${399 - index}`);
    const listed = async (store: MediaStore): Promise<string[]> =>
      (await store.list({ limit: 500, before: null })).data.map(({ entry }) => entry.id);
    for (const isCopied of [true, false]) {
      const bytes = await readFile(log());
      const at = bytes.indexOf("media_200");
      bytes.writeUInt8(bytes.readUInt8(at + 300) ^ 1, at + 300);
      await writeFile(log(), bytes);
      if (!isCopied) await rm(copy);
      const damaged = await open();
      expect(damaged.problems).toEqual([expect.stringContaining("is damaged: 1 line of it was changed.")]);
      expect(await listed(damaged)).toEqual(isCopied ? ids : ids.filter((id) => id !== "media_200"));
      await damaged.close();
      const next = await open();
      expect(next.problems).toEqual([]);
      await next.close();
    }
  });

  it.each([
    ["zeros", Buffer.alloc(700_000)],
    ["text without lines", Buffer.alloc(700_000, "x")],
  ])("passes over %s longer than any line", async (_name, damage) => {
    const first = await open();
    await addMedia(first, "media_1", png(4, 4));
    await first.close();
    const good = await readFile(log());
    await writeFile(log(), Buffer.concat([good, damage, Buffer.from("\n"), good.subarray(0, 0)]));
    const second = await open();
    await addMedia(second, "media_2", png(4, 4));
    await second.close();
    expect(await idsOf(await open())).toEqual(["media_2", "media_1"]);
  });

  it("lists once what a log holds twice", async () => {
    const first = await open();
    for (let index = 0; index < 3; index += 1) await addMedia(first, `media_${index}`, png(4, 4, index));
    await first.close();
    await appendFile(log(), await readFile(log()));
    expect(await idsOf(await open())).toEqual(["media_2", "media_1", "media_0"]);
  });

  it("writes nothing into a folder of a newer version", async () => {
    const first = await open();
    await addMedia(first, "media_1", png(4, 4));
    await first.close();
    const before = await readFile(log());
    const frozen = await open({ readOnly: true });
    expect(await idsOf(frozen)).toEqual(["media_1"]);
    await expect(frozen.record({ op: "drop", id: "media_1" })).rejects.toBeInstanceOf(StoreWriteError);
    await expect(frozen.save([png(9, 9)])).rejects.toMatchObject({ kind: "disk" });
    expect(await readFile(log())).toEqual(before);
    expect(await filesOf()).toHaveLength(1);
  });

  it("keeps its link secret, for its owner alone, and makes another when it is damaged", async () => {
    const first = await open();
    const path = join(dir, "media", "links.key");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await open()).linkSecret).toEqual(first.linkSecret);
    await writeFile(path, "{}");
    const third = await open();
    expect(third.linkSecret).not.toEqual(first.linkSecret);
    expect(third.problems).toEqual([expect.stringContaining("links from before do not work")]);
    expect((await open()).linkSecret).toEqual(third.linkSecret);
  });
});

describe("links that somebody planted", () => {
  it("are not followed for reading", async () => {
    const store = await open();
    const { sha256, bytes } = await addMedia(store, "media_1", png(4, 4));
    const outside = join(dir, "outside");
    await writeFile(outside, Buffer.alloc(bytes, "s"));
    await rm(store.files.pathOf(sha256, "png"));
    await symlink(outside, store.files.pathOf(sha256, "png"));
    expect(await store.files.open(sha256, "png", bytes)).toBeNull();
  });

  it("are not followed for writing: neither a file nor a folder", async () => {
    const store = await open();
    const sha256 = createHash("sha256").update(png(4, 4)).digest("hex");
    const folder = join(dir, "media", sha256.slice(0, 2));
    const outside = join(dir, "outside");
    await mkdir(outside);
    await symlink(outside, folder);
    await expect(store.save([png(4, 4)])).rejects.toMatchObject({ kind: "disk" });
    expect(await readdir(outside)).toEqual([]);
    await rm(folder);
    await mkdir(folder);
    const victim = join(outside, "victim");
    await writeFile(victim, Buffer.alloc(png(4, 4).length, "v"));
    await symlink(victim, join(folder, `${sha256}.png`));
    await store.save([png(4, 4)]);
    expect(await readFile(victim)).toEqual(Buffer.alloc(png(4, 4).length, "v"));
    expect(await readFile(join(folder, `${sha256}.png`))).toEqual(png(4, 4));
  });
});
