import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { INSTALL_DEADLINE_MS, QUIT_DEADLINE_MS } from "../../../main/policy/quit.ts";
import { drainBeforeQuit } from "../../../main/shell/quit.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let closing = Promise.withResolvers<void>();
let order: string[] = [];
let before: Map<NodeJS.Signals, NodeJS.SignalsListener[]>;

function start() {
  return drainBeforeQuit({
    close: () => {
      order.push("close");
      return closing.promise;
    },
    onDraining: () => order.push("draining"),
    log: { error: (event, fields) => order.push(`${event} ${String(fields?.["message"])}`), flush: () => undefined },
  });
}
const ended = (): Promise<number> => new Promise((resolve) => electron.app.once("fake-exit", resolve));

beforeEach(() => {
  electron.resetElectron();
  closing = Promise.withResolvers();
  order = [];
  before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  for (const signal of SIGNALS) {
    for (const listener of process.listeners(signal)) {
      if (!before.get(signal)?.includes(listener)) process.off(signal, listener);
    }
  }
});

describe("drainBeforeQuit", () => {
  it("closes the gateway first and ends with 0 after it", async () => {
    const quit = start();
    const end = ended();
    quit.ask();
    expect(order).toStrictEqual(["close", "draining"]);
    expect(quit.isQuitting()).toBe(true);
    expect(electron.app.exitCode).toBeNull();
    closing.resolve();
    expect(await end).toBe(0);
    expect(electron.app.calls).toStrictEqual(["quit", "exit 0"]);
  });

  it("drains once, however often it is asked", async () => {
    const quit = start();
    const end = ended();
    for (let index = 0; index < 5; index++) quit.ask();
    closing.resolve();
    await end;
    expect(order).toStrictEqual(["close", "draining"]);
    expect(electron.app.calls.filter((call) => call.startsWith("exit"))).toStrictEqual(["exit 0"]);
  });

  it("says why, and ends with 1, when the gateway fails to close", async () => {
    const end = ended();
    start().ask();
    closing.reject(new Error("the disk is full"));
    expect(await end).toBe(1);
    expect(order).toContain("stop.failed the disk is full");
  });

  it("does not wait longer than the deadline", async () => {
    vi.useFakeTimers();
    const end = ended();
    start().ask();
    await vi.advanceTimersByTimeAsync(QUIT_DEADLINE_MS - 1);
    expect(electron.app.exitCode).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(await end).toBe(1);
    expect(order.at(-1)).toMatch(/^stop.failed the gateway did not close within/);
  });

  it.each(SIGNALS)("drains at %s", async (signal) => {
    start();
    const end = ended();
    const added = process.listeners(signal).filter((one) => !before.get(signal)?.includes(one));
    expect(added).toHaveLength(1);
    added[0]?.(signal);
    closing.resolve();
    expect(await end).toBe(0);
    expect(order).toStrictEqual(["close", "draining"]);
  });

  it("holds a shutdown of the machine back until it is drained", async () => {
    start();
    const end = ended();
    const event = new electron.FakeEvent();
    electron.powerMonitor.emit("shutdown", event);
    expect(event.defaultPrevented).toBe(true);
    closing.resolve();
    expect(await end).toBe(0);
  });

  it("lifts Chromium's limit of crashes before it drains: a signal to the group ends its processes, too", () => {
    const quit = start();
    expect(electron.app.switches).toStrictEqual([]);
    quit.ask();
    expect(electron.app.switches).toStrictEqual(["disable-gpu-process-crash-limit"]);
  });

  it("holds a log-off of Windows back until it is drained, also without a window of pages", async () => {
    vi.stubGlobal("process", Object.create(process, { platform: { value: "win32" } }) as typeof process);
    start();
    vi.unstubAllGlobals();
    const end = ended();
    const [listener] = electron.baseWindows;
    expect(listener?.options).toMatchObject({ show: false });
    const ask = (): boolean => {
      const event = new electron.FakeEvent();
      listener?.emit("query-session-end", event);
      return event.defaultPrevented;
    };
    expect([ask(), ask(), order]).toStrictEqual([true, true, ["close", "draining"]]);
    closing.resolve();
    expect(await end).toBe(0);
    expect(ask()).toBe(false);
  });

  it("lets go when it is drained", async () => {
    const quit = start();
    const end = ended();
    quit.ask();
    closing.resolve();
    await end;
    const event = new electron.FakeEvent();
    electron.app.emit("before-quit", event);
    expect(event.defaultPrevented).toBe(false);
  });

  it("starts again when it is asked to, after the drain", async () => {
    const quit = start();
    const end = ended();
    quit.restart();
    quit.restart();
    expect(electron.app.calls).toStrictEqual(["quit"]);
    closing.resolve();
    expect(await end).toBe(0);
    expect(electron.app.calls).toStrictEqual(["quit", expect.stringMatching(/^relaunch /), "exit 0"]);
  });

  it("asks the npm start that waits for it to start it again, so that the terminal stays its own", async () => {
    vi.stubEnv("POSTERN_SUPERVISED", "1");
    const quit = start();
    const end = ended();
    quit.restart();
    closing.resolve();
    expect(await end).toBe(86);
    expect(electron.app.calls).toStrictEqual(["quit", "exit 86"]);
  });

  it("does not start again when it was on its way out", async () => {
    const quit = start();
    const end = ended();
    quit.ask();
    quit.restart();
    quit.install(() => order.push("install"));
    closing.resolve();
    expect(await end).toBe(0);
    expect([order, electron.app.calls]).toStrictEqual([
      ["close", "draining"],
      ["quit", "exit 0"],
    ]);
  });

  it("hands over to an installer after the drain, whose quit is not held back", async () => {
    const quit = start();
    const end = ended();
    quit.install(() => {
      order.push("install");
      electron.app.quit();
    });
    expect(order).toStrictEqual(["close", "draining"]);
    closing.resolve();
    expect(await end).toBe(0);
    expect([order.at(-1), electron.app.calls]).toStrictEqual(["install", ["quit", "quit", "exit 0"]]);
  });

  it.each([
    [
      "throws",
      (): void => {
        throw new Error("no installer");
      },
    ],
    ["gives up", (giveUp: () => void): void => giveUp()],
  ])("starts again as it was when the installer %s", async (_name, install) => {
    const quit = start();
    const end = ended();
    quit.install(install);
    closing.resolve();
    expect(await end).toBe(1);
    expect(electron.app.calls.at(-2)).toMatch(/^relaunch /);
  });

  it("starts again as it was when the installer does nothing", async () => {
    vi.useFakeTimers();
    const quit = start();
    const end = ended();
    quit.install(() => undefined);
    closing.resolve();
    await vi.advanceTimersByTimeAsync(INSTALL_DEADLINE_MS);
    expect(await end).toBe(1);
  });
});
