import { expect, it } from "vitest";
import { axeInBothThemes, sidewaysScroll } from "./browser.ts";
import { startLocalProvider } from "./local-provider.ts";
import { useGatewayPages } from "./page-suite.ts";

const pages = useGatewayPages();

/** A request as Codex sends it. */
async function ask(model: string): Promise<number> {
  const { url, apiKey } = pages.gateway;
  const body = JSON.stringify({ model, input: "Hi", prompt_cache_key: "session-1" });
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  return (await fetch(`${url}/v1/responses`, { method: "POST", headers, body })).status;
}

it("what a server has taught by a refusal is shown with its provider, and forgotten by a button", async () => {
  const provider = await startLocalProvider(["house-model"]);
  provider.refused.add("prompt_cache_key");
  try {
    const page = await pages.open("connections");
    await page.locator("main").getByRole("button", { name: "Add provider" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add a provider" });
    await dialog.getByRole("radio", { name: "Another compatible server" }).click();
    await dialog.getByLabel("Name").fill("House");
    await dialog.getByLabel("Base URL").fill(provider.baseUrl);
    await dialog.getByRole("button", { name: "Add provider" }).click();
    const panel = page.getByRole("region", { name: "House", exact: true });
    await panel.getByText("Healthy", { exact: true }).waitFor();
    const learned = panel.getByRole("list", { name: "What House has taught by its refusals" });
    expect(await learned.count()).toBe(0);
    expect(await ask("house-model")).toBe(200);
    await learned.getByText("without prompt_cache_key").waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await panel.getByRole("button", { name: "Forget what House has taught" }).click();
    await learned.waitFor({ state: "detached" });
    expect(await ask("house-model")).toBe(200);
    await learned.waitFor();
  } finally {
    await provider.close();
  }
});
