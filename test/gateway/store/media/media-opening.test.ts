import { mkdir, readFile, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { getStem } from "../../../../gateway/store/media/sidecar.ts";
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

describe("opening a folder", () => {
  it("removes what a crash left of files that were coming in", async () => {
    await (await open()).close();
    await writeFile(join(dir, "media", "incoming", "half"), "half a file");
    await mkdir(join(dir, "media", "incoming", "theirs"));
    await open();
    expect(await readdir(join(dir, "media", "incoming"))).toEqual(["theirs"]);
  });

  it("puts in place what was coming in when its sidecar was written already, and only that", async () => {
    const first = await open();
    await addMedia(first, "media_1", png(4, 4));
    await addMedia(first, "media_2", png(4, 4, 2));
    await first.close();
    const incoming = join(dir, "media", "incoming");
    for (const id of ["media_1", "media_2"]) await rm(`${getStem(join(dir, "media"), id)}.png`);
    await writeFile(join(incoming, "media_1.x"), png(4, 4));
    await writeFile(join(incoming, "media_2.x"), png(4, 4, 3));
    await writeFile(join(incoming, "media_3.x"), png(4, 4, 3));
    const again = await open();
    expect(await readdir(incoming)).toEqual([]);
    const { data } = await again.list({ limit: 10, before: null });
    expect(data.map(({ entry, missing }) => [entry.id, missing])).toEqual([
      ["media_2", true],
      ["media_1", false],
    ]);
  });

  it("writes nothing into a folder of a newer version", async () => {
    const first = await open();
    await addMedia(first, "media_1", png(4, 4));
    await first.close();
    const before = await readdir(join(dir, "media"), { recursive: true });
    const frozen = await open({ readOnly: true });
    expect(await idsOf(frozen)).toEqual(["media_1"]);
    await expect(frozen.takeOut(["media_1"], 1)).rejects.toBeInstanceOf(StoreWriteError);
    await expect(frozen.save("media_2", [png(9, 9)])).rejects.toMatchObject({ kind: "disk" });
    expect(await readdir(join(dir, "media"), { recursive: true })).toEqual(before);
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

describe("links that were planted", () => {
  it("are not followed for reading", async () => {
    const store = await open();
    const { bytes } = await addMedia(store, "media_1", png(4, 4));
    const found = await store.find("media_1");
    if (found === null) throw new Error("no record");
    const outside = join(dir, "outside");
    await writeFile(outside, Buffer.alloc(bytes, "s"));
    await rm(store.files.getPath(found));
    await symlink(outside, store.files.getPath(found));
    expect(await store.files.open(found)).toBeNull();
  });

  it("are not followed for writing and removing: neither a file nor a folder", async () => {
    const store = await open();
    const folder = dirname(getStem(join(dir, "media"), "media_1"));
    const outside = join(dir, "outside");
    await mkdir(outside);
    await symlink(outside, folder);
    await expect(addMedia(store, "media_1", png(4, 4))).rejects.toMatchObject({ kind: "disk" });
    expect(await readdir(outside)).toEqual([]);
    expect(await readdir(join(dir, "media", "incoming"))).toEqual([]);
    await rm(folder);
    await mkdir(folder);
    const victim = join(outside, "victim");
    await writeFile(victim, "theirs");
    for (const name of ["media_1.png", "media_1.json"]) await symlink(victim, join(folder, name));
    expect(await store.find("media_1")).toBeNull();
    await addMedia(store, "media_1", png(4, 4));
    expect(await readFile(victim, "utf8")).toBe("theirs");
    expect(await readFile(join(folder, "media_1.png"))).toEqual(png(4, 4));
    await rm(join(folder, "media_1.png"));
    await symlink(victim, join(folder, "media_1.png"));
    await store.takeOut(["media_1"], 1);
    await store.removeDue(1);
    expect(await readFile(victim, "utf8")).toBe("theirs");
    expect(await readdir(folder)).toEqual([]);
  });
});
