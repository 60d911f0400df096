import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { closeByEscape, findFaults, focused } from "./browser.ts";
import { dialog, tile, useLibraryPages } from "./library-pages.ts";

/** One result in the whole window, zoomed, and two side by side. */
const pages = useLibraryPages(300);

const zooms = (page: Page): Promise<readonly number[]> =>
  dialog(page)
    .locator("[data-zoom]")
    .evaluateAll((all) => all.map((each) => Number(each.getAttribute("data-zoom"))));
const shift = (page: Page): Promise<readonly (string | null)[]> =>
  dialog(page)
    .locator("[data-zoom-box]")
    .evaluateAll((all) => all.map((each) => (each as HTMLElement).style.transform));

describe("the viewer", () => {
  it("zooms a picture by keys, buttons, the wheel and a double click, and moves it by hand and keys", async () => {
    const page = await pages.open("library?media=med_299");
    await dialog(page).locator("figure img").waitFor();
    expect(await zooms(page)).toEqual([100]);
    await page.keyboard.press("+");
    await expect.poll(() => zooms(page)).toEqual([125]);
    await dialog(page).getByRole("button", { name: "Zoom in" }).click();
    await expect.poll(() => zooms(page)).toEqual([156]);
    await page.keyboard.press("0");
    await expect.poll(() => zooms(page)).toEqual([100]);
    const figure = dialog(page).locator("figure");
    await figure.dblclick();
    await expect.poll(() => zooms(page)).toEqual([200]);
    await page.mouse.wheel(0, -400);
    await expect.poll(async () => (await zooms(page))[0]).toBeGreaterThan(500);
    const before = await shift(page);
    await page.mouse.down();
    await page.mouse.move(300, 300, { steps: 4 });
    await page.mouse.up();
    const pulled = await shift(page);
    expect(pulled).not.toEqual(before);
    await figure.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => shift(page)).not.toEqual(pulled);
    // The arrows belong to the picture as long as it is larger than its frame.
    expect(page.url()).toContain("media=med_299");
  });

  it("begins another result as it fits, and comes back to the wall where it was", async () => {
    const page = await pages.open("library?media=med_299");
    await dialog(page).locator("figure img").waitFor();
    await page.keyboard.press("+");
    await page.keyboard.press("ArrowRight");
    await dialog(page).getByText("number 298").first().waitFor();
    await expect.poll(() => zooms(page)).toEqual([100]);
    await page.keyboard.press("Escape");
    await focused(tile(page, 298));
  });

  it("leads to the request, to others of the model, and to a variation", async () => {
    const page = await pages.open("library?media=med_298");
    const href = (name: string): Promise<string | null> =>
      dialog(page).getByRole("link", { name, exact: true }).getAttribute("href");
    expect(await href("Show request")).toBe("#/requests?id=req_00000000000000000298");
    expect(await href("$0.04")).toBe("#/requests?id=req_00000000000000000298");
    expect(await href("gpt-image-1")).toBe("#/library?model=gpt-image-1");
    expect(await href("Make a variation")).toBe("#/playground?vary=med_298");
  });
});

describe("two results", () => {
  it("stand side by side from a selection, and are zoomed and moved as one", async () => {
    const page = await pages.open();
    await tile(page, 299).click({ modifiers: ["Control"] });
    expect(await page.getByRole("toolbar").getByRole("button", { name: "Compare" }).count()).toBe(0);
    await tile(page, 296).click({ modifiers: ["Control"] });
    await page.getByRole("toolbar").getByRole("button", { name: "Compare" }).click();
    await expect.poll(() => dialog(page).locator("figure img").count()).toBe(2);
    expect(page.url()).toContain("media=med_299&with=med_296");
    await page.keyboard.press("+");
    await expect.poll(() => zooms(page)).toEqual([125, 125]);
    await dialog(page).locator("figure").first().dblclick();
    await page.keyboard.press("0");
    await dialog(page).locator("figure").last().hover();
    await page.mouse.wheel(0, -500);
    await expect.poll(async () => (await zooms(page))[0]).toBeGreaterThan(300);
    expect(new Set(await zooms(page)).size).toBe(1);
    await closeByEscape(dialog(page));
    expect(page.url()).not.toContain("with=");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("option");
  });

  it("are found from the viewer, and each is stepped by itself", async () => {
    const page = await pages.open("library?media=med_299");
    await dialog(page).getByRole("button", { name: "Compare" }).click();
    const second = dialog(page).getByRole("region", { name: "Second" });
    await second.getByText("number 298").waitFor();
    await second.getByRole("button", { name: "Next result" }).click();
    await second.getByText("number 297").waitFor();
    await dialog(page).getByRole("region", { name: "First" }).getByText("number 299").waitFor();
    await dialog(page)
      .getByRole("row", { name: /^Prompt/ })
      .waitFor();
    expect(page.url()).toContain("media=med_299&with=med_297");
  });

  it("that are films play as one", async () => {
    const page = await pages.open("library?media=med_294&with=med_287");
    await dialog(page).locator("video").last().waitFor();
    await dialog(page).getByRole("button", { name: "Play", exact: true }).click();
    const times = (): Promise<readonly number[]> =>
      dialog(page)
        .locator("video")
        .evaluateAll((all: HTMLVideoElement[]) => all.map(({ currentTime }) => currentTime));
    await expect.poll(async () => Math.min(...(await times()))).toBeGreaterThan(0.2);
    await dialog(page).getByRole("button", { name: "Pause", exact: true }).click();
    await dialog(page).getByRole("slider", { name: "Position" }).fill("1");
    await expect.poll(times).toEqual([1, 1]);
  });

  it.each([1280, 360])("are clean for axe and do not scroll sideways at %i px", async (width) => {
    const page = await pages.open("library?media=med_299&with=med_294", { width, height: 740 });
    await dialog(page).locator("figure video").waitFor();
    expect(await findFaults(page, "[role=dialog]")).toEqual([]);
  });
});
