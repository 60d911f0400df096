import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { quiet, type WatchOptions } from "./browser.ts";
import { addFakeTasks, type FakeTasks } from "./fake-tasks.ts";
import { useFakePages, type FakePages } from "./page-suite.ts";

/** The Tasks page over a fake control server. */
export interface TasksBench {
  readonly pages: FakePages;
  readonly tasks: FakeTasks;
  /** Puts another number of tasks behind the page, before it is opened. */
  fill(count: number): void;
  /** Opens the page; `query` is what follows `#/tasks`. */
  open(query?: string, options?: WatchOptions): Promise<Page>;
  /** The same, with rows in sight and nothing that still comes: from here on nothing is drawn again by itself. */
  openTable(query?: string, options?: WatchOptions): Promise<Page>;
  /** The id of the task at a place of the whole list. */
  idOf(index: number): string;
}

/** @param count tasks where a test does not say otherwise */
export function useTasksBench(count: number): TasksBench {
  let tasks: FakeTasks;
  const pages = useFakePages((fake) => (tasks = addFakeTasks(fake, count)));
  const open = (query = "", options?: WatchOptions): Promise<Page> => pages.open(`tasks${query}`, options);
  return {
    pages,
    get tasks() {
      return tasks;
    },
    fill: (other) => void (tasks = addFakeTasks(pages.fake, other)),
    open,
    async openTable(query, options) {
      const page = await open(query, options);
      await rows(page).first().waitFor();
      await pages.fake.followed();
      await quiet(page);
      await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
      return page;
    },
    idOf: (index) => tasks.rows[index]?.id ?? "",
  };
}

export const rows = (page: Page): Locator => page.locator("[data-row]");
export const rowWith = (page: Page, text: string): Locator => rows(page).filter({ hasText: text });
/** What follows `#/tasks` in the address. */
export const paramsOf = (page: Page): string => new URL(page.url()).hash.replace("#/tasks", "");
