import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fatalResponse, STOPPED } from "../../../main/policy/fatal.ts";
import { endOnFatalErrors, showStopReason } from "../../../main/shell/fatal.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const NAMES = ["uncaughtException", "unhandledRejection"] as const;
const reported: string[] = [];
let printed = "";
let listeners: Map<string, (error: unknown) => void>;

/** Takes the listeners off the process at once, so that errors of the test run itself are not swallowed. */
beforeEach(() => {
  electron.resetElectron();
  reported.length = 0;
  printed = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((printed += String(text)), true));
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
  Reflect.deleteProperty(process.env, STOPPED);
});

it.each(NAMES)("%s is logged, printed where it was started, and ends the process with 1, without a box", (name) => {
  const error = new Error("a bug");
  listeners.get(name)?.(error);
  expect(reported).toStrictEqual(["crash Error", "flush"]);
  expect(printed).toContain("Postern stopped because of an internal error: a bug\n");
  expect(electron.app.calls).toStrictEqual(["exit 1"]);
  expect(electron.dialog.questions).toHaveLength(0);
});

it("starts an installed app again that had been running for a while", () => {
  vi.spyOn(process, "uptime").mockReturnValue(3_600);
  electron.app.isPackaged = true;
  listeners.get("uncaughtException")?.(new Error("a bug"));
  expect(electron.app.calls).toStrictEqual([expect.stringMatching(/^relaunch /), "exit 1"]);
  expect(process.env[STOPPED]).toBeUndefined();
});

it("starts another one without the gateway for the box of an installed app that had not", () => {
  vi.spyOn(process, "uptime").mockReturnValue(5);
  electron.app.isPackaged = true;
  listeners.get("uncaughtException")?.(new Error("a bug"));
  expect(electron.app.calls).toStrictEqual([expect.stringMatching(/^relaunch /), "exit 1"]);
  expect(electron.app.calls[0]).not.toContain("a bug");
  expect(process.env[STOPPED]).toBe("a bug");
});

it("says why the one before stopped, in the language of the system, and ends when the box is closed", async () => {
  expect(showStopReason({})).toBe(false);
  expect(showStopReason({ [STOPPED]: "a bug" })).toBe(true);
  electron.app.locale = "zh-CN";
  const ended = new Promise((resolve) => electron.app.once("fake-exit", resolve));
  const closed = Promise.withResolvers<{ response: number }>();
  const shown = vi.spyOn(electron.dialog, "showMessageBox").mockReturnValueOnce(closed.promise);
  electron.app.ready.resolve();
  await expect.poll(() => shown).toHaveBeenCalledOnce();
  expect(shown.mock.calls[0]?.[0]).toMatchObject({ message: "Postern 因内部错误而停止" });
  expect(JSON.stringify(shown.mock.calls)).toContain("a bug");
  expect(electron.app.exitCode).toBeNull();
  closed.resolve({ response: 0 });
  expect(await ended).toBe(1);
});

it.each([
  [59, true, false, "tell"],
  [60, true, false, "relaunch"],
  [1e6, false, false, "print"],
  [0, false, false, "print"],
  [0, true, true, "end"],
  [60, true, true, "end"],
] as const)("after %i s, packaged %s, telling %s: %s", (uptime, isPackaged, isTelling, expected) => {
  expect(fatalResponse(uptime, isPackaged, isTelling)).toBe(expected);
});
