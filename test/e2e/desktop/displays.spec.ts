import type { Rectangle } from "electron";
import { rm } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endDesktopApp, missing, startDesktopAppWith, type DesktopApp } from "./desktop-app.ts";
import { missingDisplays, startDisplays, type Displays } from "./two-displays.ts";
import { needs } from "../../support/needs.ts";

if (missing === null && missingDisplays !== null) console.log(`\nskipped: two displays (${missingDisplays})\n`);

let displays: Displays;
let desktop: DesktopApp;
let dataDir: string | undefined;

async function start(): Promise<void> {
  const folder = dataDir === undefined ? {} : { dataDir };
  desktop = await startDesktopAppWith({ env: { DISPLAY: displays.name }, ...folder });
  ({ dataDir } = desktop);
  await desktop.window.getByRole("heading", { level: 1 }).waitFor();
}
async function quit(): Promise<void> {
  await desktop.app.evaluate(({ app }) => app.quit());
  await desktop.ended;
}
const bounds = (): Promise<Rectangle> =>
  desktop.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    if (window === undefined) throw new Error("there is no window");
    return window.getNormalBounds();
  });
const place = (expected: Rectangle): Promise<void> =>
  desktop.app.evaluate(({ BrowserWindow }, given) => BrowserWindow.getAllWindows()[0]?.setBounds(given), expected);
const isMaximized = (): Promise<boolean> =>
  desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMaximized() ?? false);
const countDisplays = (): Promise<number> => desktop.app.evaluate(({ screen }) => screen.getAllDisplays().length);
/** On which display the middle of the window's title bar is: 0, 1, or -1 for none. */
const displayOf = ({ x, y, width }: Rectangle): Promise<number> =>
  desktop.app.evaluate(
    ({ screen }, at) =>
      screen
        .getAllDisplays()
        .toSorted((one, other) => one.bounds.x - other.bounds.x)
        .findIndex(
          ({ bounds: area }) =>
            at.x >= area.x && at.x < area.x + area.width && at.y >= area.y && at.y < area.y + area.height,
        ),
    { x: x + width / 2, y },
  );

describe.skipIf(missing !== null || missingDisplays !== null)(
  "the window on two displays",
  needs(missing ?? missingDisplays),
  () => {
    beforeEach(async () => {
      displays = await startDisplays();
      displays.plug(true);
      dataDir = undefined;
      await start();
      expect(await countDisplays()).toBe(2);
    });
    afterEach(async () => {
      await endDesktopApp(desktop);
      if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
      await displays.close();
    });

    it("comes back where it was left, on the second one too", async () => {
      const left = { x: 1700, y: 120, width: 900, height: 620 };
      await place(left);
      await expect.poll(bounds).toEqual(left);
      await quit();
      await start();
      expect(await bounds()).toMatchObject({ width: left.width, height: left.height });
      const { x, y } = await bounds();
      // A window manager may count its frame in.
      expect([Math.abs(x - left.x) < 40, Math.abs(y - left.y) < 40]).toEqual([true, true]);
    });

    it("comes back maximised where it was", async () => {
      await place({ x: 1700, y: 120, width: 900, height: 620 });
      await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.maximize());
      await expect.poll(isMaximized).toBe(true);
      await quit();
      await start();
      await expect.poll(isMaximized).toBe(true);
      const whole = await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
      expect(await displayOf(whole ?? (await bounds()))).toBe(1);
    });

    it("comes back on the first one when the second has gone meanwhile", async () => {
      await place({ x: 1900, y: 200, width: 800, height: 600 });
      await expect.poll(async () => (await bounds()).x).toBeGreaterThan(1440);
      await quit();
      displays.plug(false);
      await start();
      expect(await countDisplays()).toBe(1);
      const now = await bounds();
      expect(await displayOf(now)).toBe(0);
      expect(now).toMatchObject({ width: 800, height: 600 });
      expect(now.x + now.width).toBeLessThanOrEqual(1440);
    });

    it("is within reach again when it is brought to the front after its display has gone", async () => {
      await place({ x: 1900, y: 200, width: 800, height: 600 });
      await expect.poll(async () => (await bounds()).x).toBeGreaterThan(1440);
      await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
      displays.plug(false);
      await expect.poll(countDisplays).toBe(1);
      await desktop.startAgain();
      await expect.poll(async () => displayOf(await bounds())).toBe(0);
    });
  },
);
