import type { Page } from "playwright-core";
import type { RunningGateway } from "./gateway.ts";

type Save = (name: string) => Promise<void>;

/** The playground with an answer in each of its largest tabs. */
export async function shootPlayground(page: Page, gateway: RunningGateway, save: Save): Promise<void> {
  await page.goto(await gateway.freshAddress());
  await page.goto(`${gateway.url}/#/playground?kind=chat&model=gpt-5.4-mini`);
  await page.getByLabel("Compare with").selectOption("claude-sonnet-4-5");
  await page.getByLabel("Message", { exact: true }).fill("Name three things that a gateway is good for.");
  await page.keyboard.press("Control+Enter");
  await page
    .getByText(/^took \d/)
    .nth(1)
    .waitFor();
  await page.getByText("sandbox", { exact: true }).nth(1).waitFor({ state: "attached" });
  await save("playground");

  await page.goto(`${gateway.url}/#/playground?kind=image&model=gpt-image-1`);
  await page.getByLabel("Prompt").fill("A heron over the marsh, woodcut in two colours");
  await page.getByRole("button", { name: "What would it cost?" }).click();
  await page.getByText("At most", { exact: true }).waitFor();
  await page.getByLabel("Prompt").press("Control+Enter");
  await page.locator("article img").waitFor();
  await page.getByText("sandbox", { exact: true }).nth(1).waitFor({ state: "attached" });
  await save("playground-image");

  await page.getByRole("button", { name: "Edit this" }).click();
  const mask = page.getByRole("img", { name: /painted/ });
  await mask.waitFor();
  await page.getByLabel("What to change").fill("Give the heron a red hat");
  const box = await mask.boundingBox();
  if (box !== null) {
    await mask.scrollIntoViewIfNeeded();
    const at = (await mask.boundingBox()) ?? box;
    await page.mouse.move(at.x + at.width * 0.35, at.y + at.height * 0.3);
    await page.mouse.down();
    await page.mouse.move(at.x + at.width * 0.6, at.y + at.height * 0.25, { steps: 6 });
    await page.mouse.up();
  }
  await save("playground-edit");

  await page.goto(`${gateway.url}/#/playground?kind=embedding&model=text-embedding-3-small`);
  await page
    .getByLabel("Texts")
    .fill("A cat sleeps on the sofa\nA kitten naps on the couch\nInterest rates rose again");
  await page.getByLabel("Texts").press("Control+Enter");
  await page.getByText("3 vectors").waitFor();
  await save("playground-embeddings");
}
