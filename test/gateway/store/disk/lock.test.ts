import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { lockFolder } from "../../../../gateway/store/disk/lock.ts";

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

function holder(dir: string): Holder {
  const child = spawn(process.execPath, [CHILD, dir], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, said: once(child.stdout, "data").then(([chunk]) => String(chunk).trim()) };
}

test("of processes that start together on one folder exactly one is the owner", async () => {
  for (let round = 0; round < 3; round += 1) {
    const dir = await temporaryFolder();
    const said = await Promise.all(Array.from({ length: 4 }, () => holder(dir).said));
    expect(said.toSorted()).toEqual(["owner", "taken", "taken", "taken"]);
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
