import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeInBothThemes, runCommand } from "./browser.ts";
import { useFakePages } from "./page-suite.ts";
import { receiptOf } from "./receipts.ts";

/** What an app may spend a day is set in a few presses, from where one happens to be. */
const pages = useFakePages();

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Limit what an app spends" });
const limitOf = (id: string): unknown => {
  const key = pages.fake.keys.find((each) => each.id === id);
  return key === undefined ? null : [key.limit_usd, key.reset];
};

it("limits a key to five dollars a day from its row, and takes it back", async () => {
  const page = await pages.open("keys");
  await page.getByRole("button", { name: "Actions for First key" }).click();
  await page.getByRole("menuitem", { name: "Limit spend…" }).click();
  await dialogOf(page).getByRole("button", { name: "Set limit" }).click();
  await dialogOf(page).waitFor({ state: "detached" });
  expect(limitOf("key_1")).toEqual([5, "daily"]);
  await page.getByText("$1.20 of $5 a day").first().waitFor();
  expect(new URL(page.url()).hash).toBe("#/keys");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => limitOf("key_1")).toEqual([null, "never"]);
});

it("says of a key from the environment that the limit goes with the next start", async () => {
  pages.fake.keys = pages.fake.keys.map((key) => (key.id === "key_1" ? { ...key, origin: "environment" } : key));
  const page = await pages.open("keys");
  await page.getByRole("button", { name: "Actions for First key" }).click();
  await page.getByRole("menuitem", { name: "Limit spend…" }).click();
  const reported = dialogOf(page).getByText(
    "It comes from the environment: its limits are put back at the next start.",
  );
  await reported.waitFor();
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
  await dialogOf(page).getByLabel("Key").selectOption("key_2");
  await reported.waitFor({ state: "detached" });
});

it("is reached from the palette, for the app that called last and for any other", async () => {
  const page = await pages.open("overview");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("limit what");
  await runCommand(page, "Limit what an app spends");
  const dialog = dialogOf(page);
  // It has a limit, which is what stands in the form.
  await expect.poll(() => dialog.getByLabel("Key").inputValue()).toBe("key_2");
  expect(await dialog.getByLabel("Spend limit, USD").inputValue()).toBe("10");
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
  await dialog.getByLabel("Key").selectOption("key_1");
  expect(await dialog.getByLabel("Spend limit, USD").inputValue()).toBe("5");
  await dialog.getByLabel("Spend limit, USD").fill("a lot");
  await page.keyboard.press("Enter");
  await dialog.getByText("Type an amount in USD up to 9,000,000, such as 5 or 0.50.").waitFor();
  await dialog.getByLabel("Spend limit, USD").fill("$0.50");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  expect(limitOf("key_1")).toEqual([0.5, "daily"]);
});

it("asks what keys used in the period of each limit, and for no other", async () => {
  const page = await pages.open("overview");
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.startsWith("/control/usage/") && searchParams.get("by") === "key")
      requests.push(searchParams.get("range") ?? `since ${searchParams.get("since")?.slice(-2)}`);
  });
  await pages.go(page, "keys");
  await expect.poll(() => new Set(requests)).toEqual(new Set(["today", "since 01", "30d"]));
  pages.fake.keys = pages.fake.keys.map((key) => ({ ...key, limit_usd: null }));
  pages.fake.emit({ type: "keys.changed" });
  await page.getByText("No limit").nth(3).waitFor();
  requests.length = 0;
  pages.fake.emit({ type: "request.settled", receipt: receiptOf(900) });
  await expect.poll(() => requests).toContain("30d");
  expect(requests.filter((range) => range !== "30d")).toEqual([]);
});
