import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Ready } from "../../support/child-gateway.ts";
import { killRounds, type Launch } from "../../support/gateway-kills.ts";
import { startProvider } from "../../support/mock-provider.ts";
import { missingBus } from "./bus.ts";
import { endDesktopApp, environment, executablePath, missing, script, startDesktopAppWith } from "./desktop-app.ts";
import { startLoginManager } from "./login-manager.ts";
import { allProcesses, environmentOf, lives } from "./processes.ts";
import { needs } from "../../support/needs.ts";

const unable = missing ?? (process.platform === "linux" ? null : "sleep and power-off are told by logind");
if (unable !== null) console.log(`\nskipped: ${unable}\n`);
else if (missingBus !== null) console.log(`\nskipped: sleep and power-off (${missingBus})\n`);

const project = join(import.meta.dirname, "../../..");

describe.skipIf(unable !== null || missingBus !== null)(
  "the app on a machine that sleeps and is powered off",
  needs(unable ?? missingBus),
  () => {
    /** The app on a bus with a login manager, with a provider on loopback instead of the sandbox. */
    const start = async () => {
      const provider = await startProvider();
      const manager = await startLoginManager();
      const env = {
        ...manager.env,
        POSTERN_SANDBOX: "off",
        POSTERN_OPENAI_BASE_URL: provider.baseUrl,
        POSTERN_OPENAI_API_KEY: "sk-provider-key-0001",
      };
      const desktop = await startDesktopAppWith({ env });
      onTestFinished(async () => {
        await endDesktopApp(desktop);
        await manager.end();
        await provider.close();
      });
      await expect.poll(() => [...manager.waitsFor].toSorted()).toEqual(["shutdown", "sleep"]);
      return { provider, manager, desktop };
    };

    it("looks after its providers when it wakes up", async () => {
      const { provider, manager, desktop } = await start();
      await expect.poll(() => provider.lists).toBeGreaterThan(0);
      const before = provider.lists;
      manager.sleep(true);
      expect((await fetch(`${desktop.ready.url}/health`)).status).toBe(200);
      expect(provider.lists).toBe(before);
      manager.sleep(false);
      await expect.poll(() => provider.lists).toBeGreaterThan(before);
      expect((await fetch(`${desktop.ready.url}/health`)).status).toBe(200);
    });

    it("finishes a response that has started before it lets the machine go", async () => {
      const manager = await startLoginManager();
      const desktop = await startDesktopAppWith({ env: manager.env });
      onTestFinished(async () => {
        await endDesktopApp(desktop);
        await manager.end();
      });
      await expect.poll(() => manager.waitsFor.has("shutdown")).toBe(true);
      const response = await fetch(`${desktop.ready.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${desktop.ready.apiKey ?? ""}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: "gpt-4o-mini",
          stream: true,
          messages: [{ role: "user", content: "Count to twenty. sandbox:slow=1500" }],
        }),
      });
      manager.powerOff();
      expect(await response.text()).toContain("data: [DONE]");
      expect(await desktop.ended).toBe(0);
    });
  },
);

/** The app with its window, in a group of processes that a kill ends at once, as a power cut does. */
const launchApp: Launch = (args, env) => {
  const { POSTERN_SANDBOX: _, ...clean } = environment(env);
  const child = spawn(executablePath(), [...script, ...args], {
    env: clean,
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("Electron did not start");
  const exited = once(child, "exit").then(([code]) => code as number | null);
  const firstLine = once(createInterface({ input: child.stdout }), "line").then(([line]) => line as string);
  return {
    ready: async () => JSON.parse(await firstLine) as Ready,
    kill: (signal) => void process.kill(-pid, signal),
    exited,
  };
};

/** Processes that were started for a data folder and live. */
const left = (dataDir: string): number[] =>
  allProcesses().filter((pid) => lives(pid) && environmentOf(pid).includes(`POSTERN_DATA_DIR=${dataDir}`));

describe.skipIf(unable !== null)("the app when the power is cut under load", needs(unable), () => {
  it("opens again with every acknowledged key and every finished call, once, and its doctor finds nothing", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "postern-electron-"));
    const provider = await startProvider();
    onTestFinished(async () => {
      await provider.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    });
    const launch: Launch = (args, env) => launchApp(args, { ...env, POSTERN_DATA_DIR: dataDir });
    const report = await killRounds(dataDir, provider, 3, Math.random, launch);
    expect(report.broken).toEqual([]);
    expect(report.calls).toBeGreaterThan(0);
    expect(report.openings).toHaveLength(4);
    await expect.poll(() => left(dataDir)).toEqual([]);
    const doctor = [join(project, "main/postern.mjs"), "doctor", "--data-dir", dataDir, "--json"];
    const { stdout } = await promisify(execFile)(process.execPath, doctor);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  }, 120_000);
});
