import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { closeByEscape, focused, holdFrames } from "./browser.ts";
import { fakeModel, serveModels } from "./fake-models.ts";
import { useFakePages } from "./page-suite.ts";

/** What lies over what: an Escape, and a press next to it, is for the topmost only, wherever the focus is by then. */
const pages = useFakePages((fake) => serveModels(fake, [fakeModel({ id: "one" }), fakeModel({ id: "two" })]));

/** The form of a key, half filled. */
async function halfFilled(page: Page): Promise<ReturnType<Page["getByRole"]>> {
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a key" });
  await dialog.getByLabel("Name").fill("Half filled");
  return dialog;
}

const places: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ["the list", (page) => focused(page.getByLabel("Search models"))],
  // A busy page has not moved the focus yet, or gives it back only now to what an earlier list was opened from.
  ["the button that opened it", (page) => page.getByRole("combobox", { name: "Add model" }).focus()],
  ["nothing", (page) => page.evaluate(() => (document.activeElement as HTMLElement).blur())],
];

it.each(places)("closes a list and not its dialog by Escape while the focus is on %s", async (_, focus) => {
  const page = await pages.open("keys");
  const dialog = await halfFilled(page);
  await dialog.getByRole("combobox", { name: "Add model" }).click();
  await page.getByRole("listbox").getByRole("option").first().waitFor();
  await focus(page);
  await page.keyboard.press("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  expect(await dialog.getByLabel("Name").inputValue()).toBe("Half filled");
  await closeByEscape(dialog);
});

it("leaves a dialog alone by an Escape that comes before the list is drawn", async () => {
  const page = await pages.open("keys");
  const dialog = await halfFilled(page);
  const add = dialog.getByRole("combobox", { name: "Add model" });
  await add.hover();
  const draw = await holdFrames(page);
  await page.mouse.down();
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await draw();
  await page.getByRole("listbox").getByRole("option").first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  expect(await dialog.getByLabel("Name").inputValue()).toBe("Half filled");
  await closeByEscape(dialog);
});

it("closes one of them for an Escape that is held down", async () => {
  const page = await pages.open("keys");
  const dialog = await halfFilled(page);
  await dialog.getByRole("combobox", { name: "Add model" }).click();
  await page.getByRole("listbox").getByRole("option").first().waitFor();
  for (let repeats = 0; repeats < 4; repeats += 1) await page.keyboard.down("Escape");
  await page.keyboard.up("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  expect(await dialog.getByLabel("Name").inputValue()).toBe("Half filled");
});

it("closes a list and not its dialog by a press next to both", async () => {
  const page = await pages.open("keys");
  const dialog = await halfFilled(page);
  await dialog.getByRole("combobox", { name: "Add model" }).click();
  await page.getByRole("listbox").getByRole("option").first().waitFor();
  await page.mouse.click(20, 400);
  await page.getByRole("listbox").waitFor({ state: "detached" });
  expect(await dialog.getByLabel("Name").inputValue()).toBe("Half filled");
  await page.mouse.click(20, 400);
  await dialog.waitFor({ state: "detached" });
});

it("closes a menu and not its dialog by Escape, wherever the focus is", async () => {
  const page = await pages.open("routes");
  await page.getByRole("button", { name: "New route" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New route" });
  await dialog.getByRole("button", { name: "Add rule" }).click();
  const more = dialog.getByRole("button", { name: "Add condition" });
  for (const [, focus] of places.slice(2)) {
    await more.click();
    await page.getByRole("menu").waitFor();
    await focus(page);
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    expect(await dialog.count()).toBe(1);
  }
});
