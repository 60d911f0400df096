import { setTimeout as sleep } from "node:timers/promises";
import { endDesktopApp, startDesktopAppWith } from "../../e2e/desktop/desktop-app.ts";
import { median } from "../peers/bars.ts";
import { members, type Member } from "./app.ts";

const REST_MS = 1_000;

export interface RestFigures {
  /** With the window, and after it was let go of. */
  readonly before: readonly Member[];
  readonly after: readonly Member[];
  /** From a second start's message to the page with its rows, painted, ms. */
  readonly backMs: number;
}

/** Lets go of a window that shows the models, and brings it back, `times` times. */
export async function measureRest(times: number): Promise<RestFigures> {
  const desktop = await startDesktopAppWith({ env: { POSTERN_DESKTOP_REST_MS: String(REST_MS) } });
  try {
    const { app, ready } = desktop;
    await desktop.window.evaluate("void (location.hash = '#/models')");
    await desktop.window.locator("main [data-row]").first().waitFor();
    await sleep(3_000);
    const before = members(ready.pid);
    let after: readonly Member[] = [];
    const back: number[] = [];
    for (let time = 0; time < times; time++) {
      await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
      while ((await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)) > 0) await sleep(100);
      await sleep(2_000);
      after = members(ready.pid);
      const next = app.waitForEvent("window");
      const from = await app.evaluate((electron) => {
        electron.app.emit("activate");
        return Date.now();
      });
      const page = await next;
      const painted = await page.evaluate<number>(`new Promise((resolve) => {
        const look = () => document.querySelector("main [data-row]") === null
          ? requestAnimationFrame(look)
          : requestAnimationFrame(() => resolve(Date.now()));
        look();
      })`);
      back.push(painted - from);
      await sleep(500);
    }
    return { before, after, backMs: median(back) };
  } finally {
    await endDesktopApp(desktop);
  }
}
