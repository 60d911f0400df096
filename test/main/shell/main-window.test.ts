import type { BrowserWindow } from "electron";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { english } from "../../../main/policy/words.ts";
import { createMainWindow, type MainWindow } from "../../../main/shell/main-window.ts";
import { memoryOf } from "../fakes/memory.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const URL_OF_GATEWAY = "http://127.0.0.1:6174";
let isQuitting = false;
let logged: string[] = [];
let reportCount = 0;
let quits = 0;
let memory = memoryOf();

function create(packaged = false): MainWindow {
  return createMainWindow({
    preload: "/app/preload.cjs",
    packaged,
    url: URL_OF_GATEWAY,
    words: english,
    memory,
    log: { warn: (event, fields) => logged.push(`${event} ${String(fields?.["reason"])}`) },
    isQuitting: () => isQuitting,
    quit: () => (quits += 1),
    tellAboutTray: () => (reportCount += 1),
    onHistory: () => undefined,
    restAfterMs: 60_000,
  });
}
/** When the page has responded to a command. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const only = (): electron.BrowserWindow => {
  expect(electron.windows).toHaveLength(1);
  return electron.windows[0]!;
};
const crash = (reason = "crashed") =>
  electron.app.emit("render-process-gone", new electron.FakeEvent(), only().webContents, { reason });

beforeEach(() => {
  electron.resetElectron();
  isQuitting = false;
  logged = [];
  reportCount = quits = 0;
  memory = memoryOf();
});

describe("the window", () => {
  it("offers the menu of a text field where one is, and none elsewhere", () => {
    create().show();
    const editFlags = {
      canUndo: false,
      canRedo: false,
      canCut: false,
      canCopy: false,
      canPaste: true,
      canSelectAll: true,
    };
    const press = (isEditable: boolean): void =>
      void only().webContents.emit("context-menu", new electron.FakeEvent(), {
        isEditable,
        editFlags,
        selectionText: " ",
      });
    press(false);
    expect(electron.Menu.popups).toStrictEqual([]);
    press(true);
    expect(electron.Menu.popups[0]?.filter(({ enabled }) => enabled)).toStrictEqual([
      { role: "paste", label: "Paste", enabled: true },
      { role: "selectAll", label: "Select all", enabled: true },
    ]);
  });

  it("opens on a page of someone's choice, made for it or there already", async () => {
    const route = { page: "tasks", params: { task: "vt_1", q: "a&b#c" } };
    const window = create();
    window.open(route);
    const address = `${URL_OF_GATEWAY}/#/tasks?task=vt_1&q=a%26b%23c`;
    expect(only().loaded).toStrictEqual([address]);
    only().minimized = true;
    window.open({ page: "keys" });
    expect(only().calls).toStrictEqual(["restore", "show", "focus"]);
    await settled();
    expect(only().webContents.offered).toStrictEqual(["#/keys"]);
    expect(only().loaded).toStrictEqual([address, `${URL_OF_GATEWAY}/#/keys`]);
  });

  it("loads the gateway's pages without a token, which Electron would print, and shows itself when they are painted", () => {
    create().show();
    expect(only().loaded).toStrictEqual([`${URL_OF_GATEWAY}/`]);
    expect(only().visible).toBe(false);
    only().emit("ready-to-show");
    expect(only().visible).toBe(true);
  });

  it("is one window however often it is asked for", () => {
    const window = create();
    window.show();
    only().minimized = true;
    window.show();
    expect(only().calls).toStrictEqual(["restore", "show", "focus"]);
  });

  it("opens where it was left", () => {
    memory = memoryOf({ window: { x: 100, y: 90, width: 900, height: 600, maximized: true } });
    create(true).show();
    expect(only().options).toMatchObject({ x: 100, y: 90, width: 900, height: 600 });
    expect(only().options).toHaveProperty("webPreferences.devTools", false);
    expect(only().calls).toContain("maximize");
  });

  it("hides when it is closed, remembers its place, and tells so once", () => {
    create().show();
    only().close();
    only().close();
    expect(only().destroyed).toBe(false);
    expect(only().calls).toContain("hide");
    expect(memory.value.window).toStrictEqual({ x: 10, y: 20, width: 1000, height: 700, maximized: false });
    expect(reportCount).toBe(process.platform === "darwin" ? 0 : 1);
  });

  it("quits Postern when it is closed and its owner wants no tray, and is there until that has drained", () => {
    memory = memoryOf({ closeToTray: false });
    create().show();
    only().close();
    expect([only().destroyed, quits, reportCount]).toStrictEqual([false, 1, 0]);
    expect(memory.value.window).not.toBeNull();
  });

  it("closes for good when the application quits, and is not made again", () => {
    const window = create();
    window.show();
    isQuitting = true;
    only().close();
    expect(only().destroyed).toBe(true);
    expect(window.window()).toBeNull();
    window.end();
    window.obey("reload");
    window.close();
    window.show();
    window.open({ page: "keys" });
    expect(electron.windows).toHaveLength(1);
  });

  it("remembers its place when it is let go of by quitting, and a process that dies then loads nothing", () => {
    const window = create();
    window.show();
    only().bounds = { x: 1, y: 2, width: 3, height: 4 };
    window.end();
    expect(memory.value.window).toMatchObject({ x: 1, y: 2, width: 3, height: 4 });
    const { loaded } = only();
    const before = loaded.length;
    electron.app.emit("child-process-gone", new electron.FakeEvent(), { type: "GPU", reason: "killed", exitCode: 15 });
    expect([only().destroyed, loaded.length]).toStrictEqual([true, before]);
  });
});

describe("a window that is hidden for a while", () => {
  const hideAndWait = async (window: MainWindow, ms = 60_000): Promise<void> => {
    window.show();
    electron.windows.at(-1)!.emit("ready-to-show");
    electron.windows.at(-1)!.hide();
    await vi.advanceTimersByTimeAsync(ms);
  };
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is let go of, and made again where it was", async () => {
    const window = create();
    await hideAndWait(window, 59_999);
    expect(only().destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([only().destroyed, window.window()]).toStrictEqual([true, null]);
    window.show();
    const [, second] = electron.windows;
    expect(second?.webContents.restored).toStrictEqual([
      { entries: [{ url: "step 1", title: "", pageState: "state" }] },
    ]);
    expect(second?.loaded).toStrictEqual([]);
    second?.emit("ready-to-show");
    expect(second?.visible).toBe(true);
    // What was handed over is used once.
    second?.destroy();
    window.show();
    expect(electron.windows[2]?.loaded).toHaveLength(1);
  });

  it("goes on from there to a page of someone's choice", async () => {
    const window = create();
    await hideAndWait(window);
    window.open({ page: "keys" });
    const [, second] = electron.windows;
    expect(second?.webContents.restored).toHaveLength(1);
    expect(second?.loaded).toStrictEqual([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(second?.loaded).toStrictEqual([`${URL_OF_GATEWAY}/#/keys`]);
  });

  it("opens again when its place cannot be taken up", async () => {
    const window = create();
    await hideAndWait(window);
    const failure = vi.spyOn(electron.FakeContents.prototype, "restore").mockRejectedValueOnce(new Error("damaged"));
    window.show();
    await vi.advanceTimersByTimeAsync(0);
    expect(failure).toHaveBeenCalledOnce();
    expect(electron.windows[1]?.loaded).toStrictEqual([`${URL_OF_GATEWAY}/`]);
  });

  it("stays when it is shown in time, also while the page is asked", async () => {
    const window = create();
    await hideAndWait(window, 59_000);
    window.show();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(only().webContents.requests).toStrictEqual([]);
    const response = Promise.withResolvers<unknown>();
    only().webContents.canRest = () => response.promise;
    await hideAndWait(window);
    expect(only().webContents.requests).toHaveLength(1);
    window.show();
    response.resolve(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(only().destroyed).toBe(false);
  });

  it.each([
    ["would lose something", () => Promise.resolve(false)],
    ["does not answer", () => Promise.reject(new Error("no frame"))],
  ])("stays while its page %s, and is asked again", async (_name, answer) => {
    const window = create();
    window.show();
    only().webContents.canRest = answer;
    await hideAndWait(window);
    expect(only().destroyed).toBe(false);
    only().webContents.canRest = () => Promise.resolve(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(only().webContents.requests).toHaveLength(2);
    expect(only().destroyed).toBe(true);
  });

  it("is let go of when its process is gone, and when it was closed meanwhile nothing happens", async () => {
    const window = create();
    window.show();
    only().webContents.crashed = true;
    await hideAndWait(window);
    expect([only().destroyed, only().webContents.requests.length]).toStrictEqual([true, 0]);
    window.show();
    const second = electron.windows[1]!;
    second.emit("ready-to-show");
    second.hide();
    isQuitting = true;
    second.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(second.webContents.requests).toStrictEqual([]);
  });
});

describe("a crash of the window's process", () => {
  it("reloads the page that the window was on, and not from within Electron's event", async () => {
    create().show();
    crash();
    expect(only().webContents.reloads).toBe(0);
    await settled();
    expect(only().webContents.reloads).toBe(1);
    expect(only().loaded).toHaveLength(1);
    expect(electron.dialog.questions).toHaveLength(0);
    expect(logged).toStrictEqual(["window.gone crashed"]);
  });

  it("loads the first page where there was none of the gateway's", async () => {
    create().show();
    only().webContents.address = "";
    crash();
    await settled();
    expect(only().loaded).toStrictEqual([`${URL_OF_GATEWAY}/`, `${URL_OF_GATEWAY}/`]);
  });

  it("asks when it happens again, and loads the first page if that is wanted", async () => {
    create().show();
    only().webContents.address = `${URL_OF_GATEWAY}/#/usage`;
    crash();
    crash("oom");
    await expect.poll(() => only().loaded).toHaveLength(2);
    expect([only().loaded.at(-1), only().webContents.reloads]).toStrictEqual([`${URL_OF_GATEWAY}/`, 1]);
    expect(electron.dialog.questions.map((question) => question.message)).toStrictEqual(["The window stopped working"]);
  });

  it("keeps the window hidden if that is wanted", async () => {
    electron.dialog.response = 1;
    create().show();
    crash();
    crash();
    await expect.poll(() => only().calls).toContain("hide");
    expect(only().loaded).toHaveLength(1);
  });

  it("leaves a window alone that is gone when its turn or the response comes", async () => {
    create().show();
    crash();
    await settled();
    const response = Promise.withResolvers<{ response: number }>();
    vi.spyOn(electron.dialog, "showMessageBox").mockReturnValueOnce(response.promise);
    crash();
    await settled();
    crash();
    only().destroyed = true;
    response.resolve({ response: 0 });
    await settled();
    expect((only() as unknown as BrowserWindow).isDestroyed()).toBe(true);
    expect([only().loaded.length, only().webContents.reloads]).toStrictEqual([1, 1]);
    expect(electron.dialog.questions).toHaveLength(0);
  });

  it("does the same when the process is gone that the page's requests go through", async () => {
    const gone = (serviceName: string) =>
      electron.app.emit("child-process-gone", new electron.FakeEvent(), {
        type: "Utility",
        serviceName,
        reason: "oom",
      });
    const window = create();
    gone("network.mojom.NetworkService");
    window.show();
    gone("audio.mojom.AudioService");
    await settled();
    expect(only().webContents.reloads).toBe(0);
    gone("network.mojom.NetworkService");
    await settled();
    expect([only().webContents.reloads, logged]).toStrictEqual([1, ["network.gone oom", "network.gone oom"]]);
  });

  it("leaves other pages than the window's alone", async () => {
    create().show();
    electron.app.emit("render-process-gone", new electron.FakeEvent(), new electron.FakeContents(), { reason: "oom" });
    await settled();
    expect([only().webContents.reloads, logged]).toStrictEqual([0, []]);
  });

  it("ignores an end that was wanted", async () => {
    create().show();
    crash("clean-exit");
    await settled();
    expect(only().webContents.reloads).toBe(0);
  });
});

describe("the end of the process that draws", () => {
  const end = (change: object = {}) =>
    electron.app.emit("child-process-gone", new electron.FakeEvent(), { type: "GPU", reason: "killed", ...change });
  const LIFTED = "disable-gpu-process-crash-limit";

  it("is Chromium's matter as long as there is a graphics card to do without", () => {
    create().show();
    electron.app.compositing = "enabled";
    for (let index = 0; index < 9; index++) end();
    end({ type: "Utility" });
    end({ reason: "clean-exit" });
    expect([electron.app.switches, electron.dialog.questions]).toStrictEqual([[], []]);
    expect(logged).toHaveLength(9);
  });

  it("ends the app no more where none exists, and the window is given up when it does not stop", async () => {
    const window = create();
    end();
    expect(electron.app.switches).toStrictEqual([LIFTED]);
    window.show();
    only().emit("ready-to-show");
    for (let index = 0; index < 4; index++) end();
    expect(electron.dialog.questions).toHaveLength(0);
    end();
    expect(only().calls).toContain("hide");
    await expect.poll(() => only().visible).toBe(true);
    expect(electron.dialog.questions.map((question) => question.message)).toStrictEqual(["The window stopped working"]);
    end();
    expect(electron.dialog.questions).toHaveLength(1);
  });
});
