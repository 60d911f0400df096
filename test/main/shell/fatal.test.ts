import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fatalResponse } from "../../../main/policy/fatal.ts";
import { endOnFatalErrors } from "../../../main/shell/fatal.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const NAMES = ["uncaughtException", "unhandledRejection"] as const;
const reported: string[] = [];
let listeners: Map<string, (error: unknown) => void>;

/** Takes the listeners off the process at once, so that errors of the test run itself are not swallowed. */
beforeEach(() => {
  electron.resetElectron();
  reported.length = 0;
  listeners = new Map();
  vi.spyOn(process, "on").mockImplementation((name, listener) => {
    listeners.set(String(name), listener as (error: unknown) => void);
    return process;
  });
  endOnFatalErrors({
    error: (event, fields) => reported.push(`${event} ${String(fields?.["error"])}`),
    flush: () => reported.push("flush"),
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

it.each(NAMES)("%s is reported and ends the process with 1", (name) => {
  vi.spyOn(process, "uptime").mockReturnValue(5);
  const error = new Error("a bug");
  listeners.get(name)?.(error);
  expect(reported).toStrictEqual(["crash Error", "flush"]);
  expect(electron.app.exitCode).toBe(1);
  expect(electron.dialog.errors[0]?.content).toContain("a bug");
});

it("starts an installed app again that had been running for a while", () => {
  vi.spyOn(process, "uptime").mockReturnValue(3_600);
  electron.app.isPackaged = true;
  listeners.get("uncaughtException")?.(new Error("a bug"));
  expect(electron.app.calls).toStrictEqual([expect.stringMatching(/^relaunch /), "exit 1"]);
  expect(electron.dialog.errors).toHaveLength(0);
});

it.each([
  [59, true, "stop"],
  [60, true, "relaunch"],
  [1e6, false, "stop"],
  [0, false, "stop"],
])("after %i s, packaged %s: %s", (uptime, isPackaged, expected) => {
  expect(fatalResponse(uptime, isPackaged, "text").act).toBe(expected);
});
