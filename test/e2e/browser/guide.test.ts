import { expect, it } from "vitest";
import { startGateway } from "./gateway.ts";
import { useGatewayPages } from "./page-suite.ts";

const pages = useGatewayPages(() => startGateway({}));

it("opens the guide's page about what is shown, from Postern itself", async () => {
  const page = await pages.open("keys");
  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: "Help" }).click();
  const guide = await opened;
  await guide.getByRole("heading", { level: 1, name: "Keys and limits" }).waitFor();
  expect(new URL(guide.url()).pathname).toBe("/guide/keys-and-limits.html");

  await guide.getByRole("link", { name: "Postern guide" }).click();
  await guide.getByRole("heading", { level: 1 }).waitFor();
  // The policy of the pages lets the style sheet in, and nothing else is asked for.
  const width = () => guide.locator("main").evaluate((main) => getComputedStyle(main.parentElement ?? main).maxWidth);
  await expect.poll(width).toBe("736px");
  expect(pages.takeFaults()).toEqual([`opened ${pages.url}/guide/keys-and-limits.html`]);
});
