import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needs } from "../../support/needs.ts";
import {
  endDesktopApp,
  environment,
  executablePath,
  missing,
  script,
  startDesktopApp,
  startHeadless,
} from "./desktop-app.ts";

const unable = missing ?? (process.platform === "linux" ? null : "Linux");
let folder: string;

/** Starts the app on a folder that it cannot serve, with a browser that writes down what it is given. */
async function start(dataDir: string, ...more: readonly string[]) {
  const bin = join(folder, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, "xdg-open"), `#!/bin/sh\necho "$1" >> ${join(folder, "opened")}\n`);
  await chmod(join(bin, "xdg-open"), 0o755);
  const child = spawn(executablePath(), [...script, "--port", "0", "--data-dir", dataDir, "--json", ...more], {
    env: environment({ PATH: `${bin}:${process.env["PATH"] ?? ""}` }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const message = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (message[name] += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...message };
}

describe.skipIf(unable !== null)("a start that cannot serve its folder", needs(unable), () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "postern-failures-"));
  });
  afterEach(async () => {
    await chmod(join(folder, "data"), 0o700).catch(() => undefined);
    await chmod(join(folder, "data/desktop"), 0o700).catch(() => undefined);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it("says that it cannot be written, and does not take that for another Postern", async () => {
    const dataDir = join(folder, "data");
    const first = await startHeadless(dataDir);
    await first.end();
    await mkdir(join(dataDir, "desktop"), { recursive: true });
    await chmod(join(dataDir, "desktop"), 0o500);
    await chmod(dataDir, 0o500);
    const { code, stdout, stderr } = await start(dataDir);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(dataDir);
    expect(stderr).not.toContain("already running");
  });

  it("shows the window of the one that serves it, and follows its link, also after the folder for temporary files was cleaned", async () => {
    const desktop = await startDesktopApp();
    try {
      await desktop.window.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
      const socket = await readlink(join(desktop.dataDir, "desktop/SingletonSocket"));
      await rm(join(dirname(socket), "SingletonCookie"));
      const isVisible = () =>
        desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
      await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
      expect(await start(desktop.dataDir)).toMatchObject({ code: 0 });
      expect(await isVisible()).toBe(true);
      expect(await start(desktop.dataDir, "--", "postern://open?page=keys")).toMatchObject({ code: 0 });
      await desktop.window.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
    } finally {
      await endDesktopApp(desktop);
    }
  });

  it("opens the pages of one without a window, signed in", async () => {
    const dataDir = join(folder, "data");
    const first = await startHeadless(dataDir);
    try {
      expect(await start(dataDir)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("already-running") as string,
      });
      expect(await readFile(join(folder, "opened"), "utf8")).toContain(`${first.ready.url}/#token=`);
    } finally {
      await first.end();
    }
  });
});
