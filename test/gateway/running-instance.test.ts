import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { publishInstance } from "../../gateway/store/disk/instance.ts";
import { alreadyRunning } from "../../gateway/running-instance.ts";

const instance = { url: "http://127.0.0.1:6199", pid: 4711, startedAt: 1 };
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-neighbour-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("says where the other one is running", async () => {
  await publishInstance(folder, instance);
  const error = await alreadyRunning(folder);
  expect(error).toMatchObject({ kind: "running", url: instance.url });
  expect(error.message).toBe(
    `Postern is already running at ${instance.url} (pid 4711), with the data folder ${folder}.`,
  );
});

it("waits for one that is still starting", async () => {
  const response = alreadyRunning(folder);
  await publishInstance(folder, instance);
  expect(await response).toMatchObject({ url: instance.url });
});
