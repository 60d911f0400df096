import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { copied, findFaults, type WatchOptions } from "./browser.ts";
import { useFakePages } from "./page-suite.ts";
import { receiptOf } from "./receipts.ts";

/** The log by a figure, paused, searched and copied. */
const term = (quantity: number, nano: number) => ({ unit: "output" as const, quantity, nano_per_million: 1, nano });
const special: Readonly<Record<number, Partial<Receipt>>> = {
  1: { model: "sandboxed", client: "codex_cli_rs", sandbox: true, provider: "sandbox", nano: 26_300, estimated: true },
  4: { model: "dear", nano: 9_000_000_000, terms: [term(100, 9_000_000_000)] },
  6: { model: "slow", ms: 95_000, first_ms: 400 },
  8: { model: "fast", ms: 600, first_ms: 500, stream: true, terms: [term(4_500, 0)], nano: 0 },
  9: {
    model: "refused",
    status: 503,
    code: "no_upstream",
    outcome: "failed",
    terms: [],
    nano: 0,
    first_ms: null,
    ms: 4,
  },
};
const pages = useFakePages((fake) => {
  fake.receipts = Array.from({ length: 30 }, (_, index) => receiptOf(index, special[index] ?? {}));
});

const grid = (page: Page) => page.getByRole("grid", { name: "Requests" });
const rows = (page: Page) => grid(page).locator("[data-row]");
const heading = (page: Page, name: string) => grid(page).getByRole("columnheader", { name });
const hash = (page: Page) => new URL(page.url()).hash;

async function open(place = "requests", options?: WatchOptions): Promise<Page> {
  const page = await pages.open(place, options);
  await rows(page).nth(2).waitFor();
  return page;
}

function settle(receipt: Receipt): void {
  pages.fake.receipts.unshift(receipt);
  pages.fake.emit({ type: "request.settled", receipt });
}

describe("sorted by a figure", () => {
  it("is by a press on its heading: the highest, the lowest, by time again; the address says it", async () => {
    const page = await open();
    expect(await heading(page, "Time").getAttribute("aria-sort")).toBe("descending");
    await heading(page, "Cost").getByRole("button").click();
    await rows(page).first().getByText("dear").waitFor();
    expect(hash(page)).toBe("#/requests?sort=cost");
    expect(await heading(page, "Cost").getAttribute("aria-sort")).toBe("descending");
    await heading(page, "Cost").getByRole("button").click();
    await expect.poll(() => rows(page).first().textContent()).not.toContain("dear");
    expect(hash(page)).toBe("#/requests?sort=cost&order=asc");
    await heading(page, "Cost").getByRole("button").click();
    await expect.poll(() => hash(page)).toBe("#/requests");
    await expect.poll(() => rows(page).first().textContent()).toContain(receiptOf(0).model);
  });

  it.each([
    ["ms", "slow"],
    ["rate", "fast"],
  ])("finds the first by %s, and says where older recordings were not searched", async (by, model) => {
    const page = await open(`requests?sort=${by}`);
    await rows(page).first().getByText(model).waitFor();
    const body = { data: pages.fake.receipts.slice(0, 3), cursor: null, complete: false, rebuilding: null };
    pages.fake.responses.set("GET /control/requests", { status: 200, body });
    await page.getByRole("button", { name: /^Sort/ }).first().click();
    await page.getByRole("menuitemradio", { name: "Tokens", exact: true }).click();
    await page.getByText("Older recordings were not searched. Narrow the time to search them.").waitFor();
    expect(hash(page)).toBe("#/requests?sort=tokens");
  });

  it("answers which request of today was the most expensive, and why", async () => {
    const page = await open("requests?sort=cost");
    await page.getByRole("button", { name: "Time", exact: true }).first().click();
    await page.getByRole("menuitemradio", { name: "Today" }).click();
    await rows(page).first().click();
    const panel = page.getByRole("dialog", { name: "Request" });
    await panel.getByRole("heading", { name: "dear" }).waitFor();
    await panel.getByRole("tab", { name: "Cost" }).click();
    await panel.getByRole("row", { name: /Output tokens.*\$9\.00/ }).waitFor();
    expect(hash(page)).toMatch(/sort=cost&range=today&id=.*tab=cost/);
  });
});

describe("a pause", () => {
  it("holds every row still, counts what waits, and lets it in", async () => {
    const page = await open();
    await pages.fake.followed();
    await page.getByRole("button", { name: "Pause" }).click();
    const before = await rows(page).first().textContent();
    settle(receiptOf(0, { id: "req_a", client: "new-a" }));
    await page.getByText("1 waiting").waitFor();
    settle(receiptOf(0, { id: "req_b", client: "new-b" }));
    settle(receiptOf(0, { id: "req_c", client: "new-c" }));
    await page.getByText("3 waiting").waitFor();
    expect(await rows(page).first().textContent()).toBe(before);
    await page.getByRole("button", { name: "Resume" }).click();
    await rows(page).first().getByText("new-c").waitFor();
    expect(await page.getByText("waiting", { exact: false }).count()).toBe(0);
  });
});

it("marks what a search found, and says in the row why it failed", async () => {
  const page = await open();
  const row = rows(page).filter({ hasText: "refused" });
  await row.getByText("No provider of this model can be reached.").waitFor();
  await page.getByRole("searchbox").fill("NO_UP");
  await row.locator("mark").getByText("no_up").waitFor();
  expect(await row.locator("mark").count()).toBe(1);
});

it("copies a row as curl, JSON and TSV, from its menu and by a key", async () => {
  const page = await open();
  const row = rows(page).nth(4);
  const choose = async (name: string): Promise<string> => {
    await row.getByRole("button", { name: "Actions for dear" }).click();
    return copied(page, () => page.getByRole("menuitem", { name }).click());
  };
  expect(JSON.parse(await choose("Copy as JSON"))).toEqual(pages.fake.receipts[4]);
  const [names = "", cells = ""] = (await choose("Copy as TSV")).split("\n");
  expect(names.split("\t")).toContain("Tokens/s");
  expect(cells.split("\t")).toContain("dear");
  expect(await choose("Copy as curl")).toContain('"model":"dear"');
  await rows(page).nth(6).focus();
  expect(await copied(page, () => page.keyboard.press("c"))).toContain('"model":"slow"');
  // The second key of a sequence is not for the row.
  await page.keyboard.type("gc");
  await page.getByRole("heading", { level: 1, name: "Providers" }).waitFor();
});

it("cuts neither small costs nor the names of apps at 1,280 px", async () => {
  const page = await open();
  const row = rows(page).filter({ hasText: "sandboxed" });
  const cut = await row
    .getByRole("gridcell")
    .evaluateAll((cells) =>
      cells.flatMap((cell) => (cell.scrollWidth > cell.clientWidth ? [cell.textContent ?? ""] : [])),
    );
  expect(cut).toEqual([]);
  await row.getByText("$0.0000263").waitFor();
  await row.getByText("Codex").waitFor();
});

it.each([1280, 360])("axe finds nothing in a log that is sorted and paused, at %i px", async (width) => {
  const page = await open("requests?sort=cost&q=e", { width, height: 740 });
  await page.getByRole("button", { name: "Pause" }).click();
  expect(await findFaults(page)).toEqual([]);
});
