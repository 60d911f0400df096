import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { lockFolder } from "../../../../gateway/store/disk/lock.ts";
import { StoreOpenError } from "../../../../gateway/store/folder/data-folder.ts";
import { open, putKey, receipt } from "../fixtures.ts";
import { SimFs, systemError } from "../sim-fs.ts";

let dir: string;

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), "postern-store-"));
  dir = join(root, "made", "data");
  onTestFinished(() => rm(root, { recursive: true, force: true }));
});

const keysOf = (store: { document: { keys: ReadonlyMap<string, unknown> } }): string[] => [
  ...store.document.keys.keys(),
];

describe("the folder", () => {
  test("is for its owner only, and so is every file in it", async () => {
    const { store } = await open({ dir });
    await store.commit([putKey("a")]);
    await store.secrets.add("provider key");
    await store.usage.settle(receipt("r1"));
    await store.backup();
    await store.close();
    for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(join(entry.parentPath, entry.name));
      expect((mode & 0o777).toString(8), entry.name).toBe(entry.isDirectory() ? "700" : "600");
    }
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
  });

  test("that Postern made is closed to others again; one full of other things keeps its mode", async () => {
    await (await open({ dir })).store.close();
    await chmod(dir, 0o755);
    await (await open({ dir })).store.close();
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    const shared = join(dir, "..", "shared");
    await mkdir(shared);
    await writeFile(join(shared, "thesis.txt"), "");
    await chmod(shared, 0o755);
    await (await open({ dir: shared })).store.close();
    expect((await stat(shared)).mode & 0o777).toBe(0o755);
  });

  test("that was empty but for its lock is closed to others", async () => {
    await mkdir(dir, { recursive: true });
    await chmod(dir, 0o755);
    const lock = await lockFolder(dir);
    await (await open({ dir })).store.close();
    if (lock.owner) lock.release();
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
  });

  test("may be a symbolic link and stays one", async () => {
    const link = join(dir, "..", "link");
    await mkdir(dir, { recursive: true });
    await symlink(dir, link);
    const { store } = await open({ dir: link });
    await store.commit([putKey("a")]);
    await store.close();
    expect(keysOf((await open({ dir })).store)).toEqual(["a"]);
  });

  test("is rid of what a crash left half written", async () => {
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, "state.5.ndjson.tmp-0123abcd"), "half");
    await open({ dir });
    expect((await readdir(dir)).filter((name) => name.includes(".tmp-"))).toEqual([]);
  });

  test.each([
    ["EACCES", /cannot be used by this user/],
    ["EROFS", /read-only file system/],
    ["EMFILE", /cannot be used \(EMFILE\)/],
  ])("that refuses with %s is a clear error", async (code, sentence) => {
    const fs = new SimFs({ files: new Map(), folders: new Set(["/data"]) });
    fs.open = () => Promise.reject(systemError(code));
    const opening = open({ dir: "/data", fs });
    await expect(opening).rejects.toThrow(StoreOpenError);
    await expect(opening).rejects.toThrow(sentence);
  });

  test("that is a file is a clear error", async () => {
    await mkdir(join(dir, ".."), { recursive: true });
    await writeFile(dir, "");
    await expect(open({ dir })).rejects.toThrow(/is not a folder/);
  });

  test("on a full disk opens for reading", async () => {
    const fs = new SimFs({ files: new Map(), folders: new Set(["/data"]) });
    const { store } = await open({ dir: "/data", fs });
    await store.commit([putKey("a")]);
    const full = new SimFs(fs.afterKill());
    const openFile = full.open.bind(full);
    full.open = (path, how) => (how === "read" ? openFile(path, how) : Promise.reject(systemError("ENOSPC")));
    const again = (await open({ dir: "/data", fs: full })).store;
    expect(keysOf(again)).toEqual(["a"]);
    await expect(again.commit([putKey("b")])).rejects.toThrow(/ENOSPC/);
    expect(again.writable).toBe(false);
  });
});
