import { describe, expect, it } from "vitest";
import { focused } from "./browser.ts";
import { refusal } from "./fake-control.ts";
import { resultOf } from "./fake-library.ts";
import { dialog, tile, total, useLibraryPages } from "./library-pages.ts";

/** The wall of results: what it shows, how it changes, and how it is searched. */
const pages = useLibraryPages(300);

describe("the wall", () => {
  it("shows pictures as they are, sounds by their length, and videos by the first frame that it draws itself", async () => {
    const page = await pages.open();
    await total(page, "300 results");
    const isLoaded = (number: number): Promise<unknown> =>
      page
        .locator("[data-tile]")
        .filter({ hasText: `number ${number}` })
        .locator("img")
        .evaluateAll((all: HTMLImageElement[]) => all.some(({ naturalWidth }) => naturalWidth > 0));
    await expect.poll(() => isLoaded(299)).toBe(true);
    await tile(page, 300).getByText("0:02", { exact: true }).waitFor();
    // 294 is a video: its still comes from the gateway, which has it from this page.
    await expect.poll(() => isLoaded(294)).toBe(true);
    const still = pages.library.posters.get("med_294");
    expect(still?.subarray(8, 12).toString()).toBe("WEBP");
    // An empty canvas of this size is a seventh of it.
    expect(still?.length).toBeGreaterThan(2_000);
  });

  it("draws each still once, however often one comes back to it", async () => {
    const page = await pages.open("library?kind=video");
    await tile(page, 294).locator("img").waitFor();
    // Two that are open at once would both draw what neither has yet.
    await page.goto("about:blank");
    pages.takeFaults();
    const later = await pages.open("library?kind=video");
    // The last ones of the screen have their stills: nothing is being drawn any more.
    const allDrawn = async (): Promise<boolean> => {
      const tiles = await later.locator("[data-tile]").count();
      return tiles > 0 && (await later.locator("[data-tile] img").count()) === tiles;
    };
    await expect.poll(allDrawn).toBe(true);
    const drawn = pages.fake.seen.filter((route) => route.endsWith("/poster"));
    expect(drawn).toContain("POST /control/media/med_294/poster");
    expect(new Set(drawn).size).toBe(drawn.length);
  });

  it("says how many results are still being fetched, and where a file is missing", async () => {
    pages.library.pending = 3;
    pages.library.views[1] = resultOf(299, { available: false });
    const page = await pages.open();
    await page.getByText("3 results are still being fetched").waitFor();
    await tile(page, 299).getByText("File missing", { exact: true }).waitFor();
    pages.library.pending = 0;
    pages.fake.emit({ type: "media.changed" });
    await page.getByText("3 results are still being fetched").waitFor({ state: "detached" });
    expect(await tile(page, 299).locator("img").count()).toBe(0);
  });

  it("says how far the index is rebuilt, and shows what it has", async () => {
    pages.library.rebuilding = 40;
    const page = await pages.open();
    await page.getByText("Rebuilding the index, 40%").waitFor();
    await tile(page, 299).waitFor();
    pages.library.rebuilding = null;
    pages.fake.emit({ type: "media.changed" });
    await page.getByText("Rebuilding the index").waitFor({ state: "detached" });
    expect(await page.getByText("Rebuilding the index").count()).toBe(0);
  });

  it("takes in a new result at the top, without loading the others again", async () => {
    const page = await pages.open();
    await tile(page, 299).locator("img").waitFor();
    await pages.fake.followed();
    const before = pages.library.files.get("med_299");
    pages.library.views.unshift(resultOf(301));
    pages.fake.emit({ type: "media.changed" });
    await tile(page, 301).waitFor();
    await total(page, "301 results");
    expect(pages.library.files.get("med_299")).toBe(before);
  });

  it("does not move under someone who reads further down", async () => {
    const page = await pages.open();
    await tile(page, 299).waitFor();
    await pages.fake.followed();
    await page.locator("main").evaluate((main) => main.scrollTo(0, 2_000));
    await tile(page, 230).locator("img").or(tile(page, 230).getByText("0:0")).first().waitFor();
    const place = async (): Promise<unknown> => (await tile(page, 230).boundingBox())?.y;
    const before = await place();
    pages.library.views.unshift(resultOf(302), resultOf(301));
    pages.fake.emit({ type: "media.changed" });
    await page.getByRole("button", { name: "2 new results" }).waitFor();
    expect(await place()).toBe(before);
    await page.getByRole("button", { name: "2 new results" }).click();
    await tile(page, 302).waitFor();
  });

  it("says what will appear here and how to make a first one", async () => {
    pages.library.views = [];
    const page = await pages.open();
    await page.getByText("Nothing in the library yet").waitFor();
    await page
      .locator("main pre")
      .filter({ hasText: `${pages.fake.url}/v1/images/generations` })
      .waitFor();
    expect(await page.getByRole("searchbox").count()).toBe(0);
    await pages.fake.followed();
    pages.library.views = [resultOf(1)];
    pages.fake.emit({ type: "media.changed" });
    await tile(page, 1).waitFor();
  });

  it("shows the gateway's sentence when it cannot be loaded, and tries again", async () => {
    pages.fake.responses.set(
      "GET /control/media",
      refusal(503, "The media library cannot be opened: no.", "storage_unavailable"),
    );
    const page = await pages.open();
    await page.getByText("The media library cannot be opened: no.").waitFor();
    pages.fake.responses.clear();
    await page.getByRole("button", { name: "Try again" }).click();
    await tile(page, 299).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("stands while the machine is offline, and opens what is known already", async () => {
    const page = await pages.open();
    await tile(page, 299).locator("img").waitFor();
    // Chromium takes this machine's own address away, too: worse than a network that is gone.
    await page.context().setOffline(true);
    await page.getByText("This machine is offline.").waitFor();
    await page.keyboard.press("j");
    await focused(tile(page, 300));
    await page.keyboard.press("Enter");
    await dialog(page).getByText("req_00000000000000000300").waitFor();
    expect(await tile(page, 299).locator("img").count()).toBe(1);
  });
});

describe("filters", () => {
  it("live in the address, together", async () => {
    const page = await pages.open();
    await total(page, "300 results");
    await page.keyboard.press("/");
    await focused(page.getByRole("searchbox"));
    await page.keyboard.type("foxes snow");
    await total(page, "75 results");
    await page.getByRole("button", { name: "Videos", exact: true }).click();
    await expect.poll(() => page.getByRole("listbox").getByRole("option").count()).toBe(9);
    expect(page.url()).toContain("q=foxes+snow&kind=video");
    expect(await tile(page, 14).count()).toBe(1);
  });

  it("can be put together behind the button, and are taken off one by one", async () => {
    const page = await pages.open();
    await total(page, "300 results");
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("Model").fill("tts-1");
    await page.keyboard.press("Enter");
    await total(page, "30 results");
    await page.getByLabel("Key", { exact: true }).selectOption({ label: "Claude Code" });
    await total(page, "10 results");
    await page.getByLabel("Cost at least, USD").fill("lots");
    await page.getByText("Type an amount in USD, such as 0.05.").waitFor();
    await page.getByLabel("Cost at least, USD").fill("0.0400002");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("option").filter({ hasText: "tts-1" }).count()).toBe(2);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Remove filter Key: Claude Code" }).click();
    await page.getByRole("button", { name: "Remove filter Model: tts-1" }).click();
    expect(page.url()).toContain("#/library?cost=0.0400002");
  });

  it("takes days from the calendar", async () => {
    const page = await pages.open();
    await total(page, "300 results");
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("Saved from").fill("2030-01-01");
    await page.getByText("Nothing matches this filter").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Clear filter" }).click();
    await total(page, "300 results");
    expect(page.url()).not.toContain("since");
  });
});
