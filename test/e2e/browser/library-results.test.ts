import { describe, expect, it } from "vitest";
import { copied, focused, listening } from "./browser.ts";
import { resultOf } from "./fake-library.ts";
import { dialog, tile, useLibraryPages } from "./library-pages.ts";
import { mediaOrigin } from "../../support/media-samples.ts";

/** One result in its dialog: shown, played, and where it came from. */
const pages = useLibraryPages(300);

describe("a result", () => {
  it("is opened by its address, with all that it came from", async () => {
    const page = await pages.open("library?media=med_7");
    const panel = dialog(page);
    await panel.getByRole("heading", { name: "Video · beta-video-1.0" }).waitFor();
    for (const text of ["openai", "Videos", "Claude Code", "320 × 180 px", "2.5 s", "11.6 kB", "video/mp4", "$0.04"])
      await panel.getByText(text, { exact: true }).waitFor();
    expect(await panel.getByRole("link", { name: "Show task" }).getAttribute("href")).toBe(
      "#/tasks?q=req_00000000000000000007",
    );
    await panel.getByText('"size": "1024x1024"').waitFor();
    const copy = (name: string) => copied(page, () => panel.getByRole("button", { name }).click());
    expect(await copy("Copy: SHA-256")).toBe(resultOf(7).sha256);
    expect(await copy("Copy prompt")).toBe(resultOf(7).origin?.prompt);
  });

  it("plays", async () => {
    const page = await pages.open("library?media=med_7");
    const player = dialog(page).locator("video");
    await player.evaluate((video: HTMLVideoElement) => {
      video.muted = true;
      return video.play();
    });
    await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.2);
    const source = await player.getAttribute("src");
    await pages.fake.followed();
    // The gateway signs a fresh link with each response; a player that took it would begin again.
    pages.library.views = pages.library.views.map((view) => ({
      ...view,
      link: view.link.replace(/0{64}/, "1".repeat(64)),
    }));
    const requestCount = pages.fake.seen.length;
    pages.fake.emit({ type: "media.changed" });
    await expect.poll(() => pages.fake.seen.slice(requestCount)).toContain("GET /control/media/med_7");
    expect(await player.getAttribute("src")).toBe(source);
  });

  it("keeps the link that the list has when more is known of it", async () => {
    const page = await pages.open();
    // Its still is drawn here.
    await tile(page, 294).locator("img").waitFor();
    const { link } = resultOf(294);
    // Opened in a later second than the list: the response is signed again.
    pages.library.views = pages.library.views.map((view) =>
      view.id === "med_294" ? { ...view, link: link.replace(/0{64}/, "1".repeat(64)), poster: null } : view,
    );
    await tile(page, 294).click();
    const player = dialog(page).locator("video");
    await expect.poll(() => player.getAttribute("poster")).toBe(null);
    expect(await player.getAttribute("src")).toBe(link);
  });

  it("is shown in its real size on demand", async () => {
    const page = await pages.open("library?media=med_299", { width: 360, height: 700 });
    await dialog(page).locator("figure img").waitFor();
    const width = (): Promise<number> =>
      dialog(page)
        .locator("figure img")
        .first()
        .evaluate((image) => image.getBoundingClientRect().width);
    await expect.poll(width).toBeGreaterThan(0);
    const fitted = await width();
    await dialog(page).getByRole("button", { name: "Real size" }).click();
    await expect.poll(width).toBe(resultOf(299).width);
    expect(fitted).toBeLessThan(resultOf(299).width ?? 0);
  });

  it("leads to the one before and after it, beyond the page that was loaded", async () => {
    const page = await pages.open();
    await tile(page, 300).focus();
    await page.keyboard.press("End");
    await focused(tile(page, 1));
    await page.keyboard.press("Enter");
    const next = dialog(page).getByRole("button", { name: "Next result" });
    await dialog(page).getByText("number 1", { exact: false }).first().waitFor();
    expect(await next.getAttribute("aria-disabled")).toBe("true");
    await dialog(page).getByRole("button", { name: "Previous result" }).click();
    await dialog(page).getByText("Two foxes in the snow, oil on canvas, number 2").waitFor();
    expect(page.url()).toContain("media=med_2");
  });

  it("is deleted, and gives way to the next one", async () => {
    const page = await pages.open("library?media=med_300");
    await tile(page, 299).waitFor();
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await dialog(page).getByText("number 299").waitFor();
    await page.getByText("Deleted 1 result").waitFor();
    expect(pages.library.views[0]?.id).toBe("med_299");
  });

  it("says when its file is missing, keeps what is known of it, and offers no link to it", async () => {
    pages.library.views[1] = resultOf(299, { available: false });
    const page = await pages.open("library?media=med_299");
    await dialog(page).getByText("Its file is not in the data folder any more.").waitFor();
    await dialog(page).getByText("req_00000000000000000299").waitFor();
    expect(await dialog(page).locator("a:not([href^='#/'])").count()).toBe(0);
  });

  it("says when none exists by this id", async () => {
    const page = await pages.open("library?media=med_999999");
    await dialog(page).getByText("It is not in the library any more.").waitFor();
    await dialog(page).getByRole("button", { name: "Close" }).first().click();
    await dialog(page).waitFor({ state: "detached" });
    await expect.poll(() => page.url()).toBe(`${pages.fake.url}/#/library`);
  });

  it("opens in a new tab by its link, and shows where its file is", async () => {
    const page = await pages.open("library?media=med_299");
    const link = dialog(page).getByRole("link", { name: "Open in a new tab" });
    expect(await link.getAttribute("href")).toBe(resultOf(299).link);
    expect([await link.getAttribute("target"), await link.getAttribute("rel")]).toEqual(["_blank", "noreferrer"]);
    await dialog(page).getByText(resultOf(299).path).waitFor();
    expect(await dialog(page).getByRole("button", { name: "Show file" }).count()).toBe(0);
  });

  it("is shown in its folder by the desktop app", async () => {
    const page = await pages.blank();
    await page.addInitScript(() => {
      const shown: string[] = [];
      window.shown = shown;
      window.desktop = {
        platform: "linux",
        onDownload: () => () => undefined,
        openPages: async () => ({ token: "fake-token" }),
        setAppearance: async () => undefined,
        showFile: async (path: string) => void shown.push(path),
      };
    });
    await page.goto(pages.fake.ui);
    await listening(page);
    await page.goto(`${pages.fake.url}/#/library?media=med_299`);
    await dialog(page).getByRole("button", { name: "Show file" }).click();
    await expect.poll(() => page.evaluate(() => window.shown)).toEqual([resultOf(299).path]);
    expect(await dialog(page).getByRole("link", { name: "Open in a new tab" }).count()).toBe(0);
  });
});

it("says of a result of which only the file was left that its origin is unknown", async () => {
  pages.library.views = [resultOf(3, { origin: null }), resultOf(2)];
  const page = await pages.open("library?media=med_3");
  const panel = dialog(page);
  await panel.getByRole("heading", { name: "Origin unknown", exact: true }).waitFor();
  await panel.getByText("of this result only the file was left").waitFor();
  await panel.getByRole("button", { name: "Copy: SHA-256" }).waitFor();
  expect(await panel.getByText("Prompt", { exact: true }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("option", { name: /Origin unknown.*Image/ }).waitFor();
});

it("shows hostile texts as texts, and follows none of them", async () => {
  const hostile =
    '<img src="https://evil.example/x" onerror="alert(1)"><script>alert(2)</script> javascript:alert(3) ' +
    "data:text/html,x file:///etc/passwd ms-msdt:/id https://evil.example/ \u202Egnp.exe [x](javascript:alert(4))";
  pages.library.views = [
    resultOf(3, {
      link: "javascript:alert(5)",
      origin: {
        ...mediaOrigin(),
        prompt: hostile,
        model: "<b>m</b>",
        provider: "<i>v</i>",
        key: "<u>k</u>",
        request_id: "<s>r</s>",
        endpoint: "constructor",
        parameters: { "<x>": hostile },
      },
    }),
    resultOf(2, { kind: "video", poster: "https://evil.example/p.png" }),
  ];
  const page = await pages.open("library?media=med_3");
  await dialog(page).getByRole("region", { name: "Prompt" }).getByText(hostile, { exact: true }).waitFor();
  await dialog(page).getByText("<i>v</i>").waitFor();
  await dialog(page).getByText("constructor").waitFor();
  expect(await page.locator("a[href^='javascript'], a[href^='data'], a[href*='evil'], img[src*='evil']").count()).toBe(
    0,
  );
  expect(await dialog(page).locator("a:not([href^='#/'])").count()).toBe(0);
  expect(await page.locator("main script, main b, [role=dialog] script, [role=dialog] i").count()).toBe(0);
});
