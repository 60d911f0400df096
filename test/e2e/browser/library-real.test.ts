import { expect, it } from "vitest";
import { shownTab } from "./browser.ts";
import { dialog } from "./library-pages.ts";
import { useGatewayPages } from "./page-suite.ts";

/** The library over a real Postern: what the sandbox makes is there a moment later, and stays what it is. */
const pages = useGatewayPages();

async function make(path: string, body: unknown): Promise<void> {
  const response = await fetch(`${pages.gateway.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${pages.gateway.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
}

it("shows what was made as it is made, plays it, exports it, deletes it and takes that back", async () => {
  const page = await pages.open("library");
  await page.getByText("Nothing in the library yet").waitFor();

  await make("/v1/images/generations", { model: "gpt-image-1", prompt: "A lighthouse <b>at dusk</b>" });
  await make("/v1/audio/speech", { model: "tts-1", input: "A calm voice.", voice: "alloy" });
  const film = { model: "beta-1.0-t2v", duration: 3, resolution: "720p", input: { prompt: "Two foxes" } };
  await make("/v1/videos/generations?wait=true", film);
  const tile = (text: string) => page.getByRole("option").filter({ hasText: text });
  await tile("A lighthouse <b>at dusk</b>").locator("img").waitFor();
  await tile("A calm voice.").waitFor();
  // Its still was drawn here and came back from the gateway.
  await tile("Two foxes").locator("img").waitFor();

  await tile("Two foxes").click();
  await dialog(page).getByText("video/mp4").waitFor();
  const player = dialog(page).locator("video");
  await player.evaluate((video: HTMLVideoElement) => {
    video.muted = true;
    return video.play();
  });
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.2);
  await dialog(page).getByRole("link", { name: "Show task" }).click();
  await shownTab(page, "Tasks").waitFor();
  await expect.poll(() => page.locator("[data-row]").filter({ hasText: "Two foxes" }).count()).toBe(1);

  await pages.go(page, "library");
  await tile("A calm voice.").click({ modifiers: ["Control"] });
  await tile("Two foxes").click({ modifiers: ["Control"] });
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as ZIP" }).click();
  expect((await download).suggestedFilename()).toMatch(/^postern-media-\d{4}-\d\d-\d\d\.zip$/);
  await page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
  await page.getByText("1 result", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("3 results", { exact: true }).waitFor();
  await tile("Two foxes").waitFor();

  await page.getByRole("searchbox").fill("LIGHTHOUSE dusk");
  await page.getByText("1 result", { exact: true }).waitFor();
});
