import type { BrowserWindow } from "electron";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { OPEN_PAGES, SHOW_FILE } from "../../../main/policy/channels.ts";
import { serveBridge } from "../../../main/shell/ipc.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const ORIGIN = "http://127.0.0.1:6174";
const FILE = `/data/media/ab/ab${"0".repeat(62)}.png`;
let window: electron.BrowserWindow | null;
let issued = 0;

/** Sends the message as a page would: a frame, the contents that it lives in, and arguments. */
function ask(frame: unknown, sender: unknown = window?.webContents, ...rest: unknown[]): unknown {
  return electron.ipcMain.handlers.get(OPEN_PAGES)?.({ senderFrame: frame, sender }, ...rest);
}
const show =
  (...given: unknown[]) =>
  (frame: unknown): unknown =>
    electron.ipcMain.handlers.get(SHOW_FILE)?.({ senderFrame: frame, sender: window?.webContents }, ...given);
const topFrame = { url: `${ORIGIN}/keys`, parent: null, detached: false };

beforeEach(() => {
  electron.resetElectron();
  issued = 0;
  window = new electron.BrowserWindow({});
  serveBridge({
    origin: ORIGIN,
    window: () => window as unknown as BrowserWindow | null,
    issuePageToken: () => `token-${++issued}`,
    mediaFolder: "/data/media/",
  });
});

describe("serveBridge", () => {
  it("serves two channels", () => {
    expect([...electron.ipcMain.handlers.keys()]).toStrictEqual([OPEN_PAGES, SHOW_FILE]);
  });

  it("gives our page a fresh token each time", () => {
    expect(ask(topFrame)).toStrictEqual({ token: "token-1" });
    expect(ask(topFrame)).toStrictEqual({ token: "token-2" });
  });

  it.each([
    ["a frame that is gone", null],
    ["a detached frame", { ...topFrame, detached: true }],
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
    ["nothing", []],
    ["something else than a path", [{ toString: () => FILE }]],
    ["a file and something else", [FILE, FILE]],
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
