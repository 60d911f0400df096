import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { OtlpReceiverServer } from "../../support/otlp-receiver.ts";
import { quiet } from "./browser.ts";
import { useGatewayPages } from "./page-suite.ts";

/** Telemetry on the Settings page, over a real Postern and a receiver of the test. */
const pages = useGatewayPages();
const receiver = new OtlpReceiverServer();
beforeAll(() => receiver.listen());
afterAll(() => receiver.close());
beforeEach(() => receiver.reset());

async function openTelemetry(): Promise<Page> {
  const page = await pages.open();
  await pages.go(page, "settings?section=telemetry");
  await page.getByLabel("Address of the receiver").waitFor();
  return page;
}

it("takes a receiver, keeps its headers without showing them, and tests it", async () => {
  const page = await openTelemetry();
  const test = page.getByRole("button", { name: "Test" });
  expect(await test.isDisabled()).toBe(true);
  expect(await page.getByLabel("Headers").count()).toBe(0);
  const address = page.getByRole("textbox", { name: "Address of the receiver" });
  await address.fill(receiver.url);
  await address.press("Enter");
  await expect.poll(() => test.isDisabled()).toBe(false);
  await page.getByLabel("Headers").fill("Authorization: Bearer secret-of-the-test");
  // The settings that were changed are asked for again, and what is below a field moves with what it says.
  await quiet(page);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The headers are saved").waitFor();
  await page.getByText(/Set: authorization/).waitFor();
  expect(await page.content()).not.toContain("secret-of-the-test");
  await test.click();
  await page.getByText(/^The receiver responds, in \d+ ms$/).waitFor();
  expect(receiver.messages[0]?.headers.authorization).toBe("Bearer secret-of-the-test");
  receiver.response = () => ({ status: 403, body: { message: "not yours" } });
  await test.click();
  await page.getByText(/status 403: not yours\. Check its headers/).waitFor();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByText("The headers are removed").waitFor();
});

it("makes the key of /metrics, shows it once, and switches it off", async () => {
  const page = await openTelemetry();
  await page.getByRole("button", { name: "Make a key" }).click();
  const shown = page.locator("[data-secret]");
  const key = await shown.innerText();
  expect(key).toMatch(/^tok-metrics-\w{40}$/);
  const scrape = (): Promise<number> =>
    fetch(`${pages.url}/metrics`, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status);
  expect(await scrape()).toBe(200);
  await page.reload();
  await page.getByText(key.slice(-4)).waitFor();
  expect(await page.content()).not.toContain(key);
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "New key" }).click();
  await shown.waitFor();
  expect(await scrape()).toBe(401);
  await page.getByRole("button", { name: "Switch off" }).click();
  await page.getByText("There is no /metrics any more").waitFor();
  expect(await scrape()).toBe(404);
});
