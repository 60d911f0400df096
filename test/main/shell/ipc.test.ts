import type { BrowserWindow } from "electron";
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as channels from "../../../main/policy/channels.ts";
import { english } from "../../../main/policy/words.ts";
import { serveBridge } from "../../../main/shell/ipc.ts";
import { memoryOf } from "../fakes/memory.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const ORIGIN = "http://127.0.0.1:6174";
const FILE = `/data/media/ab/media_${"0".repeat(32)}.png`;
let window: electron.BrowserWindow | null;
let issued = 0;
let starts: boolean | null = null;
const requests: string[] = [];
const dragged: unknown[] = [];
let memory = memoryOf();
const update = { state: "idle", version: null, message: null } as const;

/** Sends the message as a page would: a frame, the contents that it lives in, and arguments. */
function ask(frame: unknown, sender: unknown = window?.webContents, ...rest: unknown[]): unknown {
  return electron.ipcMain.handlers.get(channels.OPEN_PAGES)?.({ senderFrame: frame, sender }, ...rest);
}
const show =
  (...given: unknown[]) =>
  (frame: unknown): unknown =>
    electron.ipcMain.handlers.get(channels.SHOW_FILE)?.({ senderFrame: frame, sender: window?.webContents }, ...given);
const on = (channel: string, ...given: unknown[]): unknown =>
  electron.ipcMain.handlers.get(channel)?.({ senderFrame: topFrame, sender: window?.webContents }, ...given);
const topFrame = { url: `${ORIGIN}/keys`, parent: null, frameTreeNodeId: 1 };

beforeEach(() => {
  electron.resetElectron();
  issued = 0;
  starts = null;
  requests.length = 0;
  dragged.length = 0;
  memory = memoryOf();
  window = new electron.BrowserWindow({});
  serveBridge({
    origin: ORIGIN,
    window: () => window as unknown as BrowserWindow | null,
    issuePageToken: () => `token-${++issued}`,
    issueConsent: () => `consent-${++issued}`,
    words: english,
    mediaFolder: "/data/media/",
    dataFolder: "/data",
    autostart: {
      read: () => Promise.resolve(starts),
      set: (on) =>
        on === starts ? Promise.reject(new Error("It is so already.")) : Promise.resolve(void (starts = on)),
    },
    memory,
    downloads: {
      show: (id) => {
        if (id !== 7) throw new Error("none of them");
        requests.push("download");
      },
    },
    dragOut: {
      start: (contents, ids) => {
        dragged.push([contents, ids]);
        return Promise.resolve();
      },
    },
    onAppearance: (appearance) => requests.push(`${appearance.language} ${appearance.theme}`),
    onAutostart: () => requests.push("autostart"),
    updater: {
      state: () => update,
      check: () => Promise.resolve(update).finally(() => requests.push("check")),
      next: () => Promise.resolve(update).finally(() => requests.push("next")),
    },
    restart: () => requests.push("restart"),
  });
});

describe("serveBridge", () => {
  it("serves every channel that there is, and no other", () => {
    const { DOWNLOADED: _told, ...questions } = channels;
    expect([...electron.ipcMain.handlers.keys()].toSorted()).toStrictEqual(Object.values(questions).toSorted());
  });

  it("gives consent to an export to an owner who agrees outside of the page, and to no one else", async () => {
    const askToExport = () =>
      electron.ipcMain.handlers.get(channels.CONSENT_TO_EXPORT)?.({
        senderFrame: topFrame,
        sender: window?.webContents,
      });
    electron.dialog.response = 1;
    expect(await askToExport()).toBeNull();
    electron.dialog.response = 0;
    expect(await askToExport()).toEqual({ token: "consent-1" });
    expect(electron.dialog.questions.map(({ message }) => message)).toContain("Export the provider keys?");
  });

  it("opens the data folder, and says why where it cannot", async () => {
    await on(channels.OPEN_DATA_FOLDER);
    expect(electron.shell.folders).toStrictEqual(["/data"]);
    electron.shell.folderFailure = "no file manager";
    await expect(on(channels.OPEN_DATA_FOLDER)).rejects.toThrow("could not be opened: no file manager");
  });

  it("waits for the file manager no longer than 10 s, and says where the folder is", async () => {
    vi.useFakeTimers();
    vi.spyOn(electron.shell, "openPath").mockReturnValueOnce(new Promise(() => undefined));
    const opened = expect(on(channels.OPEN_DATA_FOLDER)).rejects.toThrow(
      "has not opened the data folder. It is at /data.",
    );
    await vi.advanceTimersByTimeAsync(10_000);
    await opened;
    vi.useRealTimers();
  });

  it("shows a file that was saved, and no other", () => {
    on(channels.SHOW_DOWNLOAD, 7);
    expect(() => on(channels.SHOW_DOWNLOAD, "/etc/passwd")).toThrow("none of them");
    expect(requests).toStrictEqual(["download"]);
  });

  it("drags results of the library by their ids, from its own window", async () => {
    await on(channels.DRAG_FILES, ["med_1", "med_2"]);
    expect(dragged).toStrictEqual([[window?.webContents, ["med_1", "med_2"]]]);
  });

  it.each([
    ["a path", "/etc/passwd"],
    ["a path in the list", ["/etc/passwd"]],
    ["a step upwards", ["../med_1"]],
    ["nothing", []],
    ["too many", Array.from({ length: 51 }, (_, index) => `med_${index}`)],
    ["one of them twice", ["med_1", "med_1"]],
    ["something else than ids", [7]],
    ["no list", { 0: "med_1", length: 1 }],
  ])("does not drag %s", async (_name, given) => {
    await expect(on(channels.DRAG_FILES, given)).rejects.toThrow("Only results of the media library");
    expect(dragged).toStrictEqual([]);
  });

  it("tells and switches starting with the session", async () => {
    expect(await on(channels.AUTOSTART)).toBeNull();
    await on(channels.SET_AUTOSTART, true);
    expect([await on(channels.AUTOSTART), requests]).toStrictEqual([true, ["autostart"]]);
    await expect(on(channels.SET_AUTOSTART, true)).rejects.toThrow("It is so already.");
    for (const given of ["false", 0, null, undefined, {}]) {
      await expect(on(channels.SET_AUTOSTART, given)).rejects.toThrow("true or false");
    }
    expect([starts, requests]).toStrictEqual([true, ["autostart"]]);
  });

  it("passes on language and theme of the pages, and nothing else", () => {
    on(channels.SET_APPEARANCE, { language: "zh", theme: "dark" });
    on(channels.SET_APPEARANCE, { language: null, theme: "system" });
    for (const given of [{ language: "zh" }, { language: "xx", theme: "dark" }, { theme: "dark" }, null, "zh", []]) {
      expect(() => on(channels.SET_APPEARANCE, given)).toThrow("language and a theme");
    }
    expect(requests).toStrictEqual(["zh dark", "null system"]);
  });

  it("tells and switches what closing the window does", async () => {
    expect(await on(channels.CLOSE_TO_TRAY)).toBe(true);
    await on(channels.SET_CLOSE_TO_TRAY, false);
    expect([await on(channels.CLOSE_TO_TRAY), memory.value.closeToTray]).toStrictEqual([false, false]);
    for (const given of ["true", 1, null, undefined, []]) {
      expect(() => on(channels.SET_CLOSE_TO_TRAY, given)).toThrow("true or false");
    }
    expect(memory.value.closeToTray).toBe(false);
  });

  it("passes the questions for updates and the restart on", async () => {
    for (const channel of [channels.UPDATES, channels.CHECK_FOR_UPDATES, channels.INSTALL_UPDATE]) {
      expect(await on(channel), channel).toStrictEqual(update);
    }
    on(channels.RESTART);
    expect(requests).toStrictEqual(["check", "next", "restart"]);
  });

  it("refuses every channel to a frame that is not ours, and further arguments on every channel", () => {
    for (const [channel, handler] of electron.ipcMain.handlers) {
      const foreign = { senderFrame: { ...topFrame, url: "https://example.com/" }, sender: window?.webContents };
      expect(() => handler(foreign), channel).toThrow("Only the window of Postern");
      expect(() => on(channel, 1, 2, 3), channel).toThrow(/takes/);
    }
    expect([requests, starts, electron.shell.folders]).toStrictEqual([[], null, []]);
  });

  it("gives our page a fresh token each time", () => {
    expect(ask(topFrame)).toStrictEqual({ token: "token-1" });
    expect(ask(topFrame)).toStrictEqual({ token: "token-2" });
  });

  it.each([
    ["a frame that is gone", null],
    ["a frame that is taken out of its page", { ...topFrame, frameTreeNodeId: 2 }],
    ["a frame inside the page", { ...topFrame, parent: topFrame }],
    ["a page of another site", { ...topFrame, url: "https://example.com/" }],
    ["a page of another port", { ...topFrame, url: "http://127.0.0.1:6175/" }],
    ["a blank page", { ...topFrame, url: "about:blank" }],
    ["a page without an address", { ...topFrame, url: "" }],
  ])("refuses %s, issues nothing and shows nothing", (_name, frame) => {
    expect(() => ask(frame)).toThrow("Only the window of Postern");
    expect(() => show(FILE)(frame)).toThrow("Only the window of Postern");
    expect([issued, electron.shell.shown]).toStrictEqual([0, []]);
  });

  it("shows our page's own choice among the files of the library in its folder", () => {
    expect(show(FILE)(topFrame)).toBeUndefined();
    expect(electron.shell.shown).toStrictEqual([FILE]);
  });

  it.each([
    ["a file beside the library", ["/data/secrets.json"]],
    ["an undefined path", [undefined]],
    ["something else than a path", [{ toString: () => FILE }]],
  ])("does not show %s", (_name, given) => {
    expect(() => show(...given)(topFrame)).toThrow("Only files of the media library");
    expect(electron.shell.shown).toStrictEqual([]);
  });

  it("refuses other contents, also when they show our page", () => {
    expect(() => ask(topFrame, new electron.FakeContents())).toThrow("Only the window of Postern");
  });

  it("refuses everything while there is no window", () => {
    const contents = window?.webContents;
    window = null;
    expect(() => ask(topFrame, contents)).toThrow("Only the window of Postern");
    expect(() => ask(topFrame, undefined)).toThrow("Only the window of Postern");
  });

  it.each([[["x"]], [[{ __proto__: null }]], [[undefined]], [["x".repeat(10_000_000)]]])(
    "refuses arguments",
    (given) => {
      expect(() => ask(topFrame, window?.webContents, ...given)).toThrow("takes no arguments");
      expect(issued).toBe(0);
    },
  );
});
