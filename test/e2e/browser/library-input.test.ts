import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { closeByEscape, copied, focused } from "./browser.ts";
import { refusal } from "./fake-control.ts";
import { dialog, tile, total, useLibraryPages } from "./library-pages.ts";

/** The library by the keyboard and by the mouse: moving, selecting, deleting. */
const pages = useLibraryPages(300);

describe("the keyboard", () => {
  it("goes to the library with g and l, moves with the arrows, opens with Enter and comes back to where it was", async () => {
    const page = await pages.open("overview");
    await page.keyboard.type("gl");
    await tile(page, 299).waitFor();
    await page.keyboard.press("j");
    await focused(tile(page, 300));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await focused(tile(page, 293));
    await page.keyboard.press("ArrowUp");
    await focused(tile(page, 299));
    await page.keyboard.press("Enter");
    await dialog(page).getByText("A calm voice that reads, number 299").waitFor();
    expect(page.url()).toContain("media=med_299");
    await page.keyboard.press("ArrowRight");
    await dialog(page).getByText("number 298").waitFor();
    await closeByEscape(dialog(page));
    await focused(tile(page, 298));
    expect(page.url()).not.toContain("media=");
  });

  it("selects with Space and with Shift, and lets go with Escape", async () => {
    const page = await pages.open();
    await tile(page, 300).focus();
    await page.keyboard.press(" ");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    await page.getByText("3 selected").waitFor();
    expect(await page.locator("[aria-selected=true]").count()).toBe(3);
    await page.keyboard.press("Escape");
    await page.getByText("3 selected").waitFor({ state: "detached" });
  });

  it("deletes, goes on with the next one, and takes it back within ten seconds", async () => {
    const page = await pages.open();
    await tile(page, 298).focus();
    await page.keyboard.press("Delete");
    await tile(page, 298).waitFor({ state: "detached" });
    await total(page, "299 results");
    await focused(tile(page, 297));
    await page.getByText("Deleted 1 result").waitFor();
    expect(pages.library.views.some(({ id }) => id === "med_298")).toBe(false);
    await page.getByRole("button", { name: "Undo" }).click();
    await tile(page, 298).waitFor();
    await total(page, "300 results");
    expect(pages.library.views[2]?.id).toBe("med_298");
  });
});

describe("a selection", () => {
  it("is made by Ctrl, by Shift and by the boxes", async () => {
    const page = await pages.open();
    await tile(page, 299).click({ modifiers: ["Control"] });
    await tile(page, 296).click({ modifiers: ["Shift"] });
    await page.getByText("4 selected").waitFor();
    await tile(page, 290).hover();
    await tile(page, 290).locator("[data-check]").click();
    await page.getByText("5 selected").waitFor();
    await tile(page, 297).click({ modifiers: ["Control"] });
    await page.getByText("4 selected").waitFor();
    expect(await dialog(page).count()).toBe(0);
  });

  it("is exported as a ZIP, and its links are copied", async () => {
    const page = await pages.open();
    await tile(page, 299).click({ modifiers: ["Control"] });
    await tile(page, 297).click({ modifiers: ["Control"] });
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as ZIP" }).click();
    expect((await download).suggestedFilename()).toBe("postern.zip");
    expect(pages.library.exported).toEqual([["med_299", "med_297"]]);
    const copy = (name: string): Promise<string> =>
      copied(page, async () => {
        await page.getByRole("toolbar").getByRole("button", { name: "Copy" }).click();
        await page.getByRole("menuitem", { name }).click();
      });
    const curl = await copy("Copy request as curl");
    expect(curl.match(/v1\/images\/generations/g)).toHaveLength(2);
    expect(JSON.parse(await copy("Copy as JSON"))).toMatchObject([{ id: "med_299" }, { id: "med_297" }]);
    expect((await copy("Copy as TSV")).split("\n")).toHaveLength(3);
    const links = await copy("Copy links");
    await page.getByText("Copied 2 links. They work for 24 hours.").waitFor();
    expect(links.split("\n").map((link) => link.split("?")[0])).toEqual([
      `${pages.fake.url}/media/med_299`,
      `${pages.fake.url}/media/med_297`,
    ]);
  });

  it("is deleted as a whole and brought back as a whole", async () => {
    const page = await pages.open();
    await tile(page, 299).click({ modifiers: ["Control"] });
    await tile(page, 290).click({ modifiers: ["Shift"] });
    await page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Deleted 10 results").waitFor();
    await total(page, "290 results");
    expect(await page.getByText(/selected$/).count()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).click();
    await total(page, "300 results");
    await tile(page, 295).waitFor();
  });

  it("comes back by itself when the gateway refuses to delete it", async () => {
    pages.fake.responses.set(
      "POST /control/media/delete",
      refusal(503, "The disk refuses writes.", "storage_unavailable"),
    );
    const page = await pages.open();
    await tile(page, 299).focus();
    await page.keyboard.press("Delete");
    await page.getByText("The disk refuses writes.").first().waitFor();
    await tile(page, 299).waitFor();
    await total(page, "300 results");
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
  });
});

describe("a drag", () => {
  /** Begins a drag on a tile as the mouse does, and tells what it carries. */
  const carried = (page: Page, number: number): Promise<Record<string, string>> =>
    tile(page, number).evaluate((element) => {
      const data = new DataTransfer();
      element.dispatchEvent(new DragEvent("dragstart", { bubbles: true, cancelable: true, dataTransfer: data }));
      return Object.fromEntries(["DownloadURL", "text/uri-list"].map((type) => [type, data.getData(type)]));
    });

  it("carries the file of a tile, or all that are selected", async () => {
    const page = await pages.open();
    const one = await carried(page, 299);
    expect(one["DownloadURL"]).toMatch(/^image\/jpeg:postern-\d{4}-\d\d-\d\d-med_299\.jpg:http:\/\/127\.0\.0\.1:/);
    expect(one["text/uri-list"]).toContain("/media/med_299?");
    await tile(page, 299).click({ modifiers: ["Control"] });
    await tile(page, 298).click({ modifiers: ["Control"] });
    const both = await carried(page, 298);
    expect(both["text/uri-list"]?.split("\r\n")).toHaveLength(2);
    // What is not selected goes by itself.
    expect((await carried(page, 296))["text/uri-list"]?.split("\r\n")).toHaveLength(1);
  });
});
