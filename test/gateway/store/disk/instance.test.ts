import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import {
  controlToken,
  publishInstance,
  readInstance,
  withdrawInstance,
  writeControlToken,
} from "../../../../gateway/store/disk/instance.ts";

const INSTANCE = { url: "http://127.0.0.1:6174", pid: 4242, startedAt: 1_795_000_000_000 };
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "postern-instance-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
});

test("what one process publishes another reads, until it is withdrawn", async () => {
  expect(await readInstance(dir)).toBeNull();
  await publishInstance(dir, INSTANCE);
  await publishInstance(dir, { ...INSTANCE, pid: 4243 });
  expect(await readInstance(dir)).toEqual({ ...INSTANCE, pid: 4243 });
  expect(await readdir(dir)).toEqual(["instance.json"]);
  await withdrawInstance(dir);
  expect(await readInstance(dir)).toBeNull();
});

test("the control token is for its owner only and is replaced at each start", async () => {
  expect(await controlToken(dir)).toBeNull();
  await writeControlToken(dir, "first");
  await writeControlToken(dir, "second");
  expect(await controlToken(dir)).toBe("second");
  expect((await stat(join(dir, "control.token"))).mode & 0o777).toBe(0o600);
});

test.each(["", "null", "{}", '{"url":1}', "\0\0\0"])("a file that holds %j names no instance", async (text) => {
  await writeFile(join(dir, "instance.json"), text);
  expect(await readInstance(dir)).toBeNull();
});
