import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { hasProgram } from "./bus.ts";
import {
  endDesktopApp,
  environment,
  executablePath,
  isPackaged,
  missing,
  script,
  startDesktopAppWith,
  type DesktopApp,
} from "./desktop-app.ts";
import { allProcesses, environmentOf, isFree, lives } from "./processes.ts";
import { needs } from "../../support/needs.ts";

const unable = missing ?? (process.platform === "linux" ? null : "the processes are found in /proc");
if (unable !== null) console.log(`\nskipped: ${unable}\n`);
else if (!hasProgram("xwininfo")) console.log("\nnot looked at: whether the box is on the screen (no xwininfo)\n");

const WHY = "POSTERN_STOPPED=a bug of the suite";
let desktop: DesktopApp | null = null;
let started: ChildProcess | null = null;
let folder = "";

/** Starts the app without the driver. */
function start(env: Readonly<Record<string, string>>, ...own: readonly string[]): ChildProcess {
  started = spawn(executablePath(), [...script, "--data-dir", folder, ...own], {
    env: environment(env),
    stdio: "ignore",
  });
  return started;
}
/** The names of the windows on the screen; null where nothing here can tell them. */
const windows = (): string | null =>
  hasProgram("xwininfo") ? execFileSync("xwininfo", ["-root", "-tree"], { encoding: "utf8" }) : null;
const boxIsThere = (): boolean => windows()?.includes('"Postern"') ?? true;
/** Ends a process as a service manager does. */
async function end(pid: number): Promise<void> {
  process.kill(pid, "SIGTERM");
  await expect.poll(() => lives(pid), { timeout: 10_000 }).toBe(false);
}
afterEach(async () => {
  if (desktop !== null) await endDesktopApp(desktop);
  started?.kill("SIGKILL");
  desktop = started = null;
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe.skipIf(unable !== null)("an error that was not expected", needs(unable), () => {
  it("ends the process, with its port, and its user is notified", async () => {
    desktop = await startDesktopAppWith({});
    const { ready, app, ended } = desktop;
    let stderr = "";
    app.process().stderr?.on("data", (part) => (stderr += String(part)));
    await app.evaluate(() => {
      setTimeout(() => {
        throw new Error("a bug of the suite");
      });
    });
    expect(await ended).toBe(1);
    expect(await isFree(ready.url)).toBe(true);
    if (!isPackaged) {
      expect(stderr).toContain("Postern stopped because of an internal error: a bug of the suite");
      return;
    }
    // An installed app has no terminal: another process of it shows a box.
    const telling = () => allProcesses().find((pid) => environmentOf(pid).includes(WHY));
    await expect.poll(telling, { timeout: 10_000 }).toBeDefined();
    await expect.poll(boxIsThere, { timeout: 10_000 }).toBe(true);
    expect(await isFree(ready.url)).toBe(true);
    await end(telling() ?? 0);
  });

  it("is reported by a process that blocks no start, and ends on a signal", async () => {
    folder = await mkdtemp(join(tmpdir(), "postern-electron-"));
    const [name = "", value = ""] = WHY.split("=");
    const box = start({ [name]: value });
    await expect.poll(boxIsThere, { timeout: 10_000 }).toBe(true);
    desktop = await startDesktopAppWith({ dataDir: folder });
    expect((await fetch(`${desktop.ready.url}/health`)).status).toBe(200);
    await end(box.pid ?? 0);
    expect((await fetch(`${desktop.ready.url}/health`)).status).toBe(200);
  });
});

describe.skipIf(unable !== null || !isPackaged)(
  "an installed app that cannot start",
  needs(unable ?? "a package"),
  () => {
    it("says so in a box that hears a signal", async () => {
      folder = await mkdtemp(join(tmpdir(), "postern-electron-"));
      const other = createServer().listen(0, "127.0.0.1");
      await once(other, "listening");
      const failing = start({}, "--port", String((other.address() as AddressInfo).port));
      await expect.poll(boxIsThere, { timeout: 10_000 }).toBe(true);
      await end(failing.pid ?? 0);
      other.close();
    });
  },
);
