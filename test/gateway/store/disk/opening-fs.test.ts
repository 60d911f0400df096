import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openingStoreFs } from "../../../../gateway/store/disk/opening-fs.ts";
import { errorCode, nodeStoreFs, type StoreFs } from "../../../../gateway/store/disk/store-fs.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-opening-"));
  await writeFile(join(folder, "file"), "0123456789");
  await mkdir(join(folder, "sub"));
  await symlink("file", join(folder, "link"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** What comes of it, its failure as the code. */
async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    return errorCode(error);
  }
}

const readPart = async (fs: StoreFs, path: string): Promise<unknown> => {
  const file = await fs.open(path, "read");
  const bytes = new Uint8Array(8);
  const read = [await file.read(bytes.subarray(0, 4), 2), await file.read(bytes.subarray(4), 8)];
  await file.close();
  return [read, Buffer.from(bytes).toString()];
};

describe("the disk while a folder is opened", () => {
  it.each([
    ["list", (fs: StoreFs, path: string) => fs.list(path)],
    ["check", (fs: StoreFs, path: string) => fs.check(path)],
    ["size", (fs: StoreFs, path: string) => fs.size(path)],
    ["readWhole", (fs: StoreFs, path: string) => fs.readWhole(path)],
    ["open", readPart],
  ])("%s says what it says later", async (_name, look) => {
    const { fs, opened } = openingStoreFs();
    const places = ["file", "sub", "link", "missing", "missing/below", "file/below"].map((name) => join(folder, name));
    const meanwhile = [];
    for (const path of places) meanwhile.push(await outcome(look(fs, path)));
    opened();
    const later = [];
    for (const path of places) later.push(await outcome(look(fs, path)));
    expect(meanwhile).toEqual(later);
    expect(new Set(meanwhile.map((one) => JSON.stringify(one))).size).toBeGreaterThan(1);
  });

  it("removes files, makes folders for their owner alone, and removes no folder", async () => {
    const { fs } = openingStoreFs();
    await fs.remove(join(folder, "file"));
    await fs.remove(join(folder, "file"));
    expect(await fs.check(join(folder, "file"))).toBeNull();
    expect(await outcome(fs.remove(join(folder, "sub")))).toBe(await outcome(nodeStoreFs.remove(join(folder, "sub"))));
    await fs.makeFolder(join(folder, "a/b"));
    await fs.makeFolder(join(folder, "a/b"));
    if (process.platform !== "win32") expect((await stat(join(folder, "a/b"))).mode & 0o777).toBe(0o700);
  });

  it("does not write to a file that is open for reading", async () => {
    const { fs } = openingStoreFs();
    const file = await fs.open(join(folder, "file"), "read");
    expect(() => file.writeNow(new Uint8Array(1), 0)).toThrow("reading only");
    await file.close();
    expect((await fs.readWhole(join(folder, "file"))).toString()).toBe("0123456789");
  });

  it("is the ordinary one in everything when the folder is open", () => {
    const { fs, opened } = openingStoreFs();
    opened();
    for (const name of Object.keys(nodeStoreFs) as (keyof StoreFs)[]) expect(fs[name]).toBe(nodeStoreFs[name]);
  });
});
