import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { dialog, tile, useLibraryPages } from "./library-pages.ts";

/** Films and sounds that play in the wall itself. */
const pages = useLibraryPages(300);

const films = (page: Page) => page.locator("[data-tile] video");
const moves = (page: Page): Promise<boolean> =>
  films(page).evaluateAll((all: HTMLVideoElement[]) => all.some(({ currentTime, muted }) => muted && currentTime > 0));

it("plays the film under the pointer without sound, and no other", async () => {
  const page = await pages.open("library", { reducedMotion: false });
  await tile(page, 294).locator("img").waitFor();
  expect(await films(page).count()).toBe(0);
  await tile(page, 294).hover();
  await tile(page, 294).locator("video").waitFor();
  await expect.poll(() => moves(page)).toBe(true);
  await tile(page, 287).hover();
  await tile(page, 287).locator("video").waitFor();
  expect(await films(page).count()).toBe(1);
  await page.getByRole("searchbox").hover();
  await films(page).waitFor({ state: "detached" });
});

it("plays the film that the keyboard is on, until it moves on or the film is opened", async () => {
  const page = await pages.open("library", { reducedMotion: false });
  await tile(page, 295).waitFor();
  await page.getByRole("searchbox").focus();
  await page.keyboard.press("Tab");
  await page.locator("[data-active]").focus();
  for (let step = 0; step < 6; step += 1) await page.keyboard.press("ArrowRight");
  await tile(page, 294).locator("video").waitFor();
  await page.keyboard.press("ArrowRight");
  await films(page).waitFor({ state: "detached" });
  await page.keyboard.press("ArrowLeft");
  await tile(page, 294).locator("video").waitFor();
  await page.keyboard.press("Enter");
  await dialog(page).locator("video").waitFor();
  await expect.poll(() => films(page).count()).toBe(0);
});

it("lets films stand where less motion is asked for", async () => {
  const page = await pages.open("library", { reducedMotion: true });
  await tile(page, 294).hover();
  await tile(page, 290).hover();
  await tile(page, 290).locator("[data-play]").click();
  await expect.poll(() => tile(page, 290).locator("[style*=scaleX]").getAttribute("style")).not.toContain("scaleX(0)");
  expect(await films(page).count()).toBe(0);
});

it("plays and pauses a sound in its tile, by the mouse and by a key", async () => {
  const page = await pages.open();
  const share = async (): Promise<number> =>
    Number(
      /scaleX\(([\d.]+)\)/.exec((await tile(page, 290).locator("[style*=scaleX]").getAttribute("style")) ?? "")?.[1],
    );
  await tile(page, 290).locator("[data-play]").click();
  await expect.poll(share).toBeGreaterThan(0);
  expect(await dialog(page).count()).toBe(0);
  await expect.poll(share).toBe(1);
  await tile(page, 300).focus();
  await page.keyboard.press("a");
  await tile(page, 300).locator(".lucide-pause").waitFor();
  expect(await share()).toBe(0);
  await page.keyboard.press("a");
  await tile(page, 300).locator(".lucide-play").waitFor();
});
