import type { Locator, Page } from "playwright-core";
import { quiet, type WatchOptions } from "./browser.ts";
import { useGatewayPages, type GatewayPages } from "./page-suite.ts";

/** The playground of one real Postern with its sandbox. */
export interface PlaygroundBench {
  readonly pages: GatewayPages;
  /** Opens the page with its models there; `query` is what follows `#/playground`. */
  open(query?: string, options?: WatchOptions): Promise<Page>;
}

export function usePlaygroundBench(): PlaygroundBench {
  const pages = useGatewayPages();
  return {
    pages,
    async open(query = "", options) {
      const page = await pages.open(`playground${query}`, options);
      await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
      await page.getByLabel("Model", { exact: true }).waitFor();
      // What the model accepts makes choices of fields.
      await quiet(page);
      return page;
    },
  };
}

/** The newest answer of a tab that is not the chat. */
export const newest = (page: Page): Locator =>
  page.getByRole("region", { name: "Responses" }).getByRole("article").first();
export const message = (page: Page): Locator => page.getByLabel("Message", { exact: true });
export const responses = (page: Page): Locator => page.getByRole("article", { name: /^Response of / });
export const run = (page: Page): Locator => page.getByRole("button", { name: "Run", exact: true });
