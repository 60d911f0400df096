import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeFindings } from "./browser.ts";
import { chat } from "./gateway.ts";
import { startLocalProvider } from "./local-provider.ts";
import { useGatewayPages } from "./page-suite.ts";

/** What the pages say of a provider's health, on a real Postern: one thing, from tests and traffic alike. */
const pages = useGatewayPages();

const panelOf = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

async function fillIn(page: Page, name: string, baseUrl: string, key: string): Promise<Locator> {
  await page.locator("main").getByRole("button", { name: "Add provider" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add a provider" });
  await dialog.getByRole("radio", { name: "Another compatible server" }).click();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Base URL").fill(baseUrl);
  await dialog.getByLabel("Provider key").fill(key);
  await dialog.getByRole("button", { name: "Add provider" }).click();
  return dialog;
}

async function replaceKey(page: Page, name: string, key: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Replace key" }).click();
  const dialog = page.getByRole("dialog", { name: `Replace the key of “${name}”` });
  await dialog.getByLabel("Provider key").fill(key);
  await dialog.getByRole("button", { name: "Replace key" }).click();
  await dialog.waitFor({ state: "detached" });
}

it("is one: a failed test shows at the key, and a call that succeeds clears it", async () => {
  const provider = await startLocalProvider(["tiny"]);
  const port = Number(new URL(provider.baseUrl).port);
  const page = await pages.open("connections");
  await fillIn(page, "Coming", provider.baseUrl, "any-key");
  const panel = panelOf(page, "Coming");
  await panel.getByText("Healthy", { exact: true }).waitFor();
  await provider.close();
  await panel.getByRole("button", { name: "Test Coming" }).click();
  await panel.getByText("Down", { exact: true }).waitFor();
  expect(await panel.getByText("Healthy", { exact: true }).count()).toBe(0);
  const text = await panel.innerText();
  expect(text.match(/ECONNREFUSED/g)).toHaveLength(1);

  const again = await startLocalProvider(["tiny"], port);
  try {
    await expect
      .poll(async () => (await chat(pages.gateway.url, pages.gateway.apiKey, "Coming/tiny")).status)
      .toBe(200);
    await panel.getByText("Healthy", { exact: true }).waitFor();
    expect(await panel.innerText()).not.toContain("ECONNREFUSED");
    expect(await panel.locator("[class*=danger-text]").count()).toBe(0);
  } finally {
    await again.close();
  }
});

it("is asked again by a new key", async () => {
  const provider = await startLocalProvider(["tiny"]);
  try {
    const page = await pages.open("connections");
    await fillIn(page, "Changing", provider.baseUrl, "first-key");
    const panel = panelOf(page, "Changing");
    await panel.getByText("Healthy", { exact: true }).waitFor();
    provider.accepted.add("second-key");
    await panel.getByRole("button", { name: "Test Changing" }).click();
    await panel.getByText("Invalid key", { exact: true }).waitFor();
    // One message, in one place, which ends as a sentence does and sends no one to where they are.
    const message = (await panel.innerText()).match(/Incorrect API key provided/g);
    expect(message).toHaveLength(1);
    expect(await panel.innerText()).not.toContain("Providers page");
    expect(await axeFindings(page, "main")).toEqual([]);
    await replaceKey(page, "Changing", "second-key");
    await panel.getByText("Healthy", { exact: true }).waitFor();
    expect(await panel.getByText(/Incorrect API key/).count()).toBe(0);
    await pages.go(page, "overview");
    await page.getByRole("heading", { name: "Recent requests" }).waitFor();
    expect(await page.getByText("Changing refuses its key").count()).toBe(0);
  } finally {
    await provider.close();
  }
});

it("is reported in Chinese, with the provider's message once", async () => {
  const provider = await startLocalProvider(["tiny"]);
  const page = await pages.open("connections");
  await fillIn(page, "Leaving", provider.baseUrl, "any-key");
  await panelOf(page, "Leaving").getByText("Healthy", { exact: true }).waitFor();
  await provider.close();
  await page.evaluate(() => localStorage.setItem("postern.language", "zh"));
  const chinese = await pages.open("connections");
  const panel = panelOf(chinese, "Leaving");
  await panel.getByRole("button", { name: "测试“Leaving”" }).click();
  await panel.getByText("此地址没有响应。").waitFor();
  const text = await panel.innerText();
  expect(text.match(/ECONNREFUSED/g)).toHaveLength(1);
  expect(text).not.toMatch(/cannot be reached|Replace|Check/);
});
