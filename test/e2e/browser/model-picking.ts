import type { Locator, Page } from "playwright-core";

/** The control that shows which model is chosen. */
export const modelField = (within: Page | Locator, label = "Model"): Locator =>
  within.getByRole("combobox", { name: new RegExp(`^${label} `) });

/** Chooses a model as people do who know its id: opens the picker, types, and takes the first match. */
export async function chooseModel(within: Page | Locator, label: string, id: string): Promise<void> {
  await chooseIn(modelField(within, label), id);
}

/** Puts one more model next to the others. */
export async function addModel(page: Page, id: string): Promise<void> {
  await chooseIn(page.getByRole("combobox", { name: "Add model" }), id);
}

async function chooseIn(field: Locator, id: string): Promise<void> {
  const page = field.page();
  await field.click();
  const search = page.getByLabel("Search models");
  await search.fill(id);
  await page.getByRole("option").filter({ hasText: id }).first().waitFor();
  await search.press("Enter");
  await page.getByRole("listbox").waitFor({ state: "detached" });
}
