import { spawn, spawnSync, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { LOCK_FILE, lockFolder } from "../../../../gateway/store/disk/lock.ts";
import { readFirstOutput } from "../../../support/first-output.ts";

const CHILD = fileURLToPath(new URL("lock-child.ts", import.meta.url));

async function temporaryFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "postern-lock-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

interface Holder {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** What it said. */
  readonly said: Promise<string>;
}

/** @param through a program that runs it, with its arguments */
function holder(dir: string, through: readonly string[] = []): Holder {
  const [program = "", ...args]: string[] = [...through, process.execPath, CHILD, dir];
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, said: readFirstOutput(child) };
}

/** Whether this machine lets us make a network namespace. */
const hasNamespaces = spawnSync("unshare", ["-n", "true"]).status === 0;
const isRoot = process.getuid?.() === 0;

test("of processes that start together on one folder exactly one is the owner", async () => {
  for (let round = 0; round < 3; round += 1) {
    const dir = await temporaryFolder();
    const texts = await Promise.all(Array.from({ length: 4 }, () => holder(dir).said));
    expect(texts.toSorted()).toEqual(["owner", "taken", "taken", "taken"]);
  }
}, 60_000);

test("a killed owner leaves the folder free at once", async () => {
  const dir = await temporaryFolder();
  const { child, said } = holder(dir);
  expect(await said).toBe("owner");
  expect(await lockFolder(dir)).toEqual({ owner: false });
  child.kill("SIGKILL");
  await once(child, "exit");
  const lock = await lockFolder(dir);
  expect(lock.owner).toBe(true);
  if (lock.owner) lock.release();
});

test("two paths to one folder are one lock, two folders are two", async () => {
  const dir = await temporaryFolder();
  const link = `${dir}-link`;
  await symlink(dir, link);
  onTestFinished(() => rm(link, { force: true }));
  const first = await lockFolder(dir);
  expect(first.owner).toBe(true);
  expect(await lockFolder(link)).toEqual({ owner: false });
  const other = await lockFolder(await temporaryFolder());
  expect(other.owner).toBe(true);
  for (const lock of [first, other]) if (lock.owner) lock.release();
});

test("a process of another network namespace finds the folder taken, and free when its owner is dead", async (context) => {
  if (!hasNamespaces) context.skip("this machine does not let us make a network namespace (unshare -n)");
  const dir = await temporaryFolder();
  const { child, said } = holder(dir, ["unshare", "-n"]);
  expect(await said).toBe("owner");
  expect(await lockFolder(dir)).toEqual({ owner: false });
  expect(await holder(dir, ["unshare", "-n"]).said).toBe("taken");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await holder(dir, ["unshare", "-n"]).said).toBe("owner");
});

test("another user cannot take the lock, not even of a folder that everybody may enter", async (context) => {
  if (!isRoot) context.skip("only root can become another user");
  for (const mode of [0o700, 0o755]) {
    const dir = await temporaryFolder();
    const first = await lockFolder(dir);
    if (first.owner) first.release();
    await chmod(dir, mode);
    const become = `process.setgid(65534); process.setuid(65534);
      const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
      new DatabaseSync(process.argv[1]).exec("BEGIN EXCLUSIVE");`;
    const stranger = spawnSync(process.execPath, ["-e", become, join(dir, LOCK_FILE)], { encoding: "utf8" });
    expect(stranger.stderr).toContain("unable to open database file");
    const lock = await lockFolder(dir);
    expect(lock.owner).toBe(true);
    if (lock.owner) lock.release();
  }
});

test("the name that earlier versions locked with has no meaning any more", async () => {
  if (process.platform !== "linux") return;
  const dir = await temporaryFolder();
  const { dev, ino } = await stat(dir, { bigint: true });
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(`\0postern-${dev.toString(36)}-${ino.toString(36)}`, resolve));
  onTestFinished(() => new Promise((resolve) => squatter.close(() => resolve())));
  const lock = await lockFolder(dir);
  expect(lock.owner).toBe(true);
  if (lock.owner) lock.release();
});

test("one process may have it again and again, and not twice", async () => {
  const dir = await temporaryFolder();
  for (let round = 0; round < 3; round += 1) {
    const lock = await lockFolder(dir);
    expect(lock.owner).toBe(true);
    expect(await lockFolder(dir)).toEqual({ owner: false });
    if (!lock.owner) return;
    lock.release();
    // A second time does nothing to anyone who has it then.
    const next = await lockFolder(dir);
    lock.release();
    expect(await holder(dir).said).toBe("taken");
    if (next.owner) next.release();
  }
});

test.each([1, 15, 100, 512, 5_000])("a lock file of %i bytes of anything is a lock all the same", async (length) => {
  const dir = await temporaryFolder();
  await writeFile(join(dir, LOCK_FILE), Buffer.alloc(length, "x"));
  const { said } = holder(dir);
  expect(await said).toBe("owner");
  expect(await lockFolder(dir)).toEqual({ owner: false });
});

test("its file is for the folder's owner alone, empty, and nothing is next to it", async () => {
  const dir = await temporaryFolder();
  const lock = await lockFolder(dir);
  expect((await stat(join(dir, LOCK_FILE))).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
  expect((await stat(join(dir, LOCK_FILE))).size).toBe(0);
  expect(await readdir(dir)).toEqual([LOCK_FILE]);
  if (lock.owner) lock.release();
});

test("a file system without locks is said, and no one owns the folder", async () => {
  const dir = await temporaryFolder();
  await expect(lockFolder(dir, () => null)).rejects.toThrow(/cannot lock files/);
});
