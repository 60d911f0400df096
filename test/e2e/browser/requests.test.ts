import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { axeFindings, axeInBothThemes, findFaults, type WatchOptions } from "./browser.ts";
import { refusal } from "./fake-control.ts";
import { useFakePages } from "./page-suite.ts";
import { receiptOf } from "./receipts.ts";

/** The Requests page over a log of 100,000 requests, and in every dress. */
const COUNT = 100_000;
const log: readonly Receipt[] = Array.from({ length: COUNT }, (_, index) => receiptOf(index));

const pages = useFakePages((fake) => {
  fake.receipts = [...log];
  // Pages by place, as the gateway's cursors do.
  fake.serve = (incoming, outgoing, address) => {
    if (incoming.method !== "GET" || address.pathname !== "/control/requests") return false;
    const from = Number(address.searchParams.get("before") ?? 0);
    const model = address.searchParams.get("model");
    const matching = model === null ? fake.receipts : fake.receipts.filter((receipt) => receipt.model === model);
    const to = from + Number(address.searchParams.get("limit") ?? 50);
    const cursor = to < matching.length ? String(to) : null;
    const body = { data: matching.slice(from, to), cursor, complete: true, rebuilding: null };
    outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    return true;
  };
});

async function openAt(hash: string, options: WatchOptions = {}): Promise<Page> {
  const page = await pages.open(hash, options);
  await page.getByRole("heading", { level: 1, name: "Requests", includeHidden: true }).waitFor();
  return page;
}

const rows = (page: Page) => page.getByRole("grid", { name: "Requests" }).locator("[data-row]");
const dialog = (page: Page) => page.getByRole("dialog");
const scrollTo = (page: Page, top: number) =>
  page.locator("main").evaluate((main, to) => main.scrollTo({ top: to }), top);

describe("a log of 100,000 requests", () => {
  it("is there at once and drawn in part, however far one scrolls", async () => {
    const page = await openAt("requests");
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBeLessThan(120);
    for (let round = 1; round <= 20; round += 1) {
      await scrollTo(page, 1e9);
      await page
        .locator(`[aria-rowindex="${round * 200 + 52}"]`)
        .and(page.locator("[data-row]"))
        .waitFor();
      expect(await rows(page).count()).toBeLessThan(120);
    }
    // What was forgotten on the way down is fetched again on the way up.
    await scrollTo(page, 1_000 * 32);
    await page.locator('[data-row][aria-rowindex="1010"]').waitFor();
    await scrollTo(page, 0);
    await page.locator('[data-row][aria-rowindex="2"]').waitFor();
  });

  it("takes new requests on top, and lets them wait while one reads further down", async () => {
    const page = await openAt("requests?model=gpt-5.4");
    await rows(page).first().waitFor();
    await pages.fake.followed();
    const fresh = (index: number, change: Partial<Receipt> = {}): void => {
      const receipt = receiptOf(0, { id: `req_new_${index}`, model: "gpt-5.4", client: `new-${index}`, ...change });
      pages.fake.receipts.unshift(receipt);
      pages.fake.emit({ type: "request.settled", receipt });
    };
    fresh(0, { model: "other", client: "not-shown" });
    fresh(1);
    await rows(page).first().getByText("new-1").waitFor();
    expect(await page.getByText("not-shown").count()).toBe(0);
    await scrollTo(page, 3_000);
    // The row at the top of what one sees, by its own number: rows around it come and go.
    const read = page.locator('[data-row][aria-rowindex="96"]');
    await read.waitFor();
    await expect.poll(() => rows(page).first().getAttribute("aria-rowindex")).not.toBe("2");
    const before = await read.textContent();
    fresh(2);
    await page.getByRole("button", { name: "Newer requests" }).waitFor();
    expect(await read.textContent()).toBe(before);
    await page.getByRole("button", { name: "Newer requests" }).click();
    await rows(page).first().getByText("new-2").waitFor();
  });
});

describe("what can go wrong", () => {
  it("is said with a way out: the log cannot be read, and a request that is gone", async () => {
    pages.fake.responses.set("GET /control/requests", refusal(500, "The log cannot be read.", "internal_error"));
    const page = await openAt("requests");
    await page.getByText("The log cannot be read.").first().waitFor();
    pages.fake.responses.delete("GET /control/requests");
    await page.getByRole("button", { name: "Try again" }).first().click();
    await rows(page).first().waitFor();
    await pages.go(page, "requests?id=req_gone");
    await dialog(page).getByText("There is no such request.").waitFor();
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  });

  it("is text and nothing else, whatever a model or a client says", async () => {
    const evil = `<img src=x onerror="document.title='owned'"> [link](javascript:alert(1))`;
    const receipt = receiptOf(0, { client: evil, endpoint: "chat", stream: true });
    pages.fake.receipts.unshift(receipt);
    const lack = { cut: true, redacted: true, omitted: 2 };
    const frame = `data: ${JSON.stringify({ choices: [{ delta: { content: evil } }] })}\n\n`;
    pages.fake.responses.set(`GET /control/requests/${receipt.id}`, {
      status: 200,
      body: {
        receipt,
        recording_on: true,
        resend_obstacle: "incomplete",
        media: [],
        task: null,
        recording: {
          id: receipt.id,
          at: receipt.at,
          path: "/v1/chat/completions",
          headers: {},
          request: { ...lack, bytes: 500_000, form: false, text: `{"messages":[{"role":"user","content":"cut of` },
          status: 200,
          response: {
            ...lack,
            type: "text/event-stream",
            bytes: 9_000,
            count: 700,
            chunks: Array.from({ length: 700 }, (_, index) => ({ ms: 120 + index * 7, bytes: 90, text: frame })),
          },
        },
      },
    });
    const page = await openAt(`requests?id=${receipt.id}&tab=response`);
    await dialog(page).getByRole("region", { name: "Response text" }).getByText(evil).waitFor();
    await dialog(page).getByText("It was longer than what is recorded").first().waitFor();
    await dialog(page).getByText("700 chunks as a table").click();
    expect(await dialog(page).locator("tbody tr").count()).toBeLessThan(120);
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
    await dialog(page).getByRole("tab", { name: "Overview" }).click();
    expect(await dialog(page).getByRole("button", { name: "Replay" }).isDisabled()).toBe(true);
    expect(await page.title()).toBe("Requests · Postern");
    expect(await page.locator("main img, [role=dialog] img").count()).toBe(0);
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  });
});

it.each([1280, 360])("axe finds nothing in the dialogs at %i px, in both themes", async (width) => {
  pages.fake.receipts = log.slice(0, 12);
  const page = await openAt("requests", { width, height: 740 });
  await rows(page).nth(2).click();
  await dialog(page).getByText("Nothing was recorded").waitFor();
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
  await pages.go(page, "requests?panel=recording");
  await dialog(page).getByText("Off: nothing is recorded").waitFor();
  expect(await findFaults(page, "[role=dialog]")).toEqual([]);
});
