import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { StoreOpenError } from "../../../../gateway/store/folder/data-folder.ts";
import { makeFolder } from "../../../../gateway/store/folder/make-folder.ts";
import { startGateway } from "../../../support/running-gateway.ts";
import { needs } from "../../../support/needs.ts";

const NOBODY = 65_534;
/** Only root may give a folder to someone else. */
const isRoot = process.getuid?.() === 0;
const isPosix = process.platform !== "win32";

let dir: string;
beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), "postern-folder-"));
  dir = join(root, "data");
  onTestFinished(() => rm(root, { recursive: true, force: true }));
});

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o7777).toString(8);

async function prepared(mode: number, ...files: readonly string[]): Promise<void> {
  await mkdir(dir);
  for (const name of files) await writeFile(join(dir, name), "{}");
  await chmod(dir, mode);
}

test.runIf(isPosix)("a new folder is its owner's alone", needs("POSIX file modes"), async () => {
  expect(await makeFolder(join(dir, "below"))).toBeNull();
  expect([await modeOf(dir), await modeOf(join(dir, "below"))]).toStrictEqual(["700", "700"]);
});

test.runIf(isRoot)(
  "a folder of another user is refused, also behind a link, with what to do",
  needs("root"),
  async () => {
    await prepared(0o700);
    await chown(dir, NOBODY, NOBODY);
    const link = `${dir}-link`;
    await symlink(dir, link);
    for (const path of [dir, link]) {
      await expect(makeFolder(path)).rejects.toThrow(StoreOpenError);
      await expect(makeFolder(path)).rejects.toThrow(
        /belongs to another user \(id 65534; Postern runs as 0\).*chown -R 0/,
      );
    }
  },
);

test.runIf(isRoot)(
  "a folder of another user is refused whatever is in it, and nothing is put into it",
  needs("root"),
  async () => {
    await prepared(0o777, "postern.json");
    await chown(dir, NOBODY, NOBODY);
    await expect(startGateway({ dataDir: dir })).rejects.toMatchObject({
      name: "StartError",
      message: expect.stringMatching(/^The data folder .* belongs to another user/),
    });
    expect(await readdir(dir)).toStrictEqual(["postern.json"]);
    expect(await modeOf(dir)).toBe("777");
  },
);

test.runIf(isPosix)(
  "a folder that others may write and that holds other things is refused",
  needs("POSIX file modes"),
  async () => {
    await prepared(0o777, "thesis.txt");
    await expect(makeFolder(dir)).rejects.toThrow(
      /could be written by other users .*\(mode 777\) and holds other things/,
    );
    expect(await modeOf(dir)).toBe("777");
  },
);

test.runIf(isPosix).each([0o777, 0o770, 0o722])(
  "an empty folder that others may write (%o) is closed",
  needs("POSIX file modes"),
  async (mode) => {
    await prepared(mode);
    const postern = await startGateway({ dataDir: dir });
    expect(await modeOf(dir)).toBe("700");
    expect((await postern.ask<{ notices: unknown[] }>("GET", "/state")).notices).toStrictEqual([]);
    await postern.stop();
  },
);

test.runIf(isPosix)(
  "a folder in use that others could write is closed, and its owner is informed",
  needs("POSIX file modes"),
  async () => {
    await (await startGateway({ dataDir: dir })).stop();
    await chmod(dir, 0o777);
    const postern = await startGateway({ dataDir: dir });
    expect(await modeOf(dir)).toBe("700");
    expect((await postern.ask<{ notices: unknown[] }>("GET", "/state")).notices).toStrictEqual([
      expect.objectContaining({ message: expect.stringMatching(/could be written by other users.*closed now/) }),
    ]);
    await postern.stop();
  },
);
