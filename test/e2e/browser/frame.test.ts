import { expect, it } from "vitest";
import { addMcp } from "./fake-mcp.ts";
import { useFakePages } from "./page-suite.ts";

/** What the frame around all pages owes to what is in it. */
const pages = useFakePages();

it("keeps the room of the scrollbar, so that content does not shift when one comes", async () => {
  const page = await pages.open("keys");
  expect(await page.locator("main").evaluate((main) => getComputedStyle(main).scrollbarGutter)).toBe("stable");
});

/** Buttons of which something else lies on top, by their names. */
function covered(within: string): string[] {
  return [...document.querySelectorAll<HTMLElement>(`${within} button`)].flatMap((button) => {
    if (!button.checkVisibility()) return [];
    button.scrollIntoView({ block: "nearest", behavior: "instant" });
    const { x, y, width, height } = button.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return button.contains(top) ? [] : [button.ariaLabel ?? button.textContent];
  });
}

it.each([
  [1280, 800],
  [360, 740],
])("shows messages over a dialog at %i px, in reach, and over none of its buttons", async (width, height) => {
  const page = await pages.open("keys", { width, height });
  await page
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  const message = page.getByRole("region", { name: "Notifications" });
  await message.getByRole("button", { name: "Undo" }).waitFor();
  await page.keyboard.press("n");
  await page.getByRole("dialog", { name: "Create a key" }).waitFor();
  expect(await page.evaluate(covered, "[role=dialog]:not([aria-modal=false])")).toEqual([]);
  expect(await page.evaluate(covered, "[aria-label=Notifications]")).toEqual([]);
  await message.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => pages.fake.seen.filter((request) => request.startsWith("PATCH "))).toHaveLength(2);
});

it("keeps scrollbars out from under tabs that do not fit", async () => {
  addMcp(pages.fake);
  const page = await pages.open("mcp", { width: 360, height: 740 });
  const tabs = page.getByRole("tablist").first();
  await tabs.waitFor();
  expect(
    await tabs.evaluate((list) => [list.scrollWidth > list.clientWidth, getComputedStyle(list).scrollbarWidth]),
  ).toEqual([true, "none"]);
});
