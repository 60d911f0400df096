import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RunningRequest } from "../../../gateway/contract/requests.ts";
import { axeInBothThemes, quiet, type WatchOptions } from "./browser.ts";
import { useFakePages } from "./page-suite.ts";
import { receiptOf } from "./receipts.ts";

/** The log of requests while requests come in, run and end: what moves, and what must not. */
const MANY = 3_000;
const SOME = 60;

const pages = useFakePages((fake) => {
  // Pages by the id of their last receipt, as the gateway's cursors do.
  fake.serve = (incoming, outgoing, address) => {
    if (incoming.method !== "GET" || address.pathname !== "/control/requests") return false;
    const before = address.searchParams.get("before");
    const from = before === null ? 0 : fake.receipts.findIndex(({ id }) => id === before) + 1;
    const data = fake.receipts.slice(from, from + Number(address.searchParams.get("limit") ?? 50));
    const cursor = from + data.length < fake.receipts.length ? (data.at(-1)?.id ?? null) : null;
    outgoing
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ data, cursor, complete: true, rebuilding: null }));
    return true;
  };
});

let running: RunningRequest[];
beforeEach(() => {
  running = [];
});

const runningOf = (index: number, change: Partial<RunningRequest> = {}): RunningRequest => ({
  id: `req_running_${index}`,
  at: Date.now() - 4_000 - index,
  key: "key_1",
  endpoint: "chat",
  model: "gpt-5.4",
  provider: "openai",
  connection: "con_1",
  client: `running-${index}`,
  stream: true,
  sandbox: false,
  state: "waiting",
  characters: null,
  ...change,
});

/** What runs from now on, newest first, and the event that reports it. */
function nowRunning(requests: readonly RunningRequest[]): void {
  running = [...requests];
  pages.fake.responses.set("GET /control/running-requests", {
    status: 200,
    body: { data: running, total: running.length },
  });
  pages.fake.emit({ type: "traffic.changed", in_flight: running.length });
}

function settle(receipt: Receipt): void {
  pages.fake.receipts.unshift(receipt);
  pages.fake.emit({ type: "request.settled", receipt });
}

async function openLog(count: number, options?: WatchOptions): Promise<Page> {
  pages.fake.receipts = Array.from({ length: count }, (_, index) => receiptOf(index));
  const page = await pages.open("requests", options);
  await rows(page).first().waitFor();
  await pages.fake.followed();
  await quiet(page);
  return page;
}

const grid = (page: Page) => page.getByRole("grid", { name: "Requests" });
const rows = (page: Page) => grid(page).locator("[data-row]");
const scrollTo = (page: Page, top: number) =>
  page.locator("main").evaluate((main, to) => main.scrollTo({ top: to }), top);
/** Rows that are touched from now on, by their client. */
const watch = (page: Page) =>
  grid(page).evaluate((table) => {
    const touched = new Set<string>();
    window.touched = touched;
    const nameOf = (row: Node): string | undefined =>
      (row as HTMLElement).dataset?.["seen"] ?? /new-\d|running-\d/.exec(row.textContent ?? "")?.[0];
    new MutationObserver((records) => {
      for (const { target, type, addedNodes, removedNodes } of records) {
        const own = (target instanceof Element ? target : target.parentElement)?.closest("[data-row]");
        const changed = own ? [own] : [...addedNodes, ...removedNodes];
        for (const row of changed) touched.add(nameOf(row) ?? type);
      }
    }).observe(table, { subtree: true, childList: true, characterData: true });
  });
const touched = (page: Page) => page.evaluate(() => [...window.touched]);

describe("a request that runs", () => {
  it("stands on top, says how far it is, and becomes its receipt where it stands", async () => {
    const page = await openLog(MANY);
    nowRunning([runningOf(1)]);
    const row = rows(page).first();
    await row.getByText("running-1").waitFor();
    await row.getByText("Waiting", { exact: true }).waitFor();
    await row.getByText(/^0:\d\d$/).waitFor();
    expect(await grid(page).getAttribute("aria-rowcount")).toBe("253");
    nowRunning([runningOf(1, { state: "answering", characters: 1_204 })]);
    await row.getByText("Receiving", { exact: true }).waitFor();
    expect(await row.getByText("Receiving", { exact: true }).getAttribute("title")).toBe("1,204 characters so far");
    expect(await axeInBothThemes(page)).toEqual([]);

    const second = await rows(page).nth(1).boundingBox();
    await rows(page)
      .first()
      .evaluate((element) => element.setAttribute("data-seen", "the same element"));
    settle(receiptOf(0, { id: "req_running_1", client: "running-1", at: Date.now() }));
    await row.getByText("200", { exact: true }).waitFor();
    expect(await row.getAttribute("data-seen")).toBe("the same element");
    expect(await rows(page).nth(1).boundingBox()).toEqual(second);
    expect(await rows(page).getByText("running-1").count()).toBe(1);
    expect(await grid(page).getAttribute("aria-rowcount")).toBe("253");
    // What was asked before it ended says that it runs: that is late, and changes nothing.
    pages.fake.emit({ type: "traffic.changed", in_flight: 1 });
    const requestCount = () => pages.fake.seen.filter((route) => route === "GET /control/running-requests").length;
    await expect.poll(requestCount).toBeGreaterThan(3);
    expect(await rows(page).getByText("running-1").count()).toBe(1);
  });

  it("opens as what is known of it, and turns into the receipt under one's eyes", async () => {
    const page = await openLog(SOME);
    nowRunning([runningOf(1)]);
    await rows(page).first().getByText("running-1").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Waiting for the first token").waitFor();
    await dialog.getByText("Its receipt appears here once it ends.").waitFor();
    settle(receiptOf(0, { id: "req_running_1", client: "running-1", at: Date.now() }));
    nowRunning([]);
    await dialog.getByRole("tab", { name: "Cost" }).waitFor();
    expect(await dialog.getByText("Waiting for the first token").count()).toBe(0);
  });

  it("is not shown while no one can say whether it still runs", async () => {
    const page = await openLog(SOME);
    nowRunning([runningOf(1)]);
    await rows(page).first().getByText("running-1").waitFor();
    pages.fake.silence(true);
    await page.getByText("running-1").waitFor({ state: "detached" });
    expect(await rows(page).count()).toBeGreaterThan(20);
    pages.takeFaults();
  });

  it("is all that an empty log shows", async () => {
    pages.fake.receipts = [];
    const page = await pages.open("requests");
    await page.getByText("No request yet").waitFor();
    await pages.fake.followed();
    nowRunning([runningOf(1)]);
    await rows(page).first().getByText("running-1").waitFor();
    expect(await rows(page).count()).toBe(1);
  });
});

describe("one live tick", () => {
  it("draws the row that came, and no other", async () => {
    const page = await openLog(SOME, { still: true });
    await watch(page);
    settle(receiptOf(0, { id: "req_new_1", client: "new-1", at: Date.now() }));
    await rows(page).first().getByText("new-1").waitFor();
    expect(await touched(page)).toEqual(["new-1"]);
  });

  it("draws the row that changed, and no other", async () => {
    const page = await openLog(MANY, { still: true });
    nowRunning([runningOf(2), runningOf(1)]);
    await rows(page).nth(1).getByText("running-1").waitFor();
    await rows(page).evaluateAll((all) =>
      all.slice(2).forEach((element) => element.setAttribute("data-seen", "another row")),
    );
    await watch(page);
    nowRunning([runningOf(2), { ...runningOf(1), state: "answering", characters: 5 }]);
    await rows(page).nth(1).getByText("Receiving", { exact: true }).waitFor();
    // Both count their seconds; what is over stands still.
    expect((await touched(page)).filter((row) => row !== "running-1" && row !== "running-2")).toEqual([]);
  });
});

describe("what one reads", () => {
  it.each([SOME, MANY])("stays where it is while requests run and end above, of %i", async (count) => {
    const page = await openLog(count);
    const length = Number(await grid(page).getAttribute("aria-rowcount"));
    await scrollTo(page, 900);
    const readAt = () => page.locator("[data-seen=read]").evaluate((row) => row.getBoundingClientRect().top);
    await rows(page)
      .nth(35)
      .evaluate((row) => row.setAttribute("data-seen", "read"));
    const before = await readAt();
    nowRunning([runningOf(3), runningOf(2), runningOf(1)]);
    await expect.poll(() => grid(page).getAttribute("aria-rowcount")).toBe(String(length + 3));
    expect(await readAt()).toBe(before);
    settle(receiptOf(0, { id: "req_running_1", client: "running-1", at: Date.now() }));
    await page.getByRole("button", { name: "Newer requests" }).waitFor();
    expect(await readAt()).toBe(before);
    nowRunning([]);
    await expect.poll(() => grid(page).getAttribute("aria-rowcount")).toBe(String(length));
    expect(await readAt()).toBe(before);
  });
});

describe("the keyboard", () => {
  it("opens what End goes to, however soon Enter follows", async () => {
    const page = await openLog(MANY);
    await rows(page).first().focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    expect(page.url()).toContain(`id=${receiptOf(250).id}`);
  });

  it("goes on from a row that dropped out of the newest on the overview", async () => {
    pages.fake.receipts = Array.from({ length: 50 }, (_, index) => receiptOf(index, { client: `old-${index}` }));
    const page = await pages.open("overview");
    const recent = page.getByRole("grid", { name: "Recent requests" });
    await recent.locator("[data-row]").first().focus();
    await page.keyboard.press("End");
    await recent.locator("[data-row]:focus").getByText("old-49").waitFor();
    await pages.fake.followed();
    settle(receiptOf(0, { id: "req_new_1", client: "new-1", at: Date.now() }));
    await recent.getByText("new-1").waitFor();
    await recent.locator("[data-row]:focus").getByText("old-48").waitFor();
    await page.keyboard.press("k");
    await expect.poll(() => recent.locator("[data-row]:focus").textContent()).toContain("old-47");
  });
});
