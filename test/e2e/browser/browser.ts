import { existsSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { chromium, type Browser, type BrowserContext, type Locator, type Page, type Request } from "playwright-core";
import { expect } from "vitest";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser of the tests: CHROMIUM_PATH, else one of the usual places. */
export function chromiumPath(): string {
  const found = [process.env["CHROMIUM_PATH"] ?? "", ...PLACES].find((path) => path !== "" && existsSync(path));
  if (found === undefined) throw new Error("No Chromium found. Install one, or set CHROMIUM_PATH.");
  return found;
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      // A tone in the place of a microphone, for pages that may use one.
      "--use-fake-device-for-media-stream",
    ],
  });
}

let shared: Promise<Browser> | undefined;

/** The browser of all test files that this process runs, one after the other. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  return (shared ??= startBrowser());
}

/** What a page did that it must not do. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, uncaught exceptions, requests to other origins and ways there, windows, violations of the policy. */
  readonly faults: string[];
}

export interface WatchOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  readonly reducedMotion?: boolean;
  /** The page's time of day stands still, for tests that look at what is drawn again: "1 min ago" is, each minute. */
  readonly still?: boolean;
}

/**
 * A fresh page that writes down every fault. Refused control calls (4xx, 5xx) are no fault: pages have to show them.
 * @param context what it shares storage with; a context of its own without
 */
export async function watchedPage(
  browser: Browser,
  origin: string,
  options: WatchOptions = {},
  context?: BrowserContext,
): Promise<Watched> {
  context ??= await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.theme ?? "light",
    reducedMotion: (options.reducedMotion ?? true) ? "reduce" : "no-preference",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  watchFetches(page);
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  page.on("popup", (opened) => faults.push(`opened ${opened.url().slice(0, 200)}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("framenavigated", (frame) => {
    if (frame !== page.mainFrame()) faults.push(`frame: ${frame.url().slice(0, 200)}`);
    else if (!frame.url().startsWith(`${origin}/`)) faults.push(`navigated to ${frame.url().slice(0, 200)}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith("data:")) faults.push(`left: ${request.url()}`);
  });
  await page.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`violation: ${event.violatedDirective} ${event.blockedURI}`),
    ),
  );
  return { page, context, faults };
}

/** Waits until the page takes keys: it puts its name in the title once it listens to them. */
export async function listening(page: Page): Promise<void> {
  await expect.poll(() => page.title()).toMatch(/ · Postern$/);
}

/** The tab of an entry (Media, Providers, Apps) that is shown, by its name. */
export const shownTab = (page: Page, name: string): Locator =>
  page.locator("main header nav [aria-current=page]").filter({ hasText: name });

/** What was put into the document is on the screen then. */
const twoFrames = (): Promise<unknown> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

const fetches = new WeakMap<Page, Set<Request>>();

/** Knows what a page is fetching, but for the stream of events, which does not end. */
function watchFetches(page: Page): void {
  const pending = new Set<Request>();
  fetches.set(page, pending);
  page.on("request", (request) => {
    if (!request.url().includes("/control/events")) pending.add(request);
  });
  page.on("requestfinished", (request) => pending.delete(request));
  page.on("requestfailed", (request) => pending.delete(request));
}

/** Waits until the page fetches nothing and has drawn what came: fields and rows do not change by themselves then. */
export async function quiet(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.evaluate(twoFrames);
      return [...(fetches.get(page) ?? [])].map((request) => request.url());
    })
    .toEqual([]);
}

/** The control that has the focus, once it is this one: what is typed before goes elsewhere. */
export function focused(control: Locator): Promise<void> {
  return control.and(control.page().locator(":focus")).waitFor();
}

/** Opens the palette, and waits until it takes what is typed. */
export async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await focused(page.getByRole("combobox", { name: /^(Go to a page, or run an action|前往页面，或执行操作)$/ }));
}

/** The command of the palette that Enter runs, once it is this one: what it offers may still be on its way. */
export async function runCommand(page: Page, label: string): Promise<void> {
  await page.locator("[role=option][data-highlighted]").filter({ hasText: label }).waitFor();
  await page.keyboard.press("Enter");
}

/**
 * Keeps back what the page does with its next frames, as a busy machine does.
 * @returns does it, and what it asks for in turn; after that, frames are drawn as ever
 */
export async function holdFrames(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const draw = window.requestAnimationFrame;
    const pending: FrameRequestCallback[] = [];
    window.requestAnimationFrame = (callback) => pending.push(callback);
    Object.assign(window, {
      drawHeld() {
        window.requestAnimationFrame = draw;
        for (const callback of pending) draw(callback);
      },
    });
  });
  return async () => {
    await page.evaluate("drawHeld()");
    await page.evaluate(twoFrames);
  };
}

/** What the clipboard has after a press: nothing that was there before. */
export async function copied(page: Page, press: () => Promise<void>): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await press();
  const read = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe("");
  return read();
}

/** Closes the pages of a test. Throws when one of them did what a page must not do. */
export async function closeAll(opened: Watched[]): Promise<void> {
  const pages = opened.splice(0);
  await Promise.all(pages.map(({ context }) => context.close()));
  const faults = pages.flatMap((page) => page.faults);
  if (faults.length > 0) throw new Error(`The pages are at fault:\n${faults.join("\n")}`);
}

interface RunOnly {
  readonly type: "tag" | "rule";
  values: string[];
}

const AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe finds in the page, or in a part of it, one line each. All rules run; what passes is not listed. */
export function axeFindings(page: Page, part = "html"): Promise<string[]> {
  return findings(page, part, { type: "tag", values: AXE_RULES });
}

/** Width in CSS pixels from which a window has the sidebar next to the page. */
const WIDE = 1_000;

/** Rules whose result depends on the width of the window. */
const LAYOUT_RULES = ["scrollable-region-focusable", "target-size"];

/**
 * Finds what axe finds in both themes, of a page that follows the system's; it is light before and after. Themes change
 * colours alone, and contrast is the one rule that reads them. In a narrow window only the rules of layout run: the
 * others say the same as in a wide one.
 */
export async function axeInBothThemes(page: Page, part = "html"): Promise<string[]> {
  if ((page.viewportSize()?.width ?? WIDE) < WIDE) return findings(page, part, { type: "rule", values: LAYOUT_RULES });
  const inLight = await axeFindings(page, part);
  await page.emulateMedia({ colorScheme: "dark" });
  const inDark = await findings(page, part, { type: "rule", values: ["color-contrast"] });
  await page.emulateMedia({ colorScheme: "light" });
  return [...inLight, ...inDark.map((line) => `dark: ${line}`)];
}

/** Not among the rules of those tags yet; Lighthouse asks it. */
const NAMES_AS_SEEN = { "label-content-name-mismatch": { enabled: true } };

/** The findings are put together in the page itself, for it has no frames: a fifth of the time. */
async function findings(page: Page, part: string, runOnly: RunOnly): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .include(part)
    .setLegacyMode(true)
    .options({ runOnly, rules: NAMES_AS_SEEN, resultTypes: ["violations"] })
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary ?? ""}`),
  );
}

/** Pixels by which the page is wider than its window. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** What axe finds in either theme, and that the page is wider than its window. */
export async function findFaults(page: Page, part?: string): Promise<string[]> {
  const beyond = await sidewaysScroll(page);
  return [...(await axeInBothThemes(page, part)), ...(beyond === 0 ? [] : [`scrolls sideways by ${beyond} px`])];
}

/** Closes a dialog or another layer, and waits until it is gone. */
export async function closeByEscape(layer: Locator): Promise<void> {
  await layer.page().keyboard.press("Escape");
  await layer.waitFor({ state: "detached" });
}
