import { chmod, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { nodeStoreFs } from "../../gateway/store/disk/store-fs.ts";
import { makeShellFolder } from "../../main/shell-folder.ts";
import { needs } from "../support/needs.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-shell-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

it("makes it, and the data folder too", async () => {
  const dataDir = join(folder, "a", "b");
  expect(await makeShellFolder(nodeStoreFs, dataDir)).toBe(join(dataDir, "desktop"));
  expect((await stat(join(dataDir, "desktop"))).isDirectory()).toBe(true);
});

it.runIf(process.platform !== "win32")(
  "closes a data folder that was empty, also at the second try",
  needs("POSIX file modes"),
  async () => {
    for (const open of [0o755, 0o777]) {
      await chmod(folder, open);
      await makeShellFolder(nodeStoreFs, folder);
      expect(await mode(folder)).toBe(0o700);
    }
  },
);

it.runIf(process.platform !== "win32")(
  "leaves the mode of a folder that holds something else",
  needs("POSIX file modes"),
  async () => {
    await writeFile(join(folder, "letter.txt"), "");
    await chmod(folder, 0o755);
    await makeShellFolder(nodeStoreFs, folder);
    expect(await mode(folder)).toBe(0o755);
  },
);

it.runIf(process.platform !== "win32")(
  "is null where a link leads elsewhere, and nothing is put there",
  needs("POSIX file modes"),
  async () => {
    const outside = await mkdtemp(join(tmpdir(), "postern-shell-"));
    onTestFinished(() => rm(outside, { recursive: true, force: true }));
    await symlink(outside, join(folder, "desktop"));
    expect(await makeShellFolder(nodeStoreFs, folder)).toBeNull();
  },
);

it("is null where it cannot be made, so that opening the data folder says why", async () => {
  await writeFile(join(folder, "file"), "");
  expect(await makeShellFolder(nodeStoreFs, join(folder, "file"))).toBeNull();
});
