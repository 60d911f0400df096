import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { UsageSeries } from "../../../gateway/contract/usage.ts";
import { emptyTotals } from "../../../gateway/core/usage/usage-totals.ts";
import { axeFindings, findFaults, sidewaysScroll, type WatchOptions } from "./browser.ts";
import { refusal } from "./fake-control.ts";
import { usageResponse } from "./fake-usage.ts";
import { useFakePages } from "./page-suite.ts";

/** The Usage page in every dress, and in the states that a real Postern does not get into on demand. */
const pages = useFakePages();

async function openUsage(options: WatchOptions = {}, address = "usage"): Promise<Page> {
  const page = await pages.open(address, options);
  await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
  return page;
}

const drawn = (page: Page): Promise<void> => page.locator(".plot canvas").nth(2).waitFor();

const firstPlot = (page: Page): Locator => page.locator(".plot canvas").first();

/** How many colours the first plot's canvas has in it, seams and blends left out. */
function colours(page: Page): Promise<number> {
  return firstPlot(page).evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    const counts = new Map<string, number>();
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3]! < 255) continue;
      const colour = `${data[at]} ${data[at + 1]} ${data[at + 2]}`;
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return [...counts.values()].filter((count) => count > 60).length;
  });
}

it.each([1280, 360])("axe finds nothing in a plot's table at %i px, and it does not scroll sideways", async (width) => {
  const page = await openUsage({ width, height: 740 });
  await drawn(page);
  await page.getByRole("button", { name: "Show Tokens as a table" }).click();
  await page.getByRole("columnheader", { name: "Cached input", exact: true }).first().waitFor();
  expect(await findFaults(page, "main")).toEqual([]);
});

it("is drawn again when the theme changes and in forced colours, and as wide as the window", async () => {
  const page = await openUsage();
  await drawn(page);
  const picture = (): Promise<string> => firstPlot(page).evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const light = await picture();
  expect(await colours(page)).toBeGreaterThanOrEqual(4);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(picture).not.toBe(light);
  await page.emulateMedia({ colorScheme: "light", forcedColors: "active" });
  await expect.poll(() => colours(page)).toBeGreaterThanOrEqual(2);
  const width = (): Promise<number> => firstPlot(page).evaluate((canvas: HTMLCanvasElement) => canvas.clientWidth);
  const wide = await width();
  await page.setViewportSize({ width: 500, height: 800 });
  await expect.poll(width).toBeLessThan(wide - 300);
  expect(await sidewaysScroll(page)).toBe(0);
});

it("follows the mouse with the crosshair, bucket by bucket", async () => {
  const page = await openUsage({}, "usage?range=24h");
  await drawn(page);
  const plot = page.getByRole("region", { name: "Spend by model" });
  const box = (await plot.locator(".u-over").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await expect.poll(() => plot.getByRole("slider").getAttribute("aria-valuenow")).toBe("13");
  await page.mouse.move(0, 0);
  await expect.poll(() => plot.getByRole("slider").getAttribute("aria-valuenow")).toBe("25");
});

it("takes days that are typed, and refuses those that are invalid", async () => {
  const page = await openUsage();
  await page.getByRole("button", { name: "Choose days" }).click();
  const dialog = page.getByRole("dialog", { name: "Show these UTC days" });
  await dialog.getByLabel("From").fill("2026-11-05");
  await dialog.getByLabel("Up to and with").fill("2026-11-03");
  await dialog.getByRole("button", { name: "Show" }).click();
  await dialog.getByText(/the first before the last/).waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  await dialog.getByLabel("Up to and with").fill("2026-11-09");
  await dialog.getByRole("button", { name: "Show" }).click();
  await page.getByText("Nov 5, 2026 to Nov 9, 2026, UTC days").first().waitFor();
  expect(page.url()).toContain("from=2026-11-05&to=2026-11-09");
});

it("says what went wrong and asks again", async () => {
  pages.fake.responses.set("GET /control/usage/series", refusal(400, "since is after until."));
  const page = await openUsage();
  await page.getByText("since is after until.").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  pages.fake.responses.clear();
  await page.getByRole("button", { name: "Try again" }).click();
  await drawn(page);
});

it("says when nothing was used, and when the index is being rebuilt", async () => {
  const empty = { total: emptyTotals(), groups: [], series: [] };
  const usual = usageResponse(new URL(`${pages.fake.url}/control/usage/series?range=24h`)) as object;
  pages.fake.responses.set("GET /control/usage/series", { status: 200, body: { ...usual, ...empty } });
  const page = await openUsage();
  await page.getByText("Nothing was used in this time").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  const body = { ...usual, rebuilding: 40 };
  pages.fake.responses.set("GET /control/usage/series", { status: 200, body });
  await page.getByRole("button", { name: "24 h" }).click();
  await page.getByText(/Rebuilding the index, 40%/).waitFor();
});

/** A day in which all was used within one hour. */
function oneHour(): UsageSeries {
  const usual = usageResponse(new URL(`${pages.fake.url}/control/usage/series?range=24h`)) as UsageSeries;
  const totals = { ...emptyTotals(), requests: 3, nano: 9_000_000, input_tokens: 5_000, cached_input_tokens: 2_000 };
  const latency = { p50: null, p95: null, first_p50: null, first_p95: null };
  const used = <Value>(value: Value, none: Value): Value[] => usual.buckets.map((_, at) => (at === 20 ? value : none));
  const figures = used(totals, emptyTotals());
  return {
    ...usual,
    total: totals,
    latency,
    buckets: usual.buckets.map(({ at }, place) => ({ at, totals: figures[place] ?? totals, latency })),
    groups: [{ group: "gpt-4.1", totals, latency }],
    series: [{ group: "gpt-4.1", nano: used(totals.nano, 0), requests: used(3, 0) }],
  };
}

it("means the same by input in the tile, the legend and the table: what was not cached", async () => {
  pages.fake.responses.set("GET /control/usage/series", { status: 200, body: oneHour() });
  const page = await openUsage({ width: 1440, height: 900 });
  await page.locator(".plot canvas").nth(1).waitFor();
  const legend = page.getByRole("region", { name: "Tokens", exact: true });
  await legend.getByText("3,000").waitFor();
  const tile = page.locator("dl > div").filter({ has: page.locator("dt", { hasText: /^Tokens$/ }) });
  await tile.getByText("3,000 uncached input").waitFor();
  await tile.getByText("2,000 cached input").waitFor();
  await page.getByRole("columnheader", { name: "Uncached input" }).waitFor();
  await expect.poll(() => page.locator("[data-row]").getByText("3,000").count()).toBe(1);
});

it("draws no bar for a bucket without figures: the base line is whole", async () => {
  pages.fake.responses.set("GET /control/usage/series", { status: 200, body: oneHour() });
  const page = await openUsage({ width: 1440, height: 900 });
  await firstPlot(page).waitFor();
  const dashed = await firstPlot(page).evaluate((canvas: HTMLCanvasElement) => {
    // The first hours, between the figures at the side and those below.
    const [left, width] = [Math.round(canvas.width * 0.2), Math.round(canvas.width * 0.4)];
    const height = canvas.height - 24 * devicePixelRatio;
    const { data } = canvas.getContext("2d")!.getImageData(left, 0, width, height);
    const pixels = new Uint32Array(data.buffer);
    const changes = (row: Uint32Array): number => row.filter((pixel, x) => x > 0 && pixel !== row[x - 1]).length;
    // A line may be blended where the browser's tiles meet.
    return Array.from({ length: height }, (_, y) => y).filter(
      (y) => changes(pixels.subarray(y * width, (y + 1) * width)) > 6,
    );
  });
  expect(dashed).toEqual([]);
});

it("draws the bars of a year, narrow as they are", async () => {
  const page = await openUsage({}, "usage?from=2025-11-01&to=2026-10-31");
  await drawn(page);
  await expect.poll(() => colours(page)).toBeGreaterThanOrEqual(4);
});
