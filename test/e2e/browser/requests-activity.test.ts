import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { axeInBothThemes, findFaults, type WatchOptions } from "./browser.ts";
import { refusal } from "./fake-control.ts";
import { useFakePages } from "./page-suite.ts";
import { receiptOf } from "./receipts.ts";

/** The charts above the log. */
const failed: Partial<Receipt> = { status: 502, code: "upstream_error", outcome: "failed", terms: [], nano: 0 };
const pages = useFakePages((fake) => {
  fake.receipts = Array.from({ length: 80 }, (_, index) => receiptOf(index, index % 8 === 3 ? failed : {}));
});

const rows = (page: Page) => page.getByRole("grid", { name: "Requests" }).locator("[data-row]");
const strip = (page: Page) => page.getByRole("region", { name: "Requests over time", exact: true });
const chart = (page: Page) => strip(page).getByRole("img").first();
const params = (page: Page) => new URLSearchParams(new URL(page.url()).hash.split("?")[1]);

async function open(place = "requests", options?: WatchOptions): Promise<Page> {
  const page = await pages.open(place, options);
  await strip(page)
    .getByText(/requests?$/)
    .waitFor();
  return page;
}

it("counts what the filter lets in, and leads from each sum to its rows", async () => {
  const page = await open();
  await strip(page).getByText("80 requests").waitFor();
  await strip(page).getByRole("button", { name: "10 failed" }).click();
  await expect.poll(() => params(page).get("status")).toBe("failed");
  await strip(page).getByText("10 requests").waitFor();
  await strip(page)
    .getByRole("button", { name: /sort by cost/ })
    .click();
  await expect.poll(() => params(page).get("sort")).toBe("cost");
});

it("says the figures under the pointer, and narrows the time by a press and by a drag", async () => {
  const page = await open("requests?range=24h");
  const box = (await chart(page).boundingBox())!;
  const at = (part: number) => [box.x + box.width * part, box.y + box.height / 2] as const;
  await page.mouse.move(...at(0.99));
  await strip(page)
    .getByText(/ \+ .* requests? · .* failed · .*p95/)
    .waitFor();
  await page.mouse.down();
  await page.mouse.move(...at(0.8), { steps: 3 });
  await page.mouse.up();
  await expect.poll(() => Number(params(page).get("until"))).toBeGreaterThan(Number(params(page).get("since")));
  expect(params(page).get("range")).toBe(null);
  await page.goBack();
  await expect.poll(() => params(page).get("range")).toBe("24h");
});

it("says which time it shows where the list has no beginning, and a press on a bar narrows the list to it", async () => {
  // Some in each bar of the day, whenever the fixtures were loaded.
  const now = Date.now();
  pages.fake.receipts = Array.from({ length: 80 }, (_, index) => receiptOf(index, { at: now - index * 18 * 60_000 }));
  pages.fake.receipts.push(receiptOf(900, { at: now - 40 * 86_400_000, client: "long-ago" }));
  const page = await open();
  const shown = strip(page).getByRole("button", { name: "Chart: last 24 hours" });
  await shown.waitFor();
  await strip(page).getByText("80 requests").waitFor();
  const rowCount = () => page.getByRole("grid", { name: "Requests" }).getAttribute("aria-rowcount");
  await expect.poll(rowCount).toBe("82");
  const box = (await chart(page).boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.97, box.y + box.height / 2);
  await expect.poll(() => params(page).get("since")).toMatch(/^\d+$/);
  const [since, until] = ["since", "until"].map((name) => Number(params(page).get(name)));
  const inside = pages.fake.receipts.filter(({ at }) => at >= since! && at < until!).length;
  expect(inside).toBeGreaterThan(0);
  expect(inside).toBeLessThan(80);
  await expect.poll(rowCount).toBe(String(inside + 1));
  expect(await shown.count()).toBe(0);
  await page.goBack();
  await shown.click();
  await expect.poll(() => params(page).get("range")).toBe("24h");
  await expect.poll(rowCount).toBe("81");
});

it("is a table for those who do not point, whose times narrow as well", async () => {
  const page = await open();
  await strip(page).getByRole("button", { name: "Show as table" }).press("Enter");
  const table = strip(page).getByRole("region", { name: "Requests over time as a table" });
  const first = table.getByRole("row").nth(1);
  const count = Number(await first.getByRole("cell").first().textContent());
  expect(count).toBeGreaterThan(0);
  expect(await axeInBothThemes(page)).toEqual([]);
  await first.getByRole("button").press("Enter");
  await strip(page)
    .getByText(count === 1 ? "1 request" : `${count} requests`, { exact: true })
    .waitFor();
  await expect.poll(() => rows(page).count()).toBeGreaterThan(0);
  expect(params(page).get("since")).toMatch(/^\d+$/);
});

it("keeps the room of the charts while they are on their way, and the log without them", async () => {
  pages.fake.responses.set("GET /control/requests/activity", refusal(500, "The log cannot be read.", "internal_error"));
  const page = await pages.open("requests");
  await rows(page).first().waitFor();
  await strip(page).getByText("The log cannot be read.").waitFor();
  pages.fake.responses.delete("GET /control/requests/activity");
  await strip(page).getByRole("button", { name: "Try again" }).click();
  await strip(page).getByText("80 requests").waitFor();
  expect(await rows(page).count()).toBeGreaterThan(0);
});

it.each([1280, 360])("axe finds nothing at %i px, in both themes", async (width) => {
  const page = await open("requests", { width, height: 740 });
  expect(await findFaults(page)).toEqual([]);
});
