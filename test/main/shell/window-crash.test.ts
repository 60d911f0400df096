import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { english } from "../../../main/policy/words.ts";
import { respondToCrashes } from "../../../main/shell/window-crash.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const settled = () => new Promise((resolve) => setImmediate(resolve));
let window: electron.BrowserWindow;

/** Ends the process that the page's requests go through; the reload has started then. */
async function endNetwork(): Promise<void> {
  const details = { type: "Utility", serviceName: "network.mojom.NetworkService", reason: "killed" };
  electron.app.emit("child-process-gone", new electron.FakeEvent(), details);
  await settled();
}
async function stopLoading(): Promise<void> {
  window.webContents.emit("did-stop-loading");
  await settled();
}

beforeEach(() => {
  electron.resetElectron();
  window = new electron.BrowserWindow({});
  respondToCrashes(
    { url: "http://127.0.0.1:6174", words: english, log: { warn: () => undefined } },
    {
      current: () => window as never,
      loadSame: () => window.webContents.reload(),
      loadFirst: () => undefined,
      show: () => undefined,
    },
  );
});

describe("the box", () => {
  const TWICE = 2;
  const crash = async (): Promise<void> => {
    for (let count = 0; count < TWICE; count++) {
      electron.app.emit("render-process-gone", new electron.FakeEvent(), window.webContents, { reason: "crashed" });
      await settled();
    }
  };
  /** Boxes that stay open until they are closed from here or by their signal, as Electron's do. */
  const keepOpen = () => {
    const shown: { readonly parent: unknown; readonly signal: AbortSignal; respond(button: number): void }[] = [];
    vi.spyOn(electron.dialog, "showMessageBox").mockImplementation((...given) => {
      const { promise, resolve } = Promise.withResolvers<{ response: number }>();
      const { signal } = given.at(-1) as { signal: AbortSignal };
      signal.addEventListener("abort", () => resolve({ response: 1 }));
      const parent = given.length === 1 ? null : given[0];
      shown.push({ parent, signal, respond: (response) => resolve({ response }) });
      return promise;
    });
    return shown;
  };
  afterEach(() => void vi.restoreAllMocks());

  it("is in front of the window, and one however often it crashes", async () => {
    window.visible = true;
    const shown = keepOpen();
    await crash();
    await crash();
    expect(shown.map(({ parent }) => parent)).toStrictEqual([window]);
    shown[0]!.respond(1);
    await settled();
    expect(window.calls).toStrictEqual(["hide"]);
    await crash();
    expect(shown.map(({ parent }) => parent)).toStrictEqual([window, null]);
  });

  it.each([
    ["has loaded a page", () => window.webContents.emit("did-finish-load")],
    ["is shown again", () => window.show()],
  ])("closes itself when the window %s, and hides nothing then", async (_name, work) => {
    const shown = keepOpen();
    await crash();
    work();
    await settled();
    expect(shown.map(({ signal }) => signal.aborted)).toStrictEqual([true]);
    expect(window.calls).not.toContain("hide");
    expect(window.listenerCount("show") + window.webContents.listenerCount("did-finish-load")).toBe(0);
  });
});

describe("a load that Chromium aborts because it has not noticed yet that the network process is gone", () => {
  it.each(["did-navigate", "did-fail-load"])("is started again, until %s", async (started) => {
    await endNetwork();
    await stopLoading();
    expect(window.webContents.reloads).toBe(2);
    window.webContents.emit(started);
    await stopLoading();
    // A later stop is another load's.
    await stopLoading();
    expect(window.webContents.reloads).toBe(2);
  });

  it("is given up where it is aborted again and again", async () => {
    await endNetwork();
    for (let count = 0; count < 30; count++) await stopLoading();
    expect(window.webContents.reloads).toBe(10);
  });

  it("is not started in a window that is gone", async () => {
    await endNetwork();
    window.destroyed = true;
    await stopLoading();
    expect(window.webContents.reloads).toBe(1);
  });
});
