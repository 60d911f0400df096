import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DesktopHook } from "../../../main/shell/test-hook.ts";
import { endDesktopApp, isPackaged, missing, startDesktopAppWith, type DesktopApp } from "./desktop-app.ts";
import { needs } from "../../support/needs.ts";

if (missing !== null) console.log(`\nskipped: ${missing}\n`);
else if (isPackaged) console.log("\nskipped: a hidden window (an installed app keeps it for a minute)\n");

const SOON_MS = 300;
/** Several such times: what is still there then was not let go of. */
const STAYS_MS = SOON_MS * 5;

let desktop: DesktopApp;
let page: Page;

const windows = (): Promise<number> =>
  desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
const isVisible = (): Promise<boolean> =>
  desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));
/** The processes of pages. */
const pagePids = (): Promise<number[]> =>
  desktop.app.evaluate(({ app }) =>
    app
      .getAppMetrics()
      .filter(({ type }) => type === "Tab")
      .map(({ pid }) => pid),
  );
const close = async (): Promise<void> => {
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
};
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const goTo = async (hash: string, name: string): Promise<void> => {
  await page.evaluate(`void (location.hash = ${JSON.stringify(hash)})`);
  await page.getByRole("heading", { name, level: 1 }).waitFor();
};
const scrolled = (): Promise<unknown> => page.evaluate("document.querySelector('main').scrollTop");
const message = () => page.getByRole("textbox", { name: "Message" });
/** Starts it again, and waits for the window that comes. */
const comeBack = async (...more: readonly string[]): Promise<void> => {
  const next = desktop.app.waitForEvent("window");
  expect((await desktop.startAgain(...more)).code).toBe(0);
  page = await next;
  await expect.poll(isVisible).toBe(true);
};
/** How often the page was asked whether it can be let go of. */
const timesAsked = (): Promise<unknown> => page.evaluate("globalThis.asked");
const countAsked = (): Promise<unknown> =>
  page.evaluate("void ((globalThis.asked = 0), addEventListener('rest', () => (globalThis.asked += 1)))");

describe.skipIf(missing !== null || isPackaged)(
  "a window that stays hidden",
  needs(missing ?? "the unpacked bundles"),
  () => {
    beforeEach(async () => {
      desktop = await startDesktopAppWith({ env: { POSTERN_DESKTOP_REST_MS: String(SOON_MS) } });
      page = desktop.window;
      await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    });
    afterEach(() => endDesktopApp(desktop));

    it("goes with its process, and comes back on its page with filter, place and draft", async () => {
      await goTo("#/playground?kind=chat", "Playground");
      const draft = "A draft, longer than an address takes. ".repeat(20);
      await message().fill(draft);
      await goTo("#/models?q=gpt", "Providers");
      await page.locator("main [data-row]").first().waitFor();
      await page.evaluate("document.querySelector('main').scrollTo(0, 200)");
      const [address, place, pids] = [page.url(), await scrolled(), await pagePids()];
      expect(place).toBe(200);

      await close();
      await expect.poll(windows).toBe(0);
      await expect.poll(() => pids.filter(isAlive)).toEqual([]);
      expect((await fetch(`${desktop.ready.url}/health`)).status).toBe(200);
      const tray = await desktop.app.evaluate(() =>
        (globalThis as { posternDesktop?: DesktopHook }).posternDesktop?.tray(),
      );
      expect(JSON.stringify(tray)).toContain("Nothing in flight");

      await comeBack();
      await page.locator("main [data-row]").first().waitFor();
      expect(page.url()).toBe(address);
      await expect.poll(scrolled).toBe(place);
      await goTo("#/playground?kind=chat", "Playground");
      expect(await message().inputValue()).toBe(draft);
    });

    it("comes back on the page that a link leads to, and has kept the draft over two rests", async () => {
      await goTo("#/playground?kind=chat", "Playground");
      await message().fill("Half a question");
      for (const [link, name] of [
        ["tasks", "Media"],
        ["keys", "Keys"],
      ] as const) {
        await close();
        await expect.poll(windows).toBe(0);
        await comeBack("--", `postern://open?page=${link}`);
        await page.getByRole("heading", { name, level: 1 }).waitFor();
      }
      await goTo("#/playground?kind=chat", "Playground");
      expect(await message().inputValue()).toBe("Half a question");
    });

    it("stays while a call of the playground runs, and goes when it is over", async () => {
      await goTo("#/playground?kind=chat&model=gpt-4o-mini", "Playground");
      await message().fill("Count to twenty. sandbox:slow=4000");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("button", { name: "Stop" }).waitFor();
      await countAsked();
      await close();
      await expect.poll(timesAsked, { timeout: STAYS_MS * 4 }).toBeGreaterThanOrEqual(2);
      expect(await windows()).toBe(1);
      await expect.poll(windows, { timeout: 20_000 }).toBe(0);
      await comeBack();
      // The response is there as it was.
      await page.getByRole("article", { name: "You" }).getByText("Count to twenty. sandbox:slow=4000").waitFor();
    });

    it("stays while a form is half filled in", async () => {
      await desktop.startAgain(
        "--",
        "postern://connect?provider=openai-compatible&base_url=https://llm.example.com/v1",
      );
      const field = page.getByRole("dialog").getByLabel("Name");
      await field.fill("Not yet");
      await countAsked();
      await close();
      await expect.poll(timesAsked, { timeout: STAYS_MS * 4 }).toBeGreaterThanOrEqual(3);
      expect(await windows()).toBe(1);
      await desktop.startAgain();
      await expect.poll(isVisible).toBe(true);
      expect(await field.inputValue()).toBe("Not yet");
    });

    it("is there at once when it is wanted in time", async () => {
      const pids = await pagePids();
      await close();
      await desktop.app.evaluate(({ app }) => app.emit("activate"));
      await expect.poll(isVisible).toBe(true);
      await goTo("#/keys", "Keys");
      expect(await pagePids()).toEqual(pids);
    });
  },
);
