import { expect, it } from "vitest";
import { useFakePages } from "./page-suite.ts";

/** What the frame around all pages owes to what is in it. */
const pages = useFakePages();

it("keeps the room of the scrollbar, so that content does not shift when one comes", async () => {
  const page = await pages.open("keys");
  expect(await page.locator("main").evaluate((main) => getComputedStyle(main).scrollbarGutter)).toBe("stable");
});
