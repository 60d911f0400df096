import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { DesktopBridge } from "../../renderer/bridge.ts";
import * as channels from "../../main/policy/channels.ts";
import * as electron from "./fakes/electron.ts";

vi.mock("electron", () => import("./fakes/electron.ts"));

beforeAll(() => import("../../main/preload.ts"));
beforeEach(() => {
  electron.ipcRenderer.invoked.length = 0;
});

const desktop = () => electron.contextBridge.exposed.get("desktop") as DesktopBridge;
const reports = ["onDownload", "platform"];
type Member = (...given: unknown[]) => Promise<unknown>;

/** Member, its channel, and how many of the page's arguments are passed on. */
const members: readonly (readonly [Exclude<keyof DesktopBridge, "platform" | "onDownload">, string, number])[] = [
  ["openPages", channels.OPEN_PAGES, 0],
  ["consentToExport", channels.CONSENT_TO_EXPORT, 0],
  ["showFile", channels.SHOW_FILE, 1],
  ["dragFiles", channels.DRAG_FILES, 1],
  ["showDownload", channels.SHOW_DOWNLOAD, 1],
  ["openDataFolder", channels.OPEN_DATA_FOLDER, 0],
  ["setAppearance", channels.SET_APPEARANCE, 1],
  ["autostart", channels.AUTOSTART, 0],
  ["setAutostart", channels.SET_AUTOSTART, 1],
  ["closeToTray", channels.CLOSE_TO_TRAY, 0],
  ["setCloseToTray", channels.SET_CLOSE_TO_TRAY, 1],
  ["updates", channels.UPDATES, 0],
  ["checkForUpdates", channels.CHECK_FOR_UPDATES, 0],
  ["installUpdate", channels.INSTALL_UPDATE, 0],
  ["restart", channels.RESTART, 0],
];

it("exposes `desktop` and nothing else, with its members alone", () => {
  expect([...electron.contextBridge.exposed.keys()]).toStrictEqual(["desktop"]);
  expect(Object.keys(desktop()).toSorted()).toStrictEqual([...reports, ...members.map(([name]) => name)].toSorted());
  expect(desktop().platform).toBe(process.platform);
  expect(new Set(members.map(([, channel]) => channel))).toStrictEqual(
    new Set(Object.values(channels).filter((channel) => channel !== channels.DOWNLOADED)),
  );
});

it("reports downloads until it is stopped, and passes nothing on but the file", () => {
  const events: unknown[][] = [];
  const stop = desktop().onDownload((...given) => void events.push(given));
  const file = { id: 1, name: "usage.csv", folder: "/home/ada/Downloads", saved: true };
  electron.ipcRenderer.emit(channels.DOWNLOADED, { sender: "Electron's own" }, file);
  stop();
  electron.ipcRenderer.emit(channels.DOWNLOADED, {}, file);
  expect(events).toStrictEqual([[file]]);
});

it.each(members)("%s asks on its one channel and passes nothing else on", async (name, channel, passed) => {
  const member = desktop()[name] as Member;
  expect(await member("other-channel", { a: 1 })).toStrictEqual({ token: "token-from-main" });
  expect(electron.ipcRenderer.invoked).toStrictEqual([[channel, ...["other-channel"].slice(0, passed)]]);
});

it.each([
  [
    "Error invoking remote method 'postern:set-autostart': Error: Only an installed Postern.",
    "Only an installed Postern.",
  ],
  ["Error invoking remote method 'postern:restart': TypeError: no", "no"],
  ["Error invoking remote method 'postern:restart': It: is so.", "It: is so."],
  ["Plain.", "Plain."],
])("takes Electron's own words off an error: %s", async (message, expected) => {
  vi.spyOn(electron.ipcRenderer, "invoke").mockRejectedValueOnce(new Error(message));
  await expect(desktop().restart()).rejects.toThrow(new Error(expected));
});
