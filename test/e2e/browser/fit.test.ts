import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { closeAll, listening, sidewaysScroll, startBrowser, watchedPage, type Watched } from "./browser.ts";
import { chat, startGateway, type RunningGateway } from "./gateway.ts";

/** Every page of a real Postern in narrow and magnified windows: no action is cut off. */
let browser: Browser;
let gateway: RunningGateway;
const opened: Watched[] = [];

beforeAll(async () => {
  [browser, gateway] = await Promise.all([startBrowser(), startGateway()]);
  await chat(gateway.url, gateway.apiKey, "gpt-5.4-mini");
});
afterEach(() => closeAll(opened));
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

/** The addresses of all pages, as the palette and the sidebar know them. */
async function everyPage(page: Page): Promise<readonly string[]> {
  await page.keyboard.press("?");
  const lines = await page
    .getByRole("dialog")
    .getByText(/^Go to /)
    .allTextContents();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  return lines.map((line) => line.replace("Go to ", ""));
}

/**
 * Controls that cannot be brought into sight whole, each as its name and place. What lies in a strip that scrolls by
 * itself can; what the frame keeps above or below the content does not scroll.
 */
const CUT = `[...document.querySelectorAll("main button, main a[href], main input, main select, nav a, nav button")].flatMap((control) => {
  if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
  // Boxes that stand for a drawn control are a pixel large.
  if (control.matches("input") && control.getBoundingClientRect().width <= 1) return [];
  control.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const { left, right, top, bottom, width } = control.getBoundingClientRect();
  const isCut = left < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5 || top < -0.5;
  return isCut && width > 0 ? [(control.ariaLabel ?? control.textContent) + " " + [left, right, top, bottom].map(Math.round)] : [];
})`;

// 200 % of a window of 1280 × 800 leaves 640 × 400.
it.each([
  [360, 740],
  [640, 400],
])("no page scrolls sideways or cuts off an action at %i × %i", async (width, height) => {
  const watched = await watchedPage(browser, gateway.url, { width, height });
  opened.push(watched);
  const { page } = watched;
  await page.goto(await gateway.freshAddress());
  await listening(page);
  const names = await everyPage(page);
  expect(names.length).toBeGreaterThanOrEqual(11);
  for (const name of names) {
    await page.goto(`${gateway.url}/#/${name.toLowerCase()}`);
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    await expect.poll(() => page.locator("main [aria-busy=true]").count()).toBe(0);
    expect([name, await sidewaysScroll(page)]).toEqual([name, 0]);
    expect([name, await page.evaluate<string[]>(CUT)]).toEqual([name, []]);
  }
});
