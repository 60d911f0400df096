import { expect, it } from "vitest";
import { useFakePages } from "./page-suite.ts";

/** What the frame around all pages owes to what is in it. */
const pages = useFakePages();

it("keeps the room of the scrollbar, so that content does not shift when one comes", async () => {
  const page = await pages.open("keys");
  expect(await page.locator("main").evaluate((main) => getComputedStyle(main).scrollbarGutter)).toBe("stable");
});

it("shows messages below a dialog that is open", async () => {
  const page = await pages.open("keys");
  await page
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.waitFor();
  const covered = (): Promise<boolean> =>
    undo.evaluate((button) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      return !button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
  expect(await covered()).toBe(false);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await expect.poll(covered).toBe(true);
});
