import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { closeByEscape, focused, openPalette, shownTab } from "./browser.ts";
import { useGatewayPages } from "./page-suite.ts";

/** The Tasks page against a real Postern whose sandbox makes the videos. */
const pages = useGatewayPages();

async function openTasks(): Promise<Page> {
  const page = await pages.open("tasks");
  await shownTab(page, "Tasks").waitFor();
  return page;
}

async function submit(prompt: string): Promise<number> {
  const response = await fetch(`${pages.gateway.url}/v1/videos/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${pages.gateway.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "alpha2.6-t2v", duration: 5, resolution: "720p", input: { prompt } }),
  });
  await response.body?.cancel();
  return response.status;
}

const rowWith = (page: Page, text: string) => page.locator("[data-row]").filter({ hasText: text });

it("shows a video from its submission to its player, with what it cost", async () => {
  const page = await openTasks();
  await page.getByText("No video task yet").waitFor();
  expect(await submit("A lighthouse in the morning")).toBe(202);
  const row = rowWith(page, "A lighthouse in the morning");
  await row.waitFor();
  await row.getByText("Succeeded").waitFor({ timeout: 60_000 });
  // A sandbox video has a price, but it is no money.
  await row.getByText("sandbox").waitFor({ state: "attached" });

  await page.keyboard.press("j");
  await focused(row);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.locator("video").waitFor();
  const player = dialog.locator("video");
  await expect
    .poll(() =>
      player.evaluate((video: HTMLVideoElement) => [video.videoWidth, video.videoHeight, Math.round(video.duration)]),
    )
    .toEqual([1_280, 720, 5]);
  await dialog.getByRole("region", { name: "Cost" }).getByText("Seconds", { exact: true }).waitFor();
  await dialog.getByRole("region", { name: "Timeline" }).getByText("Succeeded").waitFor();
  await page.keyboard.press("Escape");
  await focused(row);
});

it("makes a task again, and shows the new one next to it", async () => {
  const page = await openTasks();
  expect(await submit("A fox that waits sandbox:slow=60000")).toBe(202);
  await rowWith(page, "A fox that waits").click();
  const dialog = page.getByRole("dialog");
  const asking = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Regenerate" }).click();
  await asking.getByText("The sandbox makes it: no real money is spent.").waitFor();
  const first = page.url();
  await asking.getByRole("button", { name: "Regenerate" }).click();
  await asking.waitFor({ state: "detached" });
  await expect.poll(() => page.url()).not.toBe(first);
  await dialog.getByRole("region", { name: "Timeline" }).waitFor();
  await closeByEscape(dialog);
  await expect.poll(() => rowWith(page, "A fox that waits").count()).toBe(2);
});

it("finds by a word, in the address too", async () => {
  expect(await submit("An otter sandbox:fail")).toBe(202);
  const page = await openTasks();
  await page.keyboard.press("/");
  await focused(page.getByRole("searchbox"));
  await page.keyboard.type("otter");
  await expect.poll(() => page.locator("[data-row]").count()).toBe(1);
  await expect.poll(() => page.url()).toContain("q=otter");
  await rowWith(page, "An otter").getByText("Failed").waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: "Webhooks" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Show secret" }).click();
  await page
    .getByRole("dialog")
    .getByText(/^whsec_/)
    .waitFor();
});

it("is searched from the palette for what is typed there, and so is the library", async () => {
  expect(await submit("A heron over the marsh")).toBe(202);
  const page = await openTasks();
  await rowWith(page, "A heron").getByText("Succeeded").waitFor({ timeout: 60_000 });
  const palette = async (text: string, command: string): Promise<void> => {
    await openPalette(page);
    await page.keyboard.type(text);
    await page.getByRole("option", { name: command, exact: true }).click();
    await page.getByRole("combobox").waitFor({ state: "detached" });
  };
  await palette(" heron MARSH ", "Search library for “heron MARSH”");
  await shownTab(page, "Library").waitFor();
  await page.getByText("1 result", { exact: true }).waitFor();
  await page.getByRole("option").filter({ hasText: "A heron over the marsh" }).waitFor();
  await palette("heron", "Search tasks for “heron”");
  await shownTab(page, "Tasks").waitFor();
  await expect.poll(() => page.locator("[data-row]").count()).toBe(1);
  expect(await page.getByRole("searchbox").inputValue()).toBe("heron");
  await palette("webhoo", "Show webhooks");
  await page.getByRole("dialog", { name: "Webhooks" }).waitFor();
});
