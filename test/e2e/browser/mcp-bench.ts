import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { closeAll, listening, startBrowser, watchedPage, type Watched, type WatchOptions } from "./browser.ts";
import { startFakeControl, type FakeControl } from "./fake-control.ts";
import { addLibrary } from "./fake-library.ts";
import { addMcp, type FakeMcp } from "./fake-mcp.ts";

/** The MCP page over a fake control server, fresh for each test of a file. */
export interface McpBench {
  readonly fake: FakeControl;
  readonly mcp: FakeMcp;
  /** Opens the page; `query` is what follows `#/mcp`. */
  open(query?: string, options?: WatchOptions): Promise<Page>;
  /** A page of any address that is watched like the others. */
  blank(origin: string): Promise<Page>;
  /** Closes all pages; throws when one of them did what a page must not do. */
  leave(): Promise<void>;
}

export function useMcpBench(): McpBench {
  let browser: Browser;
  let fake: FakeControl;
  let mcp: FakeMcp;
  const opened: Watched[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    fake = await startFakeControl();
    addLibrary(fake, 20);
    mcp = addMcp(fake);
  });
  afterEach(async () => {
    await closeAll(opened);
    await fake.close();
  });

  const blank = async (origin: string, options?: WatchOptions): Promise<Page> => {
    const watched = await watchedPage(browser, origin, options);
    opened.push(watched);
    return watched.page;
  };
  return {
    get fake() {
      return fake;
    },
    get mcp() {
      return mcp;
    },
    blank,
    leave: () => closeAll(opened),
    async open(query = "", options) {
      const page = await blank(fake.url, options);
      await page.goto(fake.ui);
      await listening(page);
      await page.goto(`${fake.url}/#/mcp${query}`);
      await page.getByRole("heading", { level: 2, name: "Tools", includeHidden: true }).waitFor();
      await fake.followed();
      return page;
    },
  };
}

export const dialog = (page: Page): Locator => page.getByRole("dialog");
export const calls = (page: Page): Locator => page.getByRole("grid", { name: "Live calls" }).locator("[data-row]");
export const run = (page: Page): Locator => dialog(page).getByRole("button", { name: "Run", exact: true });
export const result = (page: Page): Locator => dialog(page).getByRole("region", { name: "Result", exact: true });
export const clipboard = (page: Page): Promise<string> => page.evaluate<string>("navigator.clipboard.readText()");
