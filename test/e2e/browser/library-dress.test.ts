import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { axeInBothThemes, closeByEscape, findFaults, sidewaysScroll } from "./browser.ts";
import { resultOf } from "./fake-library.ts";
import { dialog, tile, total, useLibraryPages } from "./library-pages.ts";

/** The library in every dress, and with more results than anybody scrolls over. */
const pages = useLibraryPages(12_000);

/** Everything of the page at once: a selection, filters, a missing file, results that are being fetched. */
async function openFull(width: number): Promise<Page> {
  pages.library.pending = 2;
  pages.library.views[2] = resultOf(11_998, { available: false });
  const page = await pages.open("library?cost=0.00001&since=2020-01-01", { width, height: 740 });
  await tile(page, 11_999).waitFor();
  await tile(page, 11_999).click({ modifiers: ["Control"] });
  await page.getByText("1 selected").waitFor();
  return page;
}

describe("in both themes", () => {
  it.each([1280, 360])("axe finds nothing at %i px, and it does not scroll sideways", async (width) => {
    const page = await openFull(width);
    expect(await findFaults(page)).toEqual([]);
    const off = page.getByRole("button", { name: /^Remove filter/ });
    expect(await off.count()).toBe(2);
    for (const button of await off.all()) {
      // Room for a finger.
      const box = (await button.boundingBox()) ?? { width: 0, height: 0 };
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24);
    }
  });

  it.each([
    [1280, [11_999, 11_998, 11_991]],
    [360, [11_998, 11_990]],
  ] as const)("axe finds nothing in the dialogs of results at %i px", async (width, numbers) => {
    pages.library.views[2] = resultOf(11_998, { available: false });
    const page = await pages.open("library", { width, height: 740 });
    for (const number of numbers) {
      await pages.go(page, `library?media=med_${number}`);
      const prompt = dialog(page).getByRole("region", { name: "Prompt" });
      await prompt.getByText(`number ${number}`).waitFor();
      expect(await axeInBothThemes(page, "[role=dialog]"), String(number)).toEqual([]);
      expect(await sidewaysScroll(page)).toBe(0);
    }
  });

  it("axe finds nothing in the filters, nor where nothing is yet", async () => {
    const page = await pages.open();
    await page.getByRole("button", { name: "Filters" }).click();
    await dialog(page).getByLabel("Model").waitFor();
    expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
    await closeByEscape(dialog(page));
    await pages.fake.followed();
    pages.library.views = [];
    pages.fake.emit({ type: "media.changed" });
    await page.getByText("Nothing in the library yet").waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
  });
});

it("shows in forced colours what is selected", async () => {
  const page = await openFull(1280);
  await page.emulateMedia({ forcedColors: "active" });
  const frame = page.locator("[aria-selected=true] > span").first();
  const outline = await frame.evaluate((element) => getComputedStyle(element).outlineStyle);
  expect(outline).toBe("solid");
});

it("keeps the player off the text beneath it in a window that is magnified twice", async () => {
  const page = await pages.open("library?media=med_11998", { width: 640, height: 400 });
  await dialog(page).getByRole("heading", { name: "Prompt" }).waitFor();
  const video = await dialog(page).locator("video").boundingBox();
  const prompt = await dialog(page).getByRole("heading", { name: "Prompt" }).boundingBox();
  expect((video?.y ?? 0) + (video?.height ?? 0)).toBeLessThanOrEqual(prompt?.y ?? 0);
});

describe("twelve thousand results", () => {
  const nodes = (page: Page): Promise<number> => page.locator("*").count();

  it("are a few nodes, however far someone scrolls", async () => {
    const page = await pages.open();
    await total(page, "12,000 results");
    const counts: number[] = [];
    for (const top of [0, 30_000, 90_000, 200_000, 399_000]) {
      await page.locator("main").evaluate((main, to) => main.scrollTo(0, to), top);
      const row = Math.floor((top - 200) / 200);
      if (top > 0)
        await tile(page, 12_000 - row * 6)
          .first()
          .waitFor();
      counts.push(await nodes(page));
    }
    expect(Math.max(...counts)).toBeLessThan(1_200);
  });

  it("are reached to the last by a key, and back, with one question", async () => {
    const page = await pages.open();
    await total(page, "12,000 results");
    await page.locator("[data-active]").focus();
    const requestCount = pages.fake.seen.length;
    await page.keyboard.press("End");
    await page.locator("[data-tile='11999'][data-active]:focus").filter({ hasText: "number 1" }).waitFor();
    await page.keyboard.press("Home");
    await page.locator("[data-tile='0'][data-active]:focus").filter({ hasText: "number 12000" }).waitFor();
    const pagesAsked = pages.fake.seen.slice(requestCount).filter((route) => route === "GET /control/media").length;
    expect(pagesAsked).toBe(1);
  });

  it("go by exactly as far as they are scrolled, while their pictures come in", async () => {
    const page = await pages.open();
    await tile(page, 11_999).locator("img").waitFor();
    const top = await page.locator("main").evaluate(async (main) => {
      const scroll = async (by: number): Promise<void> => {
        await new Promise(requestAnimationFrame);
        main.scrollTop += by;
      };
      for (let frame = 0; frame < 150; frame += 1) await scroll(30);
      for (let frame = 0; frame < 150; frame += 1) await scroll(400);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return main.scrollTop;
    });
    expect(top).toBe(150 * 30 + 150 * 400);
  });

  it("load no picture that only flies by", async () => {
    const page = await pages.open();
    await total(page, "12,000 results");
    await tile(page, 11_999).locator("img").waitFor();
    await page.locator("main").evaluate(async (main) => {
      for (let frame = 0; frame < 120; frame += 1) {
        await new Promise(requestAnimationFrame);
        main.scrollTop += 1_500;
      }
    });
    await page.locator("[data-tile] img").first().waitFor();
    // 180,000 px went by, 5,400 results; what is loaded is what was in sight before and is in sight now.
    expect(pages.library.files.size).toBeLessThan(300);
  });
});
