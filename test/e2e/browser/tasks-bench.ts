import type { Browser, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { closeAll, listening, watchedPage, type Watched, type WatchOptions } from "./browser.ts";
import { startFakeControl, type FakeControl } from "./fake-control.ts";
import { addFakeTasks, type FakeTasks } from "./fake-tasks.ts";

/** The Tasks page over a fake control server, for one test. */
export interface TasksBench {
  readonly fake: FakeControl;
  readonly tasks: FakeTasks;
  /** Opens the page; `query` is what follows `#/tasks`. */
  open(query?: string, options?: WatchOptions): Promise<Page>;
  /** The same, with rows in sight and nothing that still comes: from here on nothing is drawn again by itself. */
  openTable(query?: string, options?: WatchOptions): Promise<Page>;
  /** The id of the task at a place of the whole list. */
  idOf(index: number): string;
  /** Throws when a page did what a page must not do. */
  close(): Promise<void>;
}

export async function startTasksBench(browser: Browser, count: number): Promise<TasksBench> {
  const fake = await startFakeControl();
  const tasks = addFakeTasks(fake, count);
  const opened: Watched[] = [];
  const open = async (query = "", options: WatchOptions = {}): Promise<Page> => {
    const watched = await watchedPage(browser, fake.url, options);
    opened.push(watched);
    await watched.page.goto(fake.ui);
    await listening(watched.page);
    await watched.page.goto(`${fake.url}/#/tasks${query}`);
    return watched.page;
  };
  return {
    fake,
    tasks,
    open,
    async openTable(query, options) {
      const page = await open(query, options);
      await rows(page).first().waitFor();
      await fake.followed();
      await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
      return page;
    },
    idOf: (index) => tasks.rows[index]?.id ?? "",
    async close() {
      try {
        await closeAll(opened);
      } finally {
        await fake.close();
      }
    },
  };
}

export const rows = (page: Page): Locator => page.locator("[data-row]");
export const rowWith = (page: Page, text: string): Locator => rows(page).filter({ hasText: text });
/** What follows `#/tasks` in the address. */
export const paramsOf = (page: Page): string => new URL(page.url()).hash.replace("#/tasks", "");
export const clipboard = (page: Page): Promise<string> => page.evaluate<string>("navigator.clipboard.readText()");
