import type { BrowserWindow } from "electron";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { english } from "../../../main/policy/words.ts";
import { createMainWindow, type MainWindow } from "../../../main/shell/main-window.ts";
import { memoryOf } from "../fakes/memory.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const URL_OF_GATEWAY = "http://127.0.0.1:6174";
let isQuitting = false;
let logged: string[] = [];
let tokens = 0;
let told = 0;
let sessionEnds = 0;
let quits = 0;
let memory = memoryOf();

function create(packaged = false): MainWindow {
  return createMainWindow({
    preload: "/app/preload.cjs",
    packaged,
    address: () => `${URL_OF_GATEWAY}/#token=${++tokens}`,
    url: URL_OF_GATEWAY,
    words: english,
    memory,
    log: { warn: (event, fields) => logged.push(`${event} ${String(fields?.["reason"])}`) },
    isQuitting: () => isQuitting,
    onSessionEnd: () => (sessionEnds += 1),
    quit: () => (quits += 1),
    tellAboutTray: () => (told += 1),
  });
}
const only = (): electron.BrowserWindow => {
  expect(electron.windows).toHaveLength(1);
  return electron.windows[0]!;
};
const crash = (reason = "crashed") =>
  only().webContents.emit("render-process-gone", new electron.FakeEvent(), { reason });

beforeEach(() => {
  electron.resetElectron();
  isQuitting = false;
  logged = [];
  tokens = told = sessionEnds = quits = 0;
  memory = memoryOf();
});

describe("the window", () => {
  it("opens on a page of somebody's choice, made for it or there already, without a token in the address", () => {
    const route = { page: "tasks", params: { task: "vt_1", q: "a&b#c" } };
    const window = create();
    window.open(route);
    const address = `${URL_OF_GATEWAY}/#/tasks?task=vt_1&q=a%26b%23c`;
    expect(only().loaded).toStrictEqual([address]);
    only().minimized = true;
    window.open({ page: "keys" });
    expect(only().loaded).toStrictEqual([address, `${URL_OF_GATEWAY}/#/keys`]);
    expect(only().calls).toStrictEqual(["restore", "show", "focus"]);
    expect(tokens).toBe(0);
  });

  it("loads the gateway's pages with a one-time token, and shows itself when they are painted", () => {
    create().show();
    expect(only().loaded).toStrictEqual([`${URL_OF_GATEWAY}/#token=1`]);
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
    expect(told).toBe(process.platform === "darwin" ? 0 : 1);
  });

  it("quits Postern when it is closed and its owner wants no tray, and is there until that has drained", () => {
    memory = memoryOf({ closeToTray: false });
    create().show();
    only().close();
    expect([only().destroyed, quits, told]).toStrictEqual([false, 1, 0]);
    expect(memory.value.window).not.toBeNull();
  });

  it("closes for good when the application quits, and can be made again", () => {
    const window = create();
    window.show();
    isQuitting = true;
    only().close();
    expect(only().destroyed).toBe(true);
    expect(window.window()).toBeNull();
    window.hide();
    window.reload();
    window.close();
    window.show();
    expect(electron.windows).toHaveLength(2);
  });

  it("remembers its place when it is hidden by quitting", () => {
    const window = create();
    window.show();
    only().bounds = { x: 1, y: 2, width: 3, height: 4 };
    window.hide();
    expect(memory.value.window).toMatchObject({ x: 1, y: 2, width: 3, height: 4 });
  });

  it("reloads the page on request", () => {
    const window = create();
    window.show();
    window.reload();
    expect(only().webContents.reloads).toBe(1);
  });

  it("passes on that the session ends", () => {
    create().show();
    only().emit("session-end");
    expect(sessionEnds).toBe(1);
  });
});

describe("a crash of the window's process", () => {
  it("reloads with a fresh token", () => {
    create().show();
    crash();
    expect(only().loaded).toStrictEqual([`${URL_OF_GATEWAY}/#token=1`, `${URL_OF_GATEWAY}/#token=2`]);
    expect(electron.dialog.questions).toHaveLength(0);
    expect(logged).toStrictEqual(["window.gone crashed"]);
  });

  it("asks when it happens again, and reloads if that is wanted", async () => {
    create().show();
    crash();
    crash("oom");
    await vi.waitFor(() => expect(only().loaded).toHaveLength(3));
    expect(electron.dialog.questions.map((question) => question.message)).toStrictEqual(["The window stopped working"]);
  });

  it("keeps the window hidden if that is wanted", async () => {
    electron.dialog.response = 1;
    create().show();
    crash();
    crash();
    await vi.waitFor(() => expect(only().calls).toContain("hide"));
    expect(only().loaded).toHaveLength(2);
  });

  it("leaves a window alone that is gone when the response comes", async () => {
    create().show();
    crash();
    const response = Promise.withResolvers<{ response: number }>();
    vi.spyOn(electron.dialog, "showMessageBox").mockReturnValueOnce(response.promise);
    crash();
    only().destroyed = true;
    response.resolve({ response: 0 });
    await response.promise;
    expect((only() as unknown as BrowserWindow).isDestroyed()).toBe(true);
    expect(only().loaded).toHaveLength(2);
  });

  it("ignores an end that was wanted", () => {
    create().show();
    crash("clean-exit");
    expect(only().loaded).toHaveLength(1);
  });
});
