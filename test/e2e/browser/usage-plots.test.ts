import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { UsageSeries } from "../../../gateway/contract/usage.ts";
import { axeInBothThemes, type WatchOptions } from "./browser.ts";
import { usageResponse } from "./fake-usage.ts";
import { useFakePages } from "./page-suite.ts";

/** The plots of the Usage page under the mouse and the keys: tooltip, shared crosshair, legend, and what a bar opens. */
const pages = useFakePages();

async function openUsage(address = "usage", options: WatchOptions = {}): Promise<Page> {
  const page = await pages.open(address, options);
  await page.locator(".plot canvas").nth(2).waitFor();
  return page;
}

const plot = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
const tip = (page: Page): Locator => page.locator("[data-plot-tip]");

/** Points at a part of a plot: 0 to 1 from its left, and from its top. */
async function pointAt(page: Page, name: string, x: number, y: number): Promise<void> {
  const over = plot(page, name).locator(".u-over");
  await over.scrollIntoViewIfNeeded();
  const box = (await over.boundingBox())!;
  await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
}

/** What the page was given to draw. */
function given(range = "7d"): UsageSeries {
  return usageResponse(new URL(`${pages.fake.url}/control/usage/series?range=${range}`)) as UsageSeries;
}

it("tells the figures of a day next to the crosshair, the largest first, and shows that day in all plots", async () => {
  const page = await openUsage("usage?range=7d&compare=off");
  await pointAt(page, "Spend by model", 0.5, 0.5);
  await tip(page).waitFor();
  const rows = await tip(page).locator(".numeric").allTextContents();
  const shown = given()
    .series.map(({ nano }) => nano[3] ?? 0)
    .filter((nano) => nano > 0)
    .toSorted((a, b) => b - a);
  // The day above, the total below.
  expect(rows).toHaveLength(shown.length + 2);
  const amounts = rows.slice(1).map((text) => Number(text.slice(1)));
  expect(amounts.slice(0, -1)).toEqual(amounts.slice(0, -1).toSorted((a, b) => b - a));
  for (const name of ["Spend by model", "Tokens", "Latency"]) {
    await expect.poll(() => plot(page, name).getByRole("slider").getAttribute("aria-valuenow")).toBe("4");
    await plot(page, name).locator(".u-cursor-x").waitFor();
  }
  expect(await tip(page).count()).toBe(1);
  await page.mouse.move(0, 0);
  await expect.poll(() => tip(page).count()).toBe(0);
});

it.each([
  [1280, 0.99],
  [1280, 0.01],
  [360, 0.5],
])("keeps the tooltip within a window of %i pixels, %d from the plot's left", async (width, x) => {
  const page = await openUsage("usage", { width, height: 640 });
  await pointAt(page, "Spend by model", x, 0.95);
  await tip(page).waitFor();
  const box = (await tip(page).boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(width);
  expect(box.y + box.height).toBeLessThanOrEqual(640);
});

it("moves the tooltip by keys, and opens the requests of the day by Enter", async () => {
  const page = await openUsage("usage?range=7d");
  const slider = plot(page, "Tokens").getByRole("slider");
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  await tip(page).getByText("Total").waitFor();
  const day = given().buckets[5]!.at;
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toMatch(new RegExp(`#/requests\\?since=${day}&until=${day + 86_400_000}$`));
});

it("opens the requests of a bar's model and hour by a press; the time can be taken off there", async () => {
  const page = await openUsage("usage?range=24h");
  const { series, buckets } = given("24h");
  const mostExpensive = series[0]!.group!;
  // At the foot of a bar stands the first series.
  await pointAt(page, "Spend by model", 12.5 / 25, 0.98);
  await tip(page).getByText(`Click or Enter: requests of ${mostExpensive}`).waitFor();
  await page.mouse.down();
  await page.mouse.up();
  await expect.poll(() => page.url()).toContain(`#/requests?model=${encodeURIComponent(mostExpensive)}&since=`);
  const { searchParams } = new URL(page.url().replace("#/", ""));
  expect(Number(searchParams.get("until")) - Number(searchParams.get("since"))).toBe(3_600_000);
  expect(buckets.some(({ at }) => String(at) === searchParams.get("since"))).toBe(true);
  const requested = `since=${searchParams.get("since")}&until=${searchParams.get("until")}`;
  await expect.poll(() => pages.fake.seen.filter((one) => one.includes("/control/requests")).length).toBeGreaterThan(0);
  expect(page.url()).toContain(requested);
  await page.getByRole("button", { name: /^Remove filter .*Time/ }).click();
  await expect.poll(() => page.url()).not.toContain("since=");
});

it("shows one series alone by a press in the legend, adds with Shift, and shows all by a second press", async () => {
  const page = await openUsage("usage?range=7d");
  const spend = plot(page, "Spend by model");
  const [first, second] = given().series.map(({ group }) => group!);
  const entry = (name: string): Locator =>
    spend.locator("li button").filter({ has: page.getByText(name, { exact: true }) });
  const shown = (): Promise<number> => spend.locator("li [aria-pressed=true]").count();
  const all = await shown();
  await entry(second!).click();
  await expect.poll(shown).toBe(1);
  const message = async (): Promise<string> =>
    (await spend.getByRole("slider").getAttribute("aria-valuetext"))!.split(": ").slice(1).join(": ");
  expect(await message()).toMatch(new RegExp(`^Total \\$[\\d.]+, ${second!} \\$[\\d.]+$`));
  expect(await axeInBothThemes(page, "main")).toEqual([]);
  await entry(first!).click({ modifiers: ["Shift"] });
  await expect.poll(shown).toBe(2);
  await entry(first!).click({ modifiers: ["Shift"] });
  await expect.poll(shown).toBe(1);
  await entry(second!).click();
  await expect.poll(shown).toBe(all);
});
