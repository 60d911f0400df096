import { cp, rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BackupsView } from "../../gateway/contract/maintenance.ts";
import { bundled } from "../run/bundled.ts";
import { ChildGateway } from "../support/child-gateway.ts";
import type { KillPoint } from "../support/kill-points.ts";
import { startGateway, temporaryFolder, type TestGateway } from "../support/running-gateway.ts";
import { needs } from "../support/needs.ts";
import { readFirstOutput } from "../support/first-output.ts";

/** A real process that is killed by SIGKILL in the middle of restoring a backup, at many moments of it. */

const PROGRAM = await bundled("test/support/killed-program.ts");
const OLD = ["kept", "made since"];
const NEW = ["kept"];

/** With a backup that has the key `kept`, and `made since` after it. */
let folder: string;
/** The same, with that backup chosen for the next start. */
let staged: string;
let backup: string;
const folders: string[] = [];

beforeAll(async () => {
  folder = await newFolder();
  const gateway = await startGateway({ dataDir: folder });
  await gateway.ask("POST", "/keys", { name: "kept" });
  await gateway.ask("POST", "/backup");
  await gateway.ask("POST", "/keys", { name: "made since" });
  backup = (await gateway.ask<BackupsView>("GET", "/backups")).data[0]?.name ?? "";
  await gateway.stop();
  staged = await copyOf(folder);
  const again = await startGateway({ dataDir: staged });
  await again.ask("POST", "/backups/restore", { name: backup });
  await again.stop();
});
afterAll(() => Promise.all(folders.map((path) => rm(path, { recursive: true, force: true }))));

async function newFolder(): Promise<string> {
  const path = await temporaryFolder();
  folders.push(path);
  return path;
}
async function copyOf(path: string): Promise<string> {
  const copy = await newFolder();
  await cp(path, copy, { recursive: true });
  return copy;
}

/** A start that is killed at the point; its output when it was not. */
async function killedStart(dataDir: string, point: KillPoint): Promise<number | null> {
  const child = new ChildGateway(
    ["--port", "0", "--data-dir", dataDir, "--json"],
    { KILL_POINT: JSON.stringify(point) },
    PROGRAM,
  );
  return child.exited;
}

/** What the next start finds: the names of its keys, and the backups. */
async function found(dataDir: string, look?: (gateway: TestGateway) => Promise<void>): Promise<string[]> {
  const gateway = await startGateway({ dataDir });
  try {
    await look?.(gateway);
    const { data } = await gateway.ask<{ data: { name: string }[] }>("GET", "/keys");
    expect(await gateway.ask<BackupsView>("GET", "/backups")).toMatchObject({ pending: null });
    const names = new Set([...OLD, ...NEW]);
    return data.flatMap(({ name }) => (names.has(name) ? [name] : [])).toSorted();
  } finally {
    await gateway.stop();
  }
}

it.each([1, 2, 4, 7])(
  "killed after %i files were moved at a start, the next one has the backup, and the data of before as another",
  async (nth) => {
    const dataDir = await copyOf(staged);
    expect(await killedStart(dataDir, { in: "any", at: "renamed", nth })).toBeNull();
    const names = await found(dataDir, async (gateway) => {
      const { data } = await gateway.ask<BackupsView>("GET", "/backups");
      expect(data.map(({ kind }) => kind)).toStrictEqual(["before-restore", "manual"]);
      // Only what opens whole is taken.
      await gateway.ask("POST", "/backups/restore", { name: data[0]?.name });
      await gateway.ask("POST", "/backups/cancel");
    });
    expect(names).toStrictEqual(NEW);
  },
);

it.skipIf(process.platform === "win32").each([1, 5])(
  "killed while the backup is made ready, after %i writes, the next start has the data as they were",
  needs("POSIX signals"),
  async (nth) => {
    const dataDir = await copyOf(folder);
    const point: KillPoint = { in: "any", at: "written", nth };
    const args = ["--port", "0", "--data-dir", dataDir, "--json"];
    const child = new ChildGateway(args, { KILL_LATER: JSON.stringify(point) }, PROGRAM);
    const { url, ui } = await child.ready();
    const session = await fetch(`${url}/control/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: new URL(ui).hash.slice("#token=".length) }),
    });
    const { bearer } = (await session.json()) as { bearer: string };
    const armed = readFirstOutput(child.child);
    child.kill("SIGUSR2");
    await armed;
    const pending = fetch(`${url}/control/backups/restore`, {
      method: "POST",
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      body: JSON.stringify({ name: backup }),
    });
    await expect(pending).rejects.toThrow("fetch failed");
    expect(await child.exited).toBeNull();
    expect(await found(dataDir)).toStrictEqual(OLD);
  },
);
