import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readInstance } from "../../../gateway/store/disk/instance.ts";
import { VERSION } from "../../../gateway/version.ts";
import { imageOf, installApp, startedImages, type InstalledApp } from "./installed-app.ts";
import { chat, missingDesktop, startOnABus, type OnABus } from "./on-a-bus.ts";
import { NEW_BYTES, startFeed, type UpdateFeed } from "./update-feed.ts";
import { needs } from "../../support/needs.ts";

const reason = missingDesktop ?? (process.platform === "linux" ? null : "updates of an AppImage (this is no Linux)");
if (reason !== null) console.log(`\nskipped: ${reason}\n`);

const SOON = { timeout: 20_000, interval: 100 };

let feed: UpdateFeed;
let app: InstalledApp;
/** The AppImage that Postern runs from. */
let image: string;
let log: string;
let at: OnABus;

/** What the page of updates reads. */
const state = (): Promise<unknown> => at.desktop.window.evaluate("desktop.updates()");
const check = (): Promise<unknown> => at.desktop.window.evaluate("desktop.checkForUpdates()");
const next = (): Promise<unknown> => at.desktop.window.evaluate("desktop.installUpdate()");
/** Installs a fetched update; the window is gone before it could answer. */
const leave = async (): Promise<void> => {
  await next().catch(() => null);
  await at.desktop.ended;
};
const images = (): Promise<readonly string[]> => readdir(dirname(image));
const started = async (): Promise<readonly string[]> => startedImages(await readFile(log, "utf8").catch(() => ""));
const health = async (url: string): Promise<number> =>
  fetch(`${url}/health`).then(
    ({ status }) => status,
    () => 0,
  );
/** The process that serves the data folder after the one that the test has started. */
const successor = async (): Promise<number | null> => {
  const instance = await readInstance(at.desktop.dataDir).catch(() => null);
  if (instance === null || instance.pid === at.desktop.ready.pid) return null;
  return (await health(instance.url)) === 200 ? instance.pid : null;
};
/** Ends the successor by its tray. */
const quitSuccessor = async (): Promise<void> => {
  await expect.poll(() => at.tray.icons().length, SOON).toBe(1);
  await at.tray.click("Quit Postern");
  await expect.poll(() => at.tray.icons().length, SOON).toBe(0);
};
const download = async (): Promise<void> => {
  expect(await check()).toMatchObject({ state: "available", version: "9.0.0" });
  await next();
  await expect.poll(state, SOON).toMatchObject({ state: "ready", version: "9.0.0" });
};

describe.skipIf(reason !== null)("updates of an AppImage", needs(reason), () => {
  const start = async (name = `Postern-${VERSION}-linux.AppImage`): Promise<void> => {
    image = join(app.folder, "images", name);
    await mkdir(dirname(image));
    await writeFile(image, imageOf(app, log), { mode: 0o755 });
    at = await startOnABus({ executable: app.executable, env: { ...app.env, APPIMAGE: image } });
    await at.desktop.window.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  };
  beforeEach(async () => {
    feed = await startFeed();
    app = await installApp(feed.url);
    log = join(app.folder, "started");
    feed.offer("9.0.0", imageOf(app, log));
  });
  afterEach(async () => {
    const left = await successor();
    if (left !== null) process.kill(left);
    await at.end();
    await feed.close();
    await app.remove();
  });

  it("are found, fetched and installed, each when it is asked for, and reported on page, tray and notice", async () => {
    await start();
    await at.desktop.window.evaluate("desktop.setAutostart(true)");
    expect(feed.seen).toEqual([]);
    await at.desktop.window.evaluate("void (location.hash = '#/settings?section=updates')");
    const { window } = at.desktop;
    await window.getByRole("button", { name: "Check for updates" }).click();
    await window.getByRole("button", { name: "Download" }).click();
    await window.getByRole("button", { name: "Restart and install" }).waitFor();
    await window.getByText("It is installed when Postern restarts.").waitFor();
    await expect.poll(() => at.notices.shown.map(({ title }) => title), SOON).toContain("Postern 9.0.0 is ready");
    await expect.poll(() => at.tray.labels(), SOON).toContain("Restart to update to 9.0.0");
    expect(await started()).toEqual([]);

    const response = await chat(at.desktop, "Count to twenty. sandbox:slow=1500");
    await at.tray.click("Restart to update to 9.0.0");
    expect(await response.text()).toContain("data: [DONE]");
    expect(await at.desktop.ended).toBe(0);
    await expect.poll(successor, SOON).not.toBeNull();
    expect(await images()).toEqual(["Postern-9.0.0-linux.AppImage"]);
    expect(await started()).toEqual(["Postern-9.0.0-linux.AppImage"]);
    const entry = () => readFile(join(app.config, "autostart/postern.desktop"), "utf8");
    await expect.poll(entry, SOON).toContain("Postern-9.0.0-linux.AppImage");
    await quitSuccessor();
  });

  it("keep the name that the person gave the file", async () => {
    await start("gateway.AppImage");
    await download();
    await leave();
    expect(await at.desktop.ended).toBe(0);
    await expect.poll(successor, SOON).not.toBeNull();
    expect(await images()).toEqual(["gateway.AppImage"]);
    expect(await readFile(image, "utf8")).toContain(NEW_BYTES);
    await quitSuccessor();
  });

  it("do not exist where the version is the same", async () => {
    feed.offer(VERSION, imageOf(app, log));
    await start();
    expect(await check()).toEqual({ state: "idle", version: null, message: "This is the newest version." });
    expect(feed.seen).toHaveLength(1);
  });

  it("are refused where the checksum is another's, and may be looked for again", async () => {
    feed.tellsTruth = false;
    feed.offer("9.0.0", imageOf(app, log));
    await start();
    expect(await check()).toMatchObject({ state: "available" });
    await next();
    await expect
      .poll(state, SOON)
      .toMatchObject({ state: "failed", message: expect.stringContaining("sha512") as unknown });
    expect(await images()).toEqual([basename(image)]);
    expect(await at.tray.labels()).not.toContain("Restart to update to 9.0.0");
    feed.tellsTruth = true;
    feed.offer("9.0.0", imageOf(app, log));
    await download();
  });

  it("fail in words while there is no network, or it breaks, and not for ever", async () => {
    await start();
    feed.breaks = true;
    expect(await check()).toMatchObject({ state: "available" });
    await next();
    await expect.poll(state, SOON).toMatchObject({ state: "failed" });
    feed.breaks = false;
    await download();
    expect(await health(at.desktop.ready.url)).toBe(200);
  });

  it("fail in words where no one answers", async () => {
    await start();
    await feed.close();
    expect(await check()).toMatchObject({ state: "failed", message: expect.stringMatching(/refused/i) as unknown });
    expect(await health(at.desktop.ready.url)).toBe(200);
  });

  it("leave the old version, started again, when they cannot be put in its place", async () => {
    await start();
    await download();
    await rm(join(app.cache, "postern-updater/pending"), { recursive: true });
    await leave();
    await expect.poll(successor, SOON).not.toBeNull();
    expect(await images()).toEqual([basename(image)]);
    expect(await started()).toEqual([basename(image)]);
    await quitSuccessor();
  });

  it("stop nothing where the folder of the AppImage refuses writes", async () => {
    await start();
    await download();
    await chmod(dirname(image), 0o555);
    try {
      expect(await next()).toMatchObject({ state: "failed", message: expect.stringContaining("EACCES") as unknown });
      expect(await health(at.desktop.ready.url)).toBe(200);
      expect(await images()).toEqual([basename(image)]);
    } finally {
      await chmod(dirname(image), 0o755);
    }
  });
});
