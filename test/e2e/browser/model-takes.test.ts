import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeFindings, axeInBothThemes, focused, sidewaysScroll } from "./browser.ts";
import { fakeModel, serveModels } from "./fake-models.ts";
import { modelField } from "./model-picking.ts";
import { useFakePages } from "./page-suite.ts";

/** What models take next to words: in the picker, next to the composer, on the Models page and in the form of a key. */
const models = [
  fakeModel({ id: "sees-all", abilities: { pictures: true, files: true, tools: true, web_search: true } }),
  fakeModel({ id: "words-alone", abilities: { pictures: false, tools: true, json_schema: false } }),
  fakeModel({ id: "nobody-knows" }),
];
const pages = useFakePages((fake) => serveModels(fake, models));

/** The smallest there is. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const options = (page: Page): Promise<string[]> =>
  page
    .getByRole("listbox")
    .getByRole("option")
    .evaluateAll((all) => all.map((option) => option.querySelector(".font-mono")?.textContent ?? ""));

it("picks among those that see pictures, by keys and by hand", async () => {
  const page = await pages.open("playground?kind=chat&model=nobody-knows");
  await modelField(page).click();
  const search = page.getByLabel("Search models");
  await focused(search);
  expect(await options(page)).toEqual(["sees-all", "words-alone", "nobody-knows"]);
  await page.getByRole("option").first().getByText("Image input").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Tools" }).click();
  await expect.poll(() => options(page)).toEqual(["sees-all", "words-alone"]);
  await page.getByRole("button", { name: "Image input" }).click();
  await expect.poll(() => options(page)).toEqual(["sees-all"]);
  await focused(search);
  expect(await axeFindings(page, "body")).toEqual([]);
  await page.keyboard.type("words");
  await page.getByText("No model matches").waitFor();
  await search.fill("");
  // Without a mouse.
  await page.keyboard.press("Tab");
  await focused(page.getByRole("button", { name: "Image input" }));
  await page.keyboard.press("Enter");
  await expect.poll(() => options(page)).toEqual(["sees-all", "words-alone"]);
  await page.keyboard.press("Shift+Tab");
  await focused(search);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => modelField(page).textContent()).toMatch(/sees-all|words-alone/);
  await modelField(page).click();
  await expect.poll(() => page.getByRole("option").count()).toBe(3);
  await page.keyboard.press("Escape");
});

it("says that a model does not see pictures, and leaves sending to the person", async () => {
  const page = await pages.open("playground?kind=chat&model=words-alone", { width: 360, height: 740 });
  const note = page.getByText("words-alone does not see pictures", { exact: true });
  await page.getByLabel("Message", { exact: true }).fill("What is this?");
  expect(await note.count()).toBe(0);
  await page
    .locator("form input[type=file]")
    .setInputFiles({ name: "mark.png", mimeType: "image/png", buffer: picture });
  await note.waitFor();
  expect(await page.getByRole("button", { name: "Send" }).isEnabled()).toBe(true);
  expect(await sidewaysScroll(page)).toBe(0);
  expect(await axeInBothThemes(page, "main")).toEqual([]);
  await modelField(page).click();
  await page.getByRole("option").filter({ hasText: "nobody-knows" }).click();
  await note.waitFor({ state: "detached" });
});

it("tells it of each model on the Models page", async () => {
  const page = await pages.open("models");
  const row = page.getByRole("row").filter({ hasText: "sees-all" });
  await row.getByText("Image input").waitFor({ state: "attached" });
  await row.getByText("Tools").waitFor({ state: "attached" });
  await pages.go(page, "models?model=words-alone");
  const dialog = page.getByRole("dialog", { name: "words-alone" });
  await dialog.getByText("Pictures, JSON schema", { exact: true }).waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
});

it("adds models to those that a key may use", async () => {
  const page = await pages.open("keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByLabel("Models", { exact: true });
  await field.fill("gpt-*, ");
  await dialog.getByRole("combobox", { name: "Add model" }).click();
  await page.getByRole("option").filter({ hasText: "sees-all" }).click();
  await expect.poll(() => field.inputValue()).toBe("gpt-*, sees-all");
  await dialog.getByRole("combobox", { name: "Add model" }).click();
  await expect.poll(() => options(page)).toEqual(["words-alone", "nobody-knows"]);
  await page.keyboard.press("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
});

it("filters the Models page by a feature, in the address", async () => {
  const page = await pages.open("models");
  await page.getByRole("button", { name: "Image input", exact: true }).click();
  await page.getByRole("row").filter({ hasText: "words-alone" }).waitFor({ state: "detached" });
  expect(await page.getByRole("row").filter({ hasText: "sees-all" }).count()).toBe(1);
  expect(page.url()).toContain("has=pictures");
  expect(await axeInBothThemes(page, "main")).toEqual([]);
});
