import { beforeEach, describe, expect, it, vi } from "vitest";
import { english } from "../../../main/policy/words.ts";
import { createMainWindow, type MainWindow } from "../../../main/shell/main-window.ts";
import { memoryOf } from "../fakes/memory.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

let histories: unknown[] = [];
const create = (): MainWindow =>
  createMainWindow({
    preload: "/app/preload.cjs",
    packaged: false,
    url: "http://127.0.0.1:6174",
    words: english,
    memory: memoryOf(),
    log: { warn: () => undefined },
    isQuitting: () => false,
    quit: () => undefined,
    tellAboutTray: () => undefined,
    onHistory: (history) => histories.push(history),
    restAfterMs: 60_000,
  });
const only = (): electron.BrowserWindow => electron.windows[0]!;
/** When the page has responded to a command. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  electron.resetElectron();
  histories = [];
});

describe("the window", () => {
  it("reloads, goes back and forward unless the page takes that over, and finds nothing by itself", async () => {
    const window = create();
    window.show();
    const { webContents } = only();
    const commands = ["reload", "back", "forward", "find", "find-next", "find-previous"] as const;
    const done = () => [webContents.reloads, ...webContents.steps];
    for (const command of commands) window.obey(command);
    await settled();
    expect(done()).toStrictEqual([1, "back", "forward"]);
    webContents.leaves = () => Promise.resolve(false);
    for (const command of commands) window.obey(command);
    window.open({ page: "keys" });
    await settled();
    expect([done(), only().loaded.length]).toStrictEqual([[1, "back", "forward"], 1]);
    expect(webContents.offered).toStrictEqual([...commands, ...commands, "#/keys"]);
  });

  it.each([
    ["has crashed", (contents: electron.FakeContents) => (contents.crashed = true), 0],
    ["is still loading", (contents: electron.FakeContents) => (contents.isLoading = true), 0],
    [
      "has no frame",
      (contents: electron.FakeContents) => (contents.leaves = () => Promise.reject(new Error("gone"))),
      1,
    ],
  ])("obeys by itself where the page %s", async (_name, change, requestCount) => {
    const window = create();
    window.show();
    change(only().webContents);
    window.obey("reload");
    await settled();
    expect([only().webContents.reloads, only().webContents.offered.length]).toStrictEqual([1, requestCount]);
  });

  it("obeys after a second where the page has hung, unless the window is gone by then", async () => {
    vi.useFakeTimers();
    const window = create();
    window.show();
    const { webContents } = only();
    webContents.leaves = () => new Promise(() => undefined);
    window.obey("reload");
    await vi.advanceTimersByTimeAsync(999);
    expect(webContents.reloads).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(webContents.reloads).toBe(1);
    window.obey("reload");
    only().destroyed = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(webContents.reloads).toBe(1);
    vi.useRealTimers();
  });

  it("tells where the history can go after each step, and that it goes nowhere without a window", () => {
    const window = create();
    window.show();
    const { webContents } = only();
    webContents.ways.back = true;
    webContents.emit("did-navigate-in-page");
    webContents.ways.forward = true;
    webContents.emit("did-navigate");
    only().destroy();
    expect(histories).toStrictEqual([
      { back: true, forward: false },
      { back: true, forward: true },
      { back: false, forward: false },
    ]);
  });

  it("goes back and forward by the buttons of a mouse, and zooms by its wheel", async () => {
    create().show();
    for (const button of ["browser-backward", "browser-forward", "volume-up"]) {
      only().emit("app-command", new electron.FakeEvent(), button);
    }
    await settled();
    expect(only().webContents.steps).toStrictEqual(["back", "forward"]);
    for (const direction of ["in", "in", "out"]) {
      only().webContents.emit("zoom-changed", new electron.FakeEvent(), direction);
    }
    expect(only().webContents.zoom).toBe(0.5);
    only().webContents.emit("dom-ready");
    expect(only().webContents.pinch).toStrictEqual([1, 3]);
  });
});
