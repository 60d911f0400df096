import { beforeEach, expect, it, vi } from "vitest";
import { prepareApp } from "../../../main/shell/prepare-app.ts";
import { claimSingleInstance, showOnSecondStart } from "../../../main/shell/single-instance.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const show = vi.fn<() => void>();
beforeEach(() => {
  electron.resetElectron();
  show.mockClear();
});

it("sets name, profile and sandbox before it asks for the lock, which depends on the profile", () => {
  prepareApp("/data/postern/desktop", null);
  expect(claimSingleInstance()).toBe(true);
  expect(electron.app.calls).toStrictEqual([
    "setName",
    "setAppUserModelId",
    "setPath userData",
    "enableSandbox",
    "requestSingleInstanceLock",
  ]);
  expect(electron.app.paths.get("userData")).toBe("/data/postern/desktop");
  expect(electron.app.switches).toStrictEqual(["js-flags=--max-semi-space-size=16"]);
});

it("has Chromium ask the keychain that was chosen, unless the command line says which", () => {
  prepareApp(null, "gnome-libsecret");
  expect(electron.app.switches).toContain("password-store=gnome-libsecret");
  electron.resetElectron();
  electron.app.switches.push("password-store=kwallet6");
  prepareApp(null, "gnome-libsecret");
  expect(electron.app.switches.filter((each) => each.startsWith("password-store"))).toStrictEqual([
    "password-store=kwallet6",
  ]);
});

it("starts in the language that was chosen on the pages, boxes and Chromium's own words included", () => {
  prepareApp(null, null, "zh");
  expect(electron.app.switches).toContain("lang=zh");
});

it("says when another process has the lock", () => {
  electron.app.hasLock = false;
  expect(claimSingleInstance()).toBe(false);
});

it.each([
  [["/usr/bin/postern"], 1],
  [["electron", "out/main/index.mjs", "--allow-file-access-from-files"], 1],
  [["postern", "postern://connect?key=x", "https://evil.example"], 0],
  [["electron", "out/main/index.mjs", "--headless"], 0],
  [["postern", "--hidden"], 0],
])("a second start with %j shows the window %i times and does nothing else", (argv, times) => {
  showOnSecondStart(show);
  electron.app.emit("second-instance", new electron.FakeEvent(), argv, "/", null);
  expect(show).toHaveBeenCalledTimes(times);
  expect(electron.shell.opened).toStrictEqual([]);
});
