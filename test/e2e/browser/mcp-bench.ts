import type { Locator, Page } from "playwright-core";
import { quiet, type WatchOptions } from "./browser.ts";
import { addLibrary } from "./fake-library.ts";
import { addMcp, type FakeMcp } from "./fake-mcp.ts";
import { useFakePages, type FakePages } from "./page-suite.ts";

/** The MCP page over a fake control server. */
export interface McpBench {
  readonly pages: FakePages;
  readonly mcp: FakeMcp;
  /** Opens the page with its tools there, and what happens reaches it; `query` is what follows `#/mcp`. */
  open(query?: string, options?: WatchOptions): Promise<Page>;
}

export function useMcpBench(): McpBench {
  let mcp: FakeMcp;
  const pages = useFakePages((fake) => {
    addLibrary(fake, 20);
    mcp = addMcp(fake);
  });
  return {
    pages,
    get mcp() {
      return mcp;
    },
    async open(query = "", options) {
      const page = await pages.open(`mcp${query}`, options);
      await page.getByRole("heading", { level: 2, name: "Tools", includeHidden: true }).waitFor();
      await pages.fake.followed();
      await quiet(page);
      return page;
    },
  };
}

export const dialog = (page: Page): Locator => page.getByRole("dialog");
export const calls = (page: Page): Locator => page.getByRole("grid", { name: "Live calls" }).locator("[data-row]");
export const run = (page: Page): Locator => dialog(page).getByRole("button", { name: "Run", exact: true });
export const result = (page: Page): Locator => dialog(page).getByRole("region", { name: "Result", exact: true });
