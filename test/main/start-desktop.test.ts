import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stateSchema } from "../../gateway/contract/control.ts";
import { silentLog } from "../../gateway/lib/log.ts";
import { nodeStoreFs } from "../../gateway/store/disk/store-fs.ts";
import { StartError } from "../../gateway/start-error.ts";
import { OPEN_PAGES, RESTART, SET_APPEARANCE } from "../../main/policy/channels.ts";
import { readProtection } from "../../main/sealed-by.ts";
import { collectLinks } from "../../main/shell/links.ts";
import { startDesktop } from "../../main/start-desktop.ts";
import { findInstance } from "../../main/launch/instance.ts";
import { createControlClient } from "../../main/launch/control-client.ts";
import { showRunning } from "../../main/show-running.ts";
import { startGateway } from "../support/running-gateway.ts";
import * as electron from "./fakes/electron.ts";

vi.mock("electron", () => import("./fakes/electron.ts"));

/** The whole desktop app but for Electron itself: a real gateway on a free port and a folder of its own. */
let dataDir = "";
let printed = "";

const start = async (port = 0, hidden = false, argv: readonly string[] = ["postern"], json = false) => {
  const own = ["--data-dir", dataDir];
  const options = { dataDir, host: "127.0.0.1", port, json, log: silentLog, own, hidden, variables: {} };
  const sealers = await readProtection(nodeStoreFs, dataDir);
  return startDesktop({ ...options, sealedBy: sealers, links: collectLinks(argv) }, join(dataDir, "desktop"));
};
const window = (): electron.BrowserWindow => electron.windows[0]!;
const url = (): string => new URL(window().loaded[0]!).origin;
const entry = (label: string) => electron.trays[0]?.menus.at(-1)?.template.find((item) => item.label === label);
const unopened = (): Promise<void> => Promise.reject(new Error("no browser is to be opened"));
const exit = (): Promise<number> => new Promise((resolve) => electron.app.once("fake-exit", resolve));

/** Asks the control API as the window's page does: one-time token, then bearer. */
async function state(token: string) {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ token });
  const session = await fetch(`${url()}/control/session`, { method: "POST", headers, body });
  expect(session.status).toBe(200);
  const { bearer } = (await session.json()) as { bearer: string };
  const response = await fetch(`${url()}/control/state`, { headers: { authorization: `Bearer ${bearer}` } });
  return stateSchema.parse(await response.json());
}
/** The event of a message of the window's page. */
const fromPage = () => ({
  senderFrame: { url: `${url()}/`, parent: null, frameTreeNodeId: window().webContents.mainFrame.frameTreeNodeId },
  sender: window().webContents,
});
/** As the window's page asks for a token over its bridge. */
function tokenOfBridge(): string {
  const response = electron.ipcMain.handlers.get(OPEN_PAGES)?.(fromPage()) as { token: string };
  return response.token;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let listeners: NodeJS.SignalsListener[] = [];

beforeEach(async () => {
  electron.resetElectron();
  dataDir = await mkdtemp(join(tmpdir(), "postern-desktop-"));
  listeners = signals.flatMap((signal) => process.listeners(signal));
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  const isRunning = electron.trays.length > 0 && electron.app.exitCode === null;
  if (isRunning) {
    const end = exit();
    electron.app.quit();
    await end;
  }
  for (const signal of signals) {
    for (const listener of process.listeners(signal)) if (!listeners.includes(listener)) process.off(signal, listener);
  }
  await rm(dataDir, { recursive: true, force: true });
});

describe("startDesktop", () => {
  it("serves, then shows: ready line, window on the gateway's pages, tray", async () => {
    await start();
    expect(printed).toMatch(
      /^Postern is ready at http:\/\/127\.0\.0\.1:\d+\nPages: .*#token=.+\n.*sk-[0-9A-Za-z]{48}\n/,
    );
    expect(printed).toContain(`Postern is ready at ${url()}\n`);
    expect((await fetch(`${url()}/health`)).status).toBe(200);
    expect(electron.trays[0]?.tooltip).toBe(`Postern: Running on ${new URL(url()).port}`);
    expect(electron.Menu.application).not.toBeNull();
    expect(electron.session.defaultSession.proxy).toStrictEqual({ mode: "direct" });
  });

  it("gives the page a token over its bridge that opens the control API once, and none in its address", async () => {
    await start();
    expect(window().loaded).toStrictEqual([`${url()}/`]);
    const token = tokenOfBridge();
    expect(await state(token)).toMatchObject({ url: url(), status: "running", data_dir: dataDir });
    const again = await fetch(`${url()}/control/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
    expect(again.status).toBe(401);
  });

  it("gives a reloaded page a fresh token", async () => {
    await start();
    await state(tokenOfBridge());
    expect((await state(tokenOfBridge())).status).toBe("running");
  });

  it("guards every page before the first one loads", async () => {
    await start();
    expect(window().webContents.windowOpenHandler?.({ url: "https://example.com/" })).toStrictEqual({ action: "deny" });
    const response = vi.fn<(decision: unknown) => void>();
    electron.session.defaultSession.beforeRequest({ url: "https://example.com/" }, response);
    electron.session.defaultSession.beforeRequest({ url: `${url()}/` }, response);
    expect(response.mock.calls).toStrictEqual([[{ cancel: true }], [{ cancel: false }]]);
  });

  it("acts by its tray", async () => {
    await start();
    entry("Copy base URL")?.click?.();
    expect(electron.clipboard.text).toBe(`${url()}/v1`);
    window().close();
    entry("Open Postern")?.click?.();
    expect(window().calls.slice(-2)).toStrictEqual(["show", "focus"]);
  });

  it("pauses and resumes by its tray, ticks what is on, and copies the address of the tools", async () => {
    await start();
    entry("Copy MCP address")?.click?.();
    expect(electron.clipboard.text).toBe(`${url()}/mcp`);
    entry("Pause")?.click?.();
    await expect.poll(() => entry("Paused")).toBeDefined();
    expect((await fetch(`${url()}/v1/models`)).status).toBe(503);
    entry("Resume")?.click?.();
    await expect.poll(() => entry("Pause")).toBeDefined();
    expect(entry("Notifications")?.checked).toBe(true);
    entry("Notifications")?.click?.();
    expect(entry("Notifications")?.checked).toBe(false);
    // A working copy cannot start with the session.
    expect(entry("Start at login")).toBeUndefined();
  });

  it("follows the pages' language and theme in tray, menus and notices, at the next start too", async () => {
    await start();
    const follow = electron.ipcMain.handlers.get(SET_APPEARANCE)!;
    follow(fromPage(), { language: "zh", theme: "dark" });
    expect(entry("退出 Postern")).toBeDefined();
    expect(electron.Menu.application?.template.map(({ label }) => label)).toContain("文件(&F)");
    expect(electron.nativeTheme.themeSource).toBe("dark");
    electron.app.emit("open-url", new electron.FakeEvent(), "postern://connect?provider=openai&api_key=sk-abcdefgh");
    expect(electron.notifications.at(-1)?.options.title).toBe("已拒绝一个指向 Postern 的链接");
    const menu = electron.Menu.application;
    follow(fromPage(), { language: "zh", theme: "dark" });
    expect(electron.Menu.application).toBe(menu);
    const end = exit();
    electron.app.quit();
    await end;
    electron.resetElectron();
    await start();
    expect(electron.nativeTheme.themeSource).toBe("dark");
    electron.ipcMain.handlers.get(SET_APPEARANCE)?.(fromPage(), { language: null, theme: "system" });
    expect([electron.nativeTheme.themeSource, entry("Quit Postern") !== undefined]).toStrictEqual(["system", true]);
  });

  it("opens no window when the session starts it, and one when someone does", async () => {
    await start(0, true);
    expect(electron.windows).toHaveLength(0);
    expect(printed).toContain("Postern is ready");
    electron.app.emit("second-instance", new electron.FakeEvent(), ["postern"], "/", null);
    expect(electron.windows).toHaveLength(1);
  });

  it("follows a link of its start and of a second one to a filled-in page, and refuses others in words", async () => {
    await start(0, false, ["postern", "--", "postern://connect?provider=openai&name=Work"]);
    await expect
      .poll(() => window().loaded.at(-1))
      .toBe(`${url()}/#/connections?link=connect&provider=openai&name=Work`);
    await showRunning(dataDir, "postern://open?page=tasks&id=vt_1", unopened);
    await expect.poll(() => window().loaded.at(-1)).toBe(`${url()}/#/tasks?task=vt_1`);
    const before = window().loaded.length;
    const event = new electron.FakeEvent();
    electron.app.emit("open-url", event, "postern://connect?provider=openai&api_key=sk-abcdefgh");
    expect(event.defaultPrevented).toBe(true);
    expect(window().loaded).toHaveLength(before);
    expect(electron.notifications.map((shown) => shown.options.title)).toContain("A link to Postern was refused");
    expect(JSON.stringify(electron.notifications)).not.toContain("sk-abcdefgh");
  });

  it("listens for a shutdown second, since Electron 42 has the system wait for no first listener", async () => {
    await start();
    expect(electron.powerMonitor.eventNames()).toStrictEqual(["resume", "shutdown"]);
  });

  it("restarts for the pages when everything is drained", async () => {
    await start();
    const end = exit();
    electron.ipcMain.handlers.get(RESTART)?.(fromPage());
    expect(await end).toBe(0);
    expect(electron.app.calls.slice(-2)).toStrictEqual([expect.stringMatching(/^relaunch /), "exit 0"]);
  });

  it("goes on serving when the window is hidden, crashes, or is gone", async () => {
    await start();
    window().close();
    electron.app.emit("render-process-gone", new electron.FakeEvent(), window().webContents, { reason: "crashed" });
    window().destroyed = true;
    window().emit("closed");
    electron.app.lastWindowClosed();
    expect(electron.app.calls).not.toContain("quit");
    expect((await fetch(`${url()}/health`)).status).toBe(200);
    electron.app.emit("second-instance", new electron.FakeEvent(), ["postern"], "/", null);
    expect(electron.windows).toHaveLength(2);
  });

  it("drains and lets go of the folder when it quits", async () => {
    await start();
    const address = url();
    window().close();
    const end = exit();
    entry("Quit Postern")?.click?.();
    expect(entry("Stopping")).toBeDefined();
    expect(await end).toBe(0);
    await expect(fetch(`${address}/health`)).rejects.toThrow("fetch failed");
    const memory = JSON.parse(await readFile(join(dataDir, "desktop", "desktop.json"), "utf8"));
    expect(memory.window).toMatchObject(window().bounds);
    electron.resetElectron();
    await start();
    expect((await fetch(`${url()}/health`)).status).toBe(200);
    expect(printed.match(/\bsk-[0-9A-Za-z]{48}\b/g)).toHaveLength(1);
  });

  it("says where the folder is served already, and shows nothing", async () => {
    await start();
    await expect(start()).rejects.toThrow(new RegExp(`already running at ${url()}`));
    await expect(start()).rejects.toMatchObject({ name: "StartError", kind: "running", url: url() });
    expect(electron.windows).toHaveLength(1);
    expect(electron.trays).toHaveLength(1);
  });

  it("does not start on a port that is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    await expect(start(port)).rejects.toThrow(StartError);
    await expect(start(port)).rejects.toThrow(new RegExp(`Port ${port} .*is taken`));
    other.close();
    expect(electron.windows).toHaveLength(0);
    expect(printed).toBe("");
  });
});

describe("the keychain", () => {
  it("is reported on the pages when it is missing", async () => {
    electron.safeStorage.refuses = true;
    await start();
    const { notices } = await state(tokenOfBridge());
    expect(notices).toContainEqual(
      expect.objectContaining({ level: "warning", message: expect.stringContaining("key file") }),
    );
  });

  it("is nothing to tell about when it is there", async () => {
    await start();
    expect((await state(tokenOfBridge())).notices).toStrictEqual([]);
  });
});

describe("a second start", () => {
  it("brings back the window of the first one", async () => {
    await start(0, true);
    expect(await showRunning(dataDir, null, unopened)).toBe(true);
    expect(electron.windows).toHaveLength(1);
    window().hide();
    expect(await showRunning(dataDir, null, unopened)).toBe(true);
    expect(window().visible).toBe(true);
  });

  it("opens the pages of one without a window, signed in, and says so when none exists at all", async () => {
    const opened: string[] = [];
    const open = (address: string): Promise<void> => (opened.push(address), Promise.resolve());
    const gateway = await startGateway({ dataDir });
    expect(await showRunning(dataDir, null, open)).toBe(true);
    expect(opened).toEqual([expect.stringMatching(`^${gateway.url}/#token=`)]);
    expect(await showRunning(join(dataDir, "elsewhere"), null, open)).toBe(false);
    expect(opened).toHaveLength(1);
    await gateway.stop();
  });
});

describe("the first key", () => {
  it("of an installed app is not on standard output as JSON, either", async () => {
    electron.app.isPackaged = true;
    await start(0, false, ["postern"], true);
    expect(JSON.parse(printed)).toMatchObject({ event: "ready", url: url() });
    expect(printed).not.toContain("sk-");
  });

  it("of an installed app is on its page until an app has used it, and not on standard output", async () => {
    electron.app.isPackaged = true;
    await start();
    expect(electron.dialog.questions).toStrictEqual([]);
    expect(printed).not.toMatch(/sk-|token=/);
    const control = createControlClient(() => findInstance(dataDir));
    const { created } = await control.call("firstKey");
    expect((await control.call("listKeys")).data.map(({ id }) => id)).toEqual([created?.key.id]);
    const key = created?.secret ?? "";
    const models = await fetch(`${url()}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    expect(models.status).toBe(200);
  });
});
