import type { Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { VideoProvider } from "../../support/video-provider.ts";
import { startGateway } from "./gateway.ts";
import { dialog, total } from "./library-pages.ts";
import { useGatewayPages } from "./page-suite.ts";

/** A real Postern whose provider is gone, and pages whose Postern is gone: what was made before is still there. */
const provider = new VideoProvider();
const pages = useGatewayPages(async () => {
  await provider.listen();
  return startGateway(provider.env("dashscope"));
});
afterAll(() => provider.close());

async function submit(prompt: string, query = ""): Promise<number> {
  const response = await fetch(`${pages.gateway.url}/v1/videos/generations${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${pages.gateway.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "alpha2.6-t2v", duration: 5, resolution: "720p", input: { prompt } }),
  });
  await response.arrayBuffer();
  return response.status;
}

const row = (page: Page, text: string) => page.locator("[data-row]").filter({ hasText: text });
const tile = (page: Page, text: string) => page.getByRole("option").filter({ hasText: text });

/** Plays the dialog's video to its end. */
async function playThrough(page: Page): Promise<void> {
  const player = dialog(page).locator("video");
  await player.evaluate((video: HTMLVideoElement) => {
    video.muted = true;
    return video.play();
  });
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.ended)).toBe(true);
  const seen = await player.evaluate(({ videoWidth, videoHeight, error }: HTMLVideoElement) => [
    videoWidth,
    videoHeight,
    error,
  ]);
  expect(seen).toEqual([64, 36, null]);
}

it("shows every task and plays what was saved while no provider can be reached, and then while Postern is gone too", async () => {
  provider.plan = ["succeeded"];
  expect(await submit("A heron over the marsh", "?wait=true")).toBe(200);
  expect(await submit("Two foxes on the ice", "?wait=true")).toBe(200);
  provider.plan = ["running"];
  expect(await submit("A potter at the wheel")).toBe(202);
  await provider.when(() => provider.last.polls > 0);
  await provider.close();

  const page = await pages.open("tasks");
  await row(page, "Two foxes").getByText("Succeeded").waitFor();
  await row(page, "A potter").getByText("Running").waitFor();
  await row(page, "A potter").click();
  await dialog(page).getByText("Taken by the provider").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox").fill("heron");
  await expect.poll(() => page.locator("[data-row]").count()).toBe(1);
  await row(page, "A heron").click();
  await dialog(page).getByRole("region", { name: "Cost" }).getByText("Seconds", { exact: true }).waitFor();
  await dialog(page)
    .getByText(/"task_status": "SUCCEEDED"/)
    .waitFor();
  await playThrough(page);
  await dialog(page).getByRole("link", { name: "Show in library" }).click();
  await dialog(page).getByText("video/mp4").waitFor();
  await playThrough(page);
  await page.keyboard.press("Escape");
  await total(page, "2 results");
  await tile(page, "A heron").locator("img").waitFor();
  await page.getByRole("searchbox").fill("foxes");
  await total(page, "1 result");
  await page.getByRole("searchbox").fill("");
  await total(page, "2 results");
  await tile(page, "Two foxes").locator("img").waitFor();

  await pages.gateway.stop();
  await page.getByText("Postern does not respond.").waitFor();
  await page.getByRole("link", { name: "Tasks", exact: true }).click();
  await row(page, "A heron").waitFor();
  await page.getByRole("link", { name: "Library", exact: true }).click();
  const shown = "[...document.querySelectorAll('[data-tile] img')].filter((image) => image.naturalWidth > 0).length";
  await expect.poll(() => page.evaluate(shown)).toBe(2);
  await tile(page, "Two foxes").click();
  // Longer than the pages ask on by themselves: what the list knows stays.
  await dialog(page).getByRole("region", { name: "Prompt" }).waitFor();
  const failed = () => page.waitForEvent("requestfailed", (request) => request.url().includes("/control/media/"));
  await failed();
  await failed();
  await dialog(page).getByRole("button", { name: "Next result" }).click();
  await dialog(page).getByText("A heron over the marsh").waitFor();
  await dialog(page).getByRole("button", { name: "Previous result" }).click();
  await dialog(page).getByText("Two foxes on the ice").waitFor();
  expect(await page.getByText("File missing").count()).toBe(0);
  expect(await page.getByText("This browser cannot play it").count()).toBe(0);
});
