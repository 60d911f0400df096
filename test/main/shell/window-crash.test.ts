import { beforeEach, describe, expect, it, vi } from "vitest";
import { english } from "../../../main/policy/words.ts";
import { respondToCrashes } from "../../../main/shell/window-crash.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const settled = () => new Promise((resolve) => setImmediate(resolve));
let window: electron.BrowserWindow;

/** Ends the process that the page's requests go through; the reload has begun then. */
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

describe("a load that Chromium aborts because it has not noticed yet that the network process is gone", () => {
  it.each(["did-navigate", "did-fail-load"])("is begun again, until %s", async (begun) => {
    await endNetwork();
    await stopLoading();
    expect(window.webContents.reloads).toBe(2);
    window.webContents.emit(begun);
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

  it("is not begun in a window that is gone", async () => {
    await endNetwork();
    window.destroyed = true;
    await stopLoading();
    expect(window.webContents.reloads).toBe(1);
  });
});
