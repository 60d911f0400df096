import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { exposeToDesktopSuite, restAfterMs } from "../../../main/shell/test-hook.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

beforeEach(() => electron.resetElectron());
afterEach(() => {
  vi.unstubAllEnvs();
  Reflect.deleteProperty(globalThis, "posternDesktop");
});

it.each([
  ["1", false, true],
  ["1", true, false],
  ["", false, false],
  ["true", false, false],
])("with the variable %j and packaged %s it is there: %s", (value, isPackaged, expected) => {
  vi.stubEnv("POSTERN_DESKTOP_SUITE", value);
  electron.app.isPackaged = isPackaged;
  exposeToDesktopSuite({ tray: () => null });
  expect("posternDesktop" in globalThis).toBe(expected);
});

it.each([
  ["1", false, "250", 250],
  ["1", false, "soon", 60_000],
  ["1", true, "250", 60_000],
  ["", false, "250", 60_000],
])("with the variable %j, packaged %s and %j a hidden window is kept for %d ms", (value, isPackaged, shorter, ms) => {
  vi.stubEnv("POSTERN_DESKTOP_SUITE", value);
  vi.stubEnv("POSTERN_DESKTOP_REST_MS", shorter);
  electron.app.isPackaged = isPackaged;
  expect(restAfterMs()).toBe(ms);
});
