import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { axeInBothThemes, closeByEscape, focused, sidewaysScroll, type WatchOptions } from "./browser.ts";
import { useFakePages } from "./page-suite.ts";
import { receiptOf } from "./receipts.ts";

/** A request next to the list: how one gets there, goes on from it and comes back. */
const pages = useFakePages((fake) => {
  fake.receipts = Array.from({ length: 40 }, (_, index) => receiptOf(index, special[index] ?? {}));
});

const special: Readonly<Record<number, Partial<Receipt>>> = {
  3: {
    model: "refused",
    status: 402,
    code: "insufficient_quota",
    outcome: "failed",
    terms: [],
    nano: 0,
    first_ms: null,
  },
};

const rows = (page: Page) => page.getByRole("grid", { name: "Requests" }).locator("[data-row]");
const panel = (page: Page) => page.getByRole("dialog", { name: "Request" });
const heading = (page: Page) => panel(page).getByRole("heading", { level: 2 });
const idOf = (page: Page) => new URLSearchParams(new URL(page.url()).hash.split("?")[1]).get("id");
const requestCount = (index: number) =>
  pages.fake.seen.filter((route) => route === `GET /control/requests/${receiptOf(index).id}`).length;

async function open(place = "requests", options?: WatchOptions): Promise<Page> {
  const page = await pages.open(place, options);
  await rows(page).nth(5).waitFor();
  return page;
}

describe("next to the list", () => {
  it("opens from a row, leaves the list its keys, follows them, and gives the row back", async () => {
    const page = await open();
    await rows(page).nth(1).click();
    await heading(page).getByText(receiptOf(1).model).waitFor();
    expect(await rows(page).nth(1).getAttribute("aria-selected")).toBe("true");
    // The list goes on: it is neither covered nor cut.
    const [list, side] = [await rows(page).first().boundingBox(), await panel(page).boundingBox()];
    expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThan(side?.x ?? 0);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => idOf(page)).toBe(receiptOf(2).id);
    await page.keyboard.press("j");
    await expect.poll(() => idOf(page)).toBe(receiptOf(3).id);
    await heading(page).getByText("refused").waitFor();
    await page.keyboard.press("k");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => idOf(page)).toBe(receiptOf(1).id);
    await focused(rows(page).nth(1));
    expect(await rows(page).and(page.locator("[aria-selected=true]")).count()).toBe(1);
    await closeByEscape(panel(page));
    await focused(rows(page).nth(1));
    expect(idOf(page)).toBe(null);
  });

  it("moves through the rows from within, keeps its tab, and scrolls the list along", async () => {
    const page = await open();
    await rows(page).first().click();
    await panel(page).getByRole("tab", { name: "Cost" }).click();
    await panel(page).getByText("Input tokens").waitFor();
    for (let index = 1; index <= 35; index += 1) {
      await page.keyboard.press("j");
      await expect.poll(() => idOf(page)).toBe(receiptOf(index).id);
    }
    expect(new URL(page.url()).hash).toContain("tab=cost");
    await panel(page).getByRole("tab", { name: "Cost", selected: true }).waitFor();
    const row = page.locator("[data-row][aria-selected=true]");
    const [top, bottom] = await row.evaluate((element) => {
      const { top: above, bottom: below } = element.getBoundingClientRect();
      return [above, below];
    });
    expect(top).toBeGreaterThan(0);
    expect(bottom).toBeLessThanOrEqual(800);
    await panel(page).getByRole("button", { name: "Previous request" }).click();
    await expect.poll(() => idOf(page)).toBe(receiptOf(34).id);
    await panel(page).getByRole("button", { name: "Close" }).click();
    await focused(rows(page).nth(34));
  });

  it("asks for what it shows, once, and not for what one passes", async () => {
    const page = await open();
    await rows(page).first().click();
    await expect.poll(() => requestCount(0)).toBe(1);
    // Faster than anything is fetched: what a key does is done before the next one.
    await page.evaluate(async () => {
      for (let times = 0; times < 8; times += 1) {
        const key = new KeyboardEvent("keydown", { key: "j", bubbles: true, cancelable: true });
        document.activeElement?.dispatchEvent(key);
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      }
    });
    await expect.poll(() => requestCount(8)).toBe(1);
    expect([1, 2, 3, 4, 5, 6, 7].map(requestCount)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    await page.keyboard.press("Home");
    await expect.poll(() => idOf(page)).toBe(receiptOf(0).id);
    await panel(page).getByText("Nothing was recorded").waitFor();
    expect(requestCount(0)).toBe(1);
  });

  it("is opened by an address, also where the row is further down, and closed from anywhere", async () => {
    const page = await open(`requests?id=${receiptOf(30).id}`);
    await heading(page).getByText(receiptOf(30).model).waitFor();
    await expect.poll(() => rows(page).nth(30).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("j");
    await expect.poll(() => idOf(page)).toBe(receiptOf(31).id);
    await page.keyboard.press("Escape");
    await focused(rows(page).nth(31));
  });

  it("says first why a request failed, and what to do", async () => {
    const page = await open(`requests?id=${receiptOf(3).id}`);
    const error = panel(page).getByRole("region", { name: "Error" });
    await error.getByText("The key's limit or a budget does not cover this request.").waitFor();
    await error.getByText("insufficient_quota").waitFor();
    await error.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/keys");
  });
});

it.each([1280, 360])("axe finds nothing in any tab at %i px, in both themes", async (width) => {
  const page = await open("requests", { width, height: 740 });
  await rows(page).nth(3).click();
  for (const name of ["Overview", "Request", "Response", "Timing", "Cost"]) {
    await panel(page).getByRole("tab", { name }).click();
    await panel(page).getByRole("tab", { name, selected: true }).waitFor();
    expect.soft(await axeInBothThemes(page, "[role=dialog]"), name).toEqual([]);
  }
  expect(await sidewaysScroll(page)).toBe(0);
});

it("says where the time went, and leads from what has no price to where it is set", async () => {
  const stages = { wait_ms: 40, connect_ms: 0, first_ms: 300, ms: 1_300, attempts: 2, stream: true };
  pages.fake.receipts[0] = receiptOf(0, { ...stages, nano: null, price: null, model: "unpriced-one" });
  const page = await open(`requests?id=${receiptOf(0).id}&tab=timing`);
  const row = (name: RegExp) => panel(page).getByRole("row", { name });
  await row(/^Queue.*40 ms/).waitFor();
  await row(/^Connect.*reused/).waitFor();
  await row(/^First token.*260 ms/).waitFor();
  await row(/^Stream.*1\.0 s/).waitFor();
  await panel(page).getByText("18 output tokens").waitFor();
  expect(await panel(page).getByRole("definition").last().textContent()).toBe("2");
  await panel(page).getByRole("tab", { name: "Cost" }).click();
  const price = panel(page).getByRole("link", { name: "Set price" });
  expect(await price.getAttribute("href")).toBe("#/models?model=unpriced-one&price=set");
});

it("covers a narrow window, where it moves on as well and comes back to the row", async () => {
  const page = await open("requests", { width: 360, height: 740 });
  await rows(page).nth(1).click();
  expect((await panel(page).boundingBox())?.width).toBe(360);
  await panel(page).getByRole("button", { name: "Next request" }).click();
  await expect.poll(() => idOf(page)).toBe(receiptOf(2).id);
  await page.keyboard.press("j");
  await heading(page).getByText("refused").waitFor();
  await closeByEscape(panel(page));
  await focused(rows(page).nth(3));
});
