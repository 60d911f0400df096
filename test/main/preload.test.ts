import { beforeAll, expect, it, vi } from "vitest";
import type { DesktopBridge } from "../../renderer/bridge.ts";
import { OPEN_PAGES, SHOW_FILE } from "../../main/policy/channels.ts";
import * as electron from "./fakes/electron.ts";

vi.mock("electron", () => import("./fakes/electron.ts"));

beforeAll(async () => {
  await import("../../main/preload.ts");
});

const desktop = () => electron.contextBridge.exposed.get("desktop") as DesktopBridge;

it("exposes `desktop` and nothing else, with three members", () => {
  expect([...electron.contextBridge.exposed.keys()]).toStrictEqual(["desktop"]);
  expect(Object.keys(desktop()).toSorted()).toStrictEqual(["openPages", "platform", "showFile"]);
  expect(desktop().platform).toBe(process.platform);
});

it("asks for a token on its one channel and passes no argument on", async () => {
  const openPages = desktop().openPages as (...given: unknown[]) => Promise<unknown>;
  expect(await openPages("other-channel", { a: 1 })).toStrictEqual({ token: "token-from-main" });
  expect(electron.ipcRenderer.invoked).toStrictEqual([[OPEN_PAGES]]);
});

it("passes one path on to its other channel", async () => {
  electron.ipcRenderer.invoked.length = 0;
  const showFile = desktop().showFile as (...given: unknown[]) => Promise<unknown>;
  await showFile("/data/media/ab/c.png", "other-channel");
  expect(electron.ipcRenderer.invoked).toStrictEqual([[SHOW_FILE, "/data/media/ab/c.png"]]);
});
