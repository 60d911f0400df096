import type { Locator, Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { stream, streamFrames } from "../../support/acts.ts";
import { MockProvider, modelList } from "../../support/mock-provider.ts";
import { axeFindings, runCommand } from "./browser.ts";
import { startGateway } from "./gateway.ts";
import { useGatewayPages } from "./page-suite.ts";

/** From nothing to the first response of a provider, on a real Postern with a provider next to it. */
const provider = new MockProvider();
const pages = useGatewayPages(async () => {
  await provider.listen();
  provider.list = modelList(["tiny-chat", "tiny-embed"]);
  provider.usual = stream(streamFrames(["Hello from", " the provider."]));
  return startGateway({ POSTERN_SANDBOX: "auto" });
});
afterAll(() => provider.close());

/** Asks as an app does: with its key, and streamed. */
async function ask(secret: string, model: string): Promise<void> {
  const response = await fetch(`${pages.gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${secret}`,
      "content-type": "application/json",
      "user-agent": "e2e-client/1.0",
    },
    body: JSON.stringify({ model, stream: true, messages: [{ role: "user", content: "Hi" }] }),
  });
  expect(await response.text()).toContain("[DONE]");
}

const guide = (page: Page): Locator => page.getByRole("region", { name: "Get started" });
const step = (page: Page, name: string): Locator => guide(page).getByRole("region", { name, exact: true });

it("leads step by step to an app's first response, says what it took, and is over for good", async () => {
  const page = await pages.open();
  await step(page, "Connect a provider").getByRole("button", { name: "Add provider" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a provider" });
  await dialog.getByRole("radio", { name: "Another compatible server" }).click();
  await dialog.getByLabel("Name").fill("Tiny");
  await dialog.getByLabel("Base URL").fill(provider.baseUrl);
  await dialog.getByLabel("Provider key").fill("provider-key-0001");
  await dialog.getByRole("button", { name: "Add provider" }).click();
  await guide(page).getByText("Connected: Tiny · 2 models found").waitFor();

  // The next step opens by itself, and the first key stands below.
  await step(page, "Connect an app").getByRole("link", { name: "All apps" }).waitFor();
  const secret = (await page.locator("[data-secret]").textContent()) ?? "";
  const success = guide(page).getByRole("status", { name: "First real response" });
  expect(await success.count()).toBe(0);
  expect(await page.getByRole("region", { name: "Provider health" }).count()).toBe(0);

  await ask(secret, "tiny-chat");
  await success.getByText("tiny-chat, asked by e2e-client").waitFor();
  await success.getByText("unpriced").waitFor();
  await guide(page).getByText("All set.").waitFor();
  // Now there is something to count, and what is counted leads to it.
  await page.getByRole("region", { name: "Provider health" }).getByText("Tiny").waitFor();
  const model = page.getByRole("region", { name: "Top models" }).getByRole("link", { name: /tiny-chat/ });
  expect(await model.getAttribute("href")).toMatch(/^#\/requests\?model=tiny-chat&since=\d+$/);
  expect(await axeFindings(page, "main")).toEqual([]);
  expect(await success.getByRole("link", { name: "Open request" }).getAttribute("href")).toMatch(
    /^#\/requests\?id=req_[\w-]+$/,
  );

  await pages.go(page, "keys");
  await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
  await pages.go(page, "overview");
  await page.getByRole("region", { name: "Provider health" }).waitFor();
  expect(await guide(page).count()).toBe(0);
});

it("puts the card away until the palette or the Apps page brings it back", async () => {
  const page = await pages.open();
  const card = page.getByRole("region", { name: "Connect your app" });
  await card.getByRole("button", { name: "Hide this card" }).click();
  await card.waitFor({ state: "detached" });
  const later = await pages.open();
  await later.getByRole("heading", { name: "Recent requests" }).waitFor();
  expect(await later.getByRole("region", { name: "Connect your app" }).count()).toBe(0);
  await pages.go(later, "clients");
  await later.getByRole("link", { name: "Base URL and examples" }).click();
  await later.getByRole("region", { name: "Connect your app" }).waitFor();
  await expect.poll(() => later.url()).toMatch(/#\/overview$/);

  await later.getByRole("button", { name: "Hide this card" }).click();
  await later.keyboard.press("Control+k");
  await later.getByRole("combobox").fill("connect your app");
  await runCommand(later, "Connect your app");
  await later.getByRole("region", { name: "Connect your app" }).waitFor();
});
