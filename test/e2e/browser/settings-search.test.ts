import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { found } from "../../support/search-world.ts";
import { WireProvider, reply } from "../../support/wire-provider.ts";
import { useGatewayPages } from "./page-suite.ts";

/** The search service on the Settings page, over a real Postern and a SearXNG of the test. */
const pages = useGatewayPages();
const searx = new WireProvider();
beforeAll(() => searx.listen());
afterAll(() => searx.close());

async function openSearch(): Promise<Page> {
  const page = await pages.open();
  await pages.go(page, "settings?section=search");
  await page.getByLabel("Search service").waitFor();
  return page;
}

it("takes a SearXNG of this machine, and tests it with a real search", async () => {
  searx.on("GET /search", reply(403, {}), found(["Postern", "https://example.com/", "A gateway"]));
  const page = await openSearch();
  const test = page.getByRole("button", { name: "Test" });
  expect(await test.isDisabled()).toBe(true);
  await page.getByLabel("Search service").selectOption({ label: "SearXNG" });
  await page.getByText("Set the address of your SearXNG").waitFor();
  const address = page.getByRole("textbox", { name: "Address of SearXNG" });
  await address.fill(searx.origin);
  await address.press("Enter");
  await expect.poll(() => test.isDisabled()).toBe(false);
  await test.click();
  await page.getByText(/SearXNG refused the search with status 403/).waitFor();
  await test.click();
  await page.getByText(/^1 results in \d+ ms$/).waitFor();
});

it("keeps a key, shows no more than its end, and forgets it", async () => {
  const page = await openSearch();
  await page.getByLabel("Search service").selectOption({ label: "Brave Search" });
  await page.getByText("Published: $0.005").waitFor();
  const key = page.getByLabel("Key", { exact: true });
  await key.fill("BSA-secret-of-the-test-x7Qd");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The key is saved").waitFor();
  expect(await key.inputValue()).toBe("");
  expect(await page.getByPlaceholder(/x7Qd$/).count()).toBe(1);
  expect(await page.content()).not.toContain("secret-of-the-test");
  await expect.poll(() => page.getByRole("button", { name: "Test" }).isDisabled()).toBe(false);
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByText("The key is removed").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Test" }).isDisabled()).toBe(true);
});
