import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { BackupsView } from "../../gateway/contract/maintenance.ts";
import { bundled } from "../run/bundled.ts";
import { ChildGateway } from "../support/child-gateway.ts";
import type { KillPoint } from "../support/kill-points.ts";
import { startGateway, temporaryFolder } from "../support/running-gateway.ts";
import { needs } from "../support/needs.ts";
import { readFirstOutput } from "../support/first-output.ts";

/** A real process that is killed by SIGKILL in the middle of making a backup. */

const PROGRAM = await bundled("test/support/killed-program.ts");
let dataDir: string;

beforeAll(async () => {
  dataDir = await temporaryFolder();
  const gateway = await startGateway({ dataDir });
  await gateway.ask("POST", "/keys", { name: "kept" });
  await gateway.stop();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function killedBackup(point: KillPoint): Promise<void> {
  const args = ["--port", "0", "--data-dir", dataDir, "--json"];
  const child = new ChildGateway(args, { KILL_LATER: JSON.stringify(point) }, PROGRAM);
  onTestFinished(() => child.kill("SIGKILL"));
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
  const pending = fetch(`${url}/control/backup`, { method: "POST", headers: { authorization: `Bearer ${bearer}` } });
  await expect(pending).rejects.toThrow("fetch failed");
  expect(await child.exited).toBeNull();
}

it.skipIf(process.platform === "win32").each([
  { in: "journal", at: "written", nth: 2 },
  { in: "journal", at: "synced", nth: 2 },
  { in: "other", at: "synced", nth: 3 },
] as const)("leaves a half copy (%o), which the next start removes", needs("POSIX signals"), async (point) => {
  await killedBackup(point);
  expect(await readdir(join(dataDir, "backups"))).toStrictEqual([expect.stringMatching(/\.unfinished$/)]);
  const gateway = await startGateway({ dataDir });
  try {
    expect(await readdir(join(dataDir, "backups")).catch(() => [])).toStrictEqual([]);
    await gateway.ask("POST", "/backup");
    const { data } = await gateway.ask<BackupsView>("GET", "/backups");
    expect(data).toHaveLength(1);
    await gateway.ask("POST", "/backups/remove", { name: data[0]?.name });
  } finally {
    await gateway.stop();
  }
});
