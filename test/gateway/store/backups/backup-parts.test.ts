import { join } from "node:path";
import { expect, test } from "vitest";
import { backupName, dataFiles, readBackupName, getRoom } from "../../../../gateway/store/backups/backup-files.ts";
import { moveKeysOfBackups } from "../../../../gateway/store/backups/backup-keys.ts";
import { diskRefusal, requireRoom } from "../../../../gateway/store/backups/backup-room.ts";
import { sweepBackups } from "../../../../gateway/store/backups/backup.ts";
import { forgetRestore, intendRestore, readIntent } from "../../../../gateway/store/backups/restore.ts";
import { FILE, parseKeyFile, writeKeyFile } from "../../../../gateway/store/key-file.ts";
import { NoRoomError, StoreWriteError } from "../../../../gateway/store/store.ts";
import { SimFs, systemError } from "../sim-fs.ts";

const DIR = "/data";
const MIB = 1024 ** 2;

/** A disk with these files, and their folders. */
function diskWith(files: Readonly<Record<string, string | number>>): SimFs {
  const paths = Object.keys(files).map((name) => join(DIR, name));
  const folders = new Set([DIR]);
  for (const path of paths)
    for (let end = path.indexOf("/", 1); end !== -1; end = path.indexOf("/", end + 1)) folders.add(path.slice(0, end));
  const bytes = (content: string | number) =>
    typeof content === "number" ? Buffer.alloc(content) : Buffer.from(content);
  return new SimFs({
    files: new Map(paths.map((path, index) => [path, bytes(Object.values(files)[index] ?? "")])),
    folders,
  });
}

test.each([
  [1_100, 76, null],
  [1_100, 77, /needs 77 MiB, 1100 MiB are free .* 1024 MiB must stay free for what models make/],
  [1_024, 1, /what models make/],
  [1_023, 767, null],
  [1_023, 768, /256 MiB must stay free for recordings/],
  [256, 1, /recordings/],
  [255, 239, null],
  [255, 240, /16 MiB must stay free for receipts/],
  [15, 1, /receipts and settings/],
])("with %d MiB free a copy of %d MiB is refused for %s", (free, needed, why) => {
  const ask = () => requireRoom("It was not made", needed * MIB, free * MIB);
  if (why === null) expect(ask).not.toThrow();
  else expect(ask).toThrow(NoRoomError);
  if (why !== null) expect(ask).toThrow(why);
});

test.each([
  [1_030, 1_014, null],
  [1_030, 1_015, /16 MiB/],
])("with %d MiB free a copy of %d MiB without which nothing works is refused for %s", (free, needed, why) => {
  const ask = () => requireRoom("It was not made", needed * MIB, free * MIB, true);
  if (why === null) expect(ask).not.toThrow();
  else expect(ask).toThrow(why);
});

test.each([
  ["ENOSPC", NoRoomError, "is full"],
  ["EDQUOT", NoRoomError, "is full"],
  ["EACCES", StoreWriteError, "/x may not be read or written (EACCES)"],
  ["EPERM", StoreWriteError, "may not be read or written (EPERM)"],
  ["EROFS", StoreWriteError, "may not be read or written (EROFS)"],
  ["EIO", StoreWriteError, "the disk refused /x (EIO)"],
])("%s is reported as %o in words: %s", (code, kind, words) => {
  const error = Object.assign(systemError(code), { path: "/x" });
  const refusal = diskRefusal("It was not made", error) as Error;
  expect([refusal.constructor, refusal.cause]).toEqual([kind, error]);
  expect(refusal.message).toMatch(/^It was not made: /);
  expect(refusal.message).toContain(words);
  expect((diskRefusal("It", systemError("EIO")) as Error).message).toContain("refused the data folder");
});

test("what is no refusal of a disk stays what it is", () => {
  for (const error of [new Error("a bug"), Object.assign(new StoreWriteError("no"), { code: "EIO" })])
    expect(diskRefusal("It", error)).toBe(error);
});

test("a key that lies in the clear in a backup is replaced by the sealed one, and nothing else is written", async () => {
  const fs = diskWith({
    "backups/one/a": "",
    "backups/two/a": "",
    "backups/three/a": "",
    "restoring/a": "",
    "backups/file": "",
  });
  const clear = { backend: FILE, sealed: "clear" };
  const sealed = { backend: "keychain", sealed: "sealed" };
  const others = [
    { backend: FILE, sealed: "other" },
    { backend: "keychain", sealed: "clear" },
  ];
  const path = (folder: string) => join(DIR, folder, "secret.key");
  await writeKeyFile(fs, path("backups/one"), [clear, ...others]);
  await writeKeyFile(fs, path("backups/two"), others);
  await writeKeyFile(fs, path("restoring"), [clear]);
  const read = async (folder: string) => parseKeyFile(await fs.readWhole(path(folder)));
  const renamed: string[] = [];
  const rename = fs.rename.bind(fs);
  fs.rename = (from, to) => {
    renamed.push(to);
    return rename(from, to);
  };
  await moveKeysOfBackups(fs, DIR, new Map([["clear", sealed]]));
  expect([await read("backups/one"), await read("backups/two"), await read("restoring")]).toEqual([
    [sealed, ...others],
    others,
    [sealed],
  ]);
  expect(renamed).toEqual([path("backups/one"), path("restoring")]);
  expect(await fs.check(path("backups/three"))).toBeNull();
});

test("a backup holds the files of a data folder, and its room is counted in blocks", async () => {
  const names = ["state.5.ndjson", "journal.6.ndjson", "delta.7.ndjson", "secrets.json", "secret.key", "postern.json"];
  const stored = [...names, "usage/usage-2026-11.ndjson", "tasks/index.ndjson"];
  const left = ["control.token", "state.x.ndjson", "usage/columns.bin", "media/index.ndjson", "xstate.5.ndjson.tmp"];
  const fs = diskWith(Object.fromEntries([...stored, ...left].map((name) => [name, 1])));
  expect(await dataFiles(fs, DIR)).toEqual(stored.toSorted());
  const sized = diskWith({ empty: 0, one: 1, block: 4_096, more: 4_097 });
  expect(await getRoom(sized, DIR, ["empty", "one", "block", "more", "gone"])).toBe((1 + 2 + 2 + 3 + 1) * 4_096);
});

test.each(["manual", "automatic", "before-restore", "before-update"] as const)(
  "a %s backup is known by its name",
  (kind) => {
    const at = Date.UTC(2026, 10, 20, 12, 34, 56, 789);
    expect(readBackupName(backupName(at, kind))).toEqual({ at, kind });
  },
);

test.each([
  "2026-11-20",
  "2026-13-20T120000-000Z",
  "2026-11-20T120000-000Z-other",
  "2026-11-20T120000-000Z.unfinished",
])("%s is no backup", (name) => expect(readBackupName(name)).toBeNull());

test("what is left of copies that were started or deleted is swept, and what the disk keeps is in no one's way", async () => {
  const names = ["a.unfinished", "b.removing", "c", "unfinished"];
  const fs = diskWith(Object.fromEntries(names.map((name) => [`backups/${name}/x`, 1])));
  const remove = fs.removeFolder.bind(fs);
  fs.removeFolder = (path) => (path.endsWith("a.unfinished") ? Promise.reject(systemError("EBUSY")) : remove(path));
  await sweepBackups(fs, DIR);
  expect((await fs.list(join(DIR, "backups"))).toSorted()).toEqual(["a.unfinished", "c", "unfinished"]);
});

test("a restore that is forgotten leaves neither its intent nor its copy, also after a power cut", async () => {
  const fs = diskWith({ "restoring/state.1.ndjson": "" });
  await intendRestore(fs, DIR, { backup: "b", undo: "u" });
  expect(await readIntent(fs, DIR)).toMatchObject({ backup: "b", undo: "u", phase: "away" });
  await forgetRestore(fs, DIR);
  expect(await readIntent(fs, DIR)).toBeNull();
  expect(await fs.check(join(DIR, "restoring"))).toBeNull();
  for (const disk of fs.afterPowerCut(10, () => 0)) expect(await readIntent(new SimFs(disk), DIR)).toBeNull();
});
