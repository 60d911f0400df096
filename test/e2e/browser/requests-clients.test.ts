import { expect, it } from "vitest";
import { message, responses, usePlaygroundBench } from "./playground-bench.ts";

/** The names of Postern's own calls, on a real Postern. */
const bench = usePlaygroundBench();

it("calls of the playground are the playground's, not the browser's", async () => {
  const page = await bench.open("?kind=chat&model=gpt-5.4-mini");
  await message(page).fill("Say something short.");
  await page.keyboard.press("Control+Enter");
  await responses(page)
    .getByText(/^took \d/)
    .waitFor();
  await bench.pages.go(page, "requests");
  const row = page.getByRole("grid", { name: "Requests" }).locator("[data-row]").first();
  await row.getByTitle("gpt-5.4-mini", { exact: true }).waitFor();
  // The app, and the key that it made for itself: a wide window has room for both.
  await page.setViewportSize({ width: 1440, height: 800 });
  await expect.poll(() => row.getByTitle("Playground", { exact: true }).count()).toBe(2);
  expect(await page.getByText("Mozilla").count()).toBe(0);
});
