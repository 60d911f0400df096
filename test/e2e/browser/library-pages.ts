import type { Locator, Page } from "playwright-core";
import { addLibrary, type FakeLibrary } from "./fake-library.ts";
import { useFakePages, type FakePages } from "./page-suite.ts";

/** The library page over a fake control server with real files. */
export interface LibraryPages extends FakePages {
  readonly library: FakeLibrary;
}

/** @param count results in the library */
export function useLibraryPages(count: number): LibraryPages {
  let library: FakeLibrary;
  const pages = useFakePages((fake) => (library = addLibrary(fake, count)), "library");
  return Object.defineProperty(pages as LibraryPages, "library", { get: () => library });
}

export const tile = (page: Page, number: number): Locator =>
  page.locator("[data-tile]").filter({ hasText: `number ${number}` });

/** Waits until the head of the page says how many results there are. */
export const total = (page: Page, text: string): Promise<void> => page.getByText(text, { exact: true }).waitFor();

export const dialog = (page: Page): Locator => page.getByRole("dialog");
