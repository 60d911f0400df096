import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { closeAll, listening, startBrowser, watchedPage, type Watched, type WatchOptions } from "./browser.ts";
import { startGateway, type RunningGateway } from "./gateway.ts";

/** The playground of one real Postern with its sandbox, a page for each test. */
export interface PlaygroundBench {
  readonly gateway: RunningGateway;
  /** Opens the page; `query` is what follows `#/playground`. */
  open(query?: string, options?: WatchOptions): Promise<Page>;
}

export function usePlaygroundBench(): PlaygroundBench {
  let browser: Browser;
  let gateway: RunningGateway;
  const opened: Watched[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
    gateway = await startGateway();
  });
  afterAll(async () => {
    await browser.close();
    await gateway.stop();
  });
  afterEach(() => closeAll(opened));

  return {
    get gateway() {
      return gateway;
    },
    async open(query = "", options) {
      const watched = await watchedPage(browser, gateway.url, options);
      opened.push(watched);
      const { page } = watched;
      await page.goto(await gateway.freshAddress());
      await listening(page);
      await page.goto(`${gateway.url}/#/playground${query}`);
      await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
      await page.getByLabel("Model", { exact: true }).waitFor();
      return page;
    },
  };
}

/** The newest answer of a tab that is not the chat. */
export const newest = (page: Page): Locator =>
  page.getByRole("region", { name: "Answers" }).getByRole("article").first();
export const message = (page: Page): Locator => page.getByLabel("Message", { exact: true });
export const answers = (page: Page): Locator => page.getByRole("article", { name: /^Answer of / });
export const run = (page: Page): Locator => page.getByRole("button", { name: "Run", exact: true });
export const clipboard = (page: Page): Promise<string> => page.evaluate<string>("navigator.clipboard.readText()");
