import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { focused } from "./browser.ts";
import { manyModels, serveModels } from "./fake-models.ts";
import { keys } from "./fixtures.ts";
import { useFakePages } from "./page-suite.ts";

/** Long tables by the keyboard alone: one stop for Tab, everything of a row from there, and back to it. */
const pages = useFakePages((fake) => {
  serveModels(fake, manyModels);
  fake.keys = Array.from({ length: 50 }, (_, n) => ({
    ...keys[0]!,
    id: `key_${n}`,
    name: `Key ${n}`,
    origin: "created" as const,
    limit_usd: 5,
  }));
});

async function open(path: string): Promise<Page> {
  const page = await pages.open(path);
  await page.locator("main [data-row]").first().waitFor();
  await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
  return page;
}

const row = (page: Page, text: string) =>
  page.locator("[data-row]").filter({ has: page.getByText(text, { exact: true }) });

/** How many elements Tab reaches, once around the page. */
const stops = (page: Page): Promise<number> =>
  page
    .locator("a[href], button, input, select, textarea, [tabindex]")
    .evaluateAll(
      (all: HTMLButtonElement[]) =>
        all.filter((each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility({ visibilityProperty: true }))
          .length,
    );

it.each([
  ["models", 40],
  ["keys", 50],
  ["overview", 4],
])("%s: Tab passes a table of many rows in a few stops", async (path, rows) => {
  const page = await open(path);
  expect(await page.locator("main [data-row]").count()).toBeGreaterThanOrEqual(rows);
  expect(await stops(page)).toBeLessThan(40);
  expect(await page.locator("main [data-row][tabindex='0']").count()).toBe(1);
});

it("a list of the overview is one stop of Tab, whose rows the arrows reach", async () => {
  const page = await open("overview");
  const stopsOf = page.getByRole("region", { name: "Provider health" }).locator("li a, li button");
  expect(await stopsOf.count()).toBeGreaterThan(2);
  await stopsOf.first().focus();
  await page.keyboard.press("ArrowDown");
  await focused(stopsOf.nth(1));
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowDown");
  const last = stopsOf.last();
  await focused(last);
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.closest("[aria-label='Provider health']") ?? null)).toBe(
    null,
  );
  await page.keyboard.press("Shift+Tab");
  await focused(last);
});

it("every button of a row is reached from the row, by arrows and by Tab, and Tab then leaves the table", async () => {
  const page = await open("models?q=openrouter");
  // The first row is the heading of the group.
  const active = page.locator("[data-row]").nth(1);
  await page.locator("[data-active]").focus();
  await page.keyboard.press("j");
  await focused(active);
  const names = await active.locator("button").evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
  expect(names.at(-1)).toMatch(/^Actions for /);
  for (const name of names) {
    await page.keyboard.press("ArrowRight");
    await focused(active.getByRole("button", { name: name ?? "", exact: true }));
  }
  await page.keyboard.press("ArrowRight");
  await focused(active.getByRole("button", { name: names.at(-1) ?? "", exact: true }));
  for (let left = names.length; left > 0; left -= 1) await page.keyboard.press("ArrowLeft");
  await focused(active);
  for (const name of names) {
    await page.keyboard.press("Tab");
    await focused(active.getByRole("button", { name: name ?? "", exact: true }));
  }
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.closest("[role=grid]") ?? null)).toBe(null);
  await page.keyboard.press("Shift+Tab");
  await focused(active.getByRole("button", { name: names.at(-1) ?? "", exact: true }));
  await page.keyboard.press("ArrowDown");
  await page.locator("[data-row]:focus").waitFor();
  expect(await active.locator("button").first().getAttribute("tabindex")).toBe("-1");
});

it("the focus comes back to the row from its menu, and from a dialog that the menu opened", async () => {
  const page = await open("keys");
  const third = row(page, "Key 2");
  await page.locator("[data-active]").focus();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await focused(third);
  await page.keyboard.press(" ");
  await focused(page.getByRole("menuitem", { name: "Change limits" }));
  await page.keyboard.press("ArrowDown");
  await focused(page.getByRole("menuitem", { name: "Limit spend" }));
  await page.keyboard.press("Escape");
  await focused(third);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Change limits" }).waitFor();
  await page.keyboard.press("Escape");
  await focused(third);
  await page.keyboard.press(" ");
  await focused(page.getByRole("menuitem", { name: "Change limits" }));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Change limits" }).waitFor();
  await page.keyboard.press("Escape");
  await focused(third);
  await page.keyboard.press("ArrowRight");
  const button = third.getByRole("button", { name: "Actions for Key 2" });
  await focused(button);
  await page.keyboard.press("Enter");
  await focused(page.getByRole("menuitem", { name: "Change limits" }));
  await page.keyboard.press("Escape");
  await focused(button);
  expect(await third.getAttribute("data-active")).toBe("true");
});

it("a pointer opens a menu, chooses and closes it; its button says so, and shows its name on hover alone", async () => {
  const page = await open("keys");
  const button = page.getByRole("button", { name: "Actions for Key 3", exact: true });
  expect([await button.getAttribute("aria-haspopup"), await button.getAttribute("aria-expanded")]).toEqual([
    "menu",
    "false",
  ]);
  await button.hover();
  await page.locator("[data-tooltip]").getByText("Actions for Key 3").waitFor();
  await button.click();
  await page.locator("[data-tooltip]").waitFor({ state: "detached" });
  const menu = page.getByRole("menu", { name: "Actions for Key 3", exact: true });
  await menu.waitFor();
  await page.mouse.click(5, 400);
  await menu.waitFor({ state: "detached" });
  await button.click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await menu.waitFor({ state: "detached" });
  await row(page, "Key 3").getByText("Disabled", { exact: true }).waitFor();
});
