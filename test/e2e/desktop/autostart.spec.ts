import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { readInstance } from "../../../gateway/store/disk/instance.ts";
import { hasProgram } from "./bus.ts";
import { installApp } from "./installed-app.ts";
import { missingDesktop, startOnABus } from "./on-a-bus.ts";
import { needs } from "../../support/needs.ts";

const reason =
  missingDesktop ??
  (process.platform === "linux" ? null : "the session's autostart folder (this is no Linux)") ??
  (hasProgram("gio") ? null : "what the session starts (no gio, which reads such files as desktops do)");
if (reason !== null) console.log(`\nskipped: ${reason}\n`);

const run = promisify(execFile);
const SOON = { timeout: 20_000, interval: 100 };

/** Chromium's processes for pages of a data folder. */
async function pagesOf(dataDir: string): Promise<number> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")));
  return lines.filter((line) => line.includes("--type=renderer") && line.includes(dataDir)).length;
}

it.skipIf(reason !== null)(
  "starts with the session, without a window, as it was started when it was switched on",
  needs(reason),
  async () => {
    const app = await installApp("http://127.0.0.1:9");
    // What an autostart file must quote.
    const dataDir = join(app.folder, `data of "Ann" \`x\` $HOME 100% \\`);
    const entry = join(app.config, "autostart/postern.desktop");
    const at = await startOnABus({ executable: app.executable, env: app.env, dataDir });
    const ticked = async () => (await at.tray.menu()).find(({ label }) => label === "Start at login")?.isTicked;
    const isServed = async (): Promise<boolean> => {
      const instance = await readInstance(dataDir).catch(() => null);
      if (instance === null) return false;
      return fetch(`${instance.url}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    };
    try {
      await expect.poll(() => at.tray.icons().length).toBe(1);
      expect(await ticked()).toBe(false);
      await at.tray.click("Start at login");
      await expect.poll(ticked, SOON).toBe(true);
      expect(await at.desktop.window.evaluate("desktop.autostart()")).toBe(true);
      if (hasProgram("desktop-file-validate")) {
        expect(await run("desktop-file-validate", [entry])).toMatchObject({ stdout: "", stderr: "" });
      }
      await at.tray.click("Quit Postern");
      await at.desktop.ended;
      await expect.poll(() => at.tray.icons().length, SOON).toBe(0);

      const env = { ...process.env, ...at.bus.env, ...app.env, POSTERN_SANDBOX: "on" };
      // Without pipes: what it starts would keep them open.
      await once(spawn("gio", ["launch", entry], { env, stdio: "ignore" }), "exit");
      await expect.poll(isServed, SOON).toBe(true);
      await expect.poll(() => at.tray.icons().length, SOON).toBe(1);
      expect(await ticked()).toBe(true);
      expect(await pagesOf(dataDir)).toBe(0);
      await at.tray.click("Open Postern");
      await expect.poll(() => pagesOf(dataDir), SOON).toBeGreaterThan(0);
      await at.tray.click("Start at login");
      await expect.poll(ticked, SOON).toBe(false);
      expect(existsSync(entry)).toBe(false);
      await at.tray.click("Quit Postern");
      await expect.poll(() => at.tray.icons().length, SOON).toBe(0);
    } finally {
      await at.end();
      await app.remove();
    }
  },
);
