import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { tile, total, useLibraryPages } from "./library-pages.ts";
import { scrollCounting } from "./scrolling.ts";

/** The wall with pictures, films and sounds in their own proportions, small or large. */
const pages = useLibraryPages(5_000);

/** How far each picture that has come in is from its own proportions, as it is drawn. */
const distortions = (page: Page): Promise<readonly number[]> =>
  page.locator("[data-tile] img").evaluateAll((all: HTMLImageElement[]) =>
    all
      .filter(({ naturalWidth }) => naturalWidth > 0)
      .map((image) => {
        const { width, height } = image.getBoundingClientRect();
        return Math.abs(width / height / (image.naturalWidth / image.naturalHeight) - 1);
      }),
  );

describe("the tiles", () => {
  it("show whole pictures, in boxes that stand before the pictures do", async () => {
    const page = await pages.open();
    await total(page, "5,000 results");
    const box = tile(page, 4_998).locator("[style*=aspect-ratio]");
    const before = await box.boundingBox();
    await tile(page, 4_998).locator("img").waitFor();
    expect(await box.boundingBox()).toEqual(before);
    await expect.poll(async () => (await distortions(page)).length).toBeGreaterThan(10);
    expect(Math.max(...(await distortions(page)))).toBeLessThan(0.02);
  });

  it("have two sizes, and the chosen one is remembered", async () => {
    const page = await pages.open();
    await total(page, "5,000 results");
    await page.getByRole("button", { name: "Large tiles" }).click();
    const width = (): Promise<number> => tile(page, 4_999).evaluate((element) => element.getBoundingClientRect().width);
    await expect.poll(width).toBeGreaterThanOrEqual(264);
    const later = await pages.open();
    await total(later, "5,000 results");
    expect(await later.getByRole("button", { name: "Large tiles" }).getAttribute("aria-pressed")).toBe("true");
  });

  it("stay in sight when the window becomes narrower", async () => {
    const page = await pages.open();
    await total(page, "5,000 results");
    await page.locator("main").evaluate((main) => main.scrollTo(0, 20_000));
    const first = tile(page, 5_000 - 6 * 99);
    await first.waitFor();
    await page.setViewportSize({ width: 800, height: 800 });
    const isInSight = (): Promise<boolean> =>
      first.evaluateAll((all) =>
        all.some((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return bottom > 0 && top < window.innerHeight;
        }),
      );
    await expect.poll(isInSight).toBe(true);
  });
});

it("draws few tiles at a time while five thousand results are scrolled through", async () => {
  const page = await pages.open();
  await total(page, "5,000 results");
  await tile(page, 4_999).locator("img").waitFor();
  const { drawn, present } = await scrollCounting(page, "[data-tile]", 150, 240);
  expect(drawn).toBeGreaterThan(10);
  expect(drawn).toBeLessThan(60);
  expect(present).toBeLessThan(100);
  expect(await page.locator("*").count()).toBeLessThan(1_500);
});
