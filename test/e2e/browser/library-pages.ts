import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { closeAll, listening, startBrowser, watchedPage, type Watched, type WatchOptions } from "./browser.ts";
import { startFakeControl, type FakeControl } from "./fake-control.ts";
import { addLibrary, type FakeLibrary } from "./fake-library.ts";

/** The library page over a fake control server with real files, fresh for each test of a file. */
export interface LibraryPages {
  readonly fake: FakeControl;
  readonly library: FakeLibrary;
  /** A page at an address of the fragment, once it listens to keys. */
  open(address?: string, options?: WatchOptions): Promise<Page>;
  /** A page that shows nothing yet. */
  blank(options?: WatchOptions): Promise<Page>;
}

/** @param count results in the library */
export function useLibraryPages(count: number): LibraryPages {
  let browser: Browser;
  let fake: FakeControl;
  let library: FakeLibrary;
  const opened: Watched[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    fake = await startFakeControl();
    library = addLibrary(fake, count);
  });
  afterEach(async () => {
    await closeAll(opened);
    await fake.close();
  });

  const blank = async (options?: WatchOptions): Promise<Page> => {
    const watched = await watchedPage(browser, fake.url, options);
    opened.push(watched);
    return watched.page;
  };
  return {
    get fake() {
      return fake;
    },
    get library() {
      return library;
    },
    blank,
    async open(address = "library", options) {
      const page = await blank(options);
      await page.goto(fake.ui);
      await listening(page);
      await page.goto(`${fake.url}/#/${address}`);
      return page;
    },
  };
}

export const tile = (page: Page, number: number): Locator =>
  page.locator("[data-tile]").filter({ hasText: `number ${number}` });

/** Waits until the head of the page says how many results there are. */
export const total = (page: Page, text: string): Promise<void> => page.getByText(text, { exact: true }).waitFor();

export const dialog = (page: Page): Locator => page.getByRole("dialog");
