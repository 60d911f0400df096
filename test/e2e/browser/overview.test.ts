import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { UsageSeries } from "../../../gateway/contract/usage.ts";
import { axeFindings, listening, sidewaysScroll } from "./browser.ts";
import { usageResponse } from "./fake-usage.ts";
import { useFakePages } from "./page-suite.ts";
import { receiptOf } from "./receipts.ts";

/** The overview answers how it goes, what it costs and what is broken; each figure leads to what it counts. */
const pages = useFakePages((fake) => {
  fake.receipts = [
    receiptOf(0),
    receiptOf(1, { outcome: "failed", status: 429, code: "rate_limit_exceeded" }),
    receiptOf(2, { outcome: "failed", status: 429, code: "rate_limit_exceeded" }),
    receiptOf(3, { outcome: "unknown", status: 504, code: "provider_timeout" }),
    receiptOf(4, { outcome: "cancelled", status: 499, code: "client_closed" }),
  ];
});

const cell = (page: Page, term: string): Locator =>
  page.locator("dl > div").filter({ has: page.locator("dt", { hasText: new RegExp(`^${term}$`) }) });
const region = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
const hrefOf = (link: Locator): Promise<string | null> => link.getAttribute("href");

/** The figure of a cell as a number. */
const figureIn = async (page: Page, term: string): Promise<number> =>
  Number(((await cell(page, term).locator("a").first().textContent()) ?? "").replace(/[$,]/g, ""));

describe("a range", () => {
  it.each(["today", "7d", "30d"])("of %s: tiles, chart and lists are sums of one response", async (range) => {
    let reported: UsageSeries | undefined;
    pages.fake.serve = (_incoming, outgoing, address) => {
      if (address.pathname !== "/control/usage/series" || address.searchParams.get("by") !== "model") return false;
      reported = usageResponse(address) as UsageSeries;
      outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reported));
      return true;
    };
    const page = await pages.open(`overview?range=${range}`);
    const plot = region(page, "Spend by model");
    await plot.locator("canvas").waitFor();
    await plot.getByRole("button", { name: "Show Spend by model as a table" }).click();
    const totals = await plot.locator("tbody tr td:last-child").allTextContents();
    if (reported === undefined) throw new Error("Nothing was asked.");
    expect(totals).toHaveLength(reported.buckets.length);
    const drawn = totals.reduce((sum, text) => sum + Number(text.replace(/[$,]/g, "")), 0);
    expect(Math.abs(drawn - reported.total.nano / 1e9)).toBeLessThan(0.01 * totals.length);
    expect(Math.abs((await figureIn(page, "Spend")) - reported.total.nano / 1e9)).toBeLessThan(0.01);
    // The first bucket begins a day of anyone who looks, and the links of the page begin there.
    expect(new Date(reported.from).getHours()).toBe(0);
    expect(await hrefOf(cell(page, "Requests").locator("a").first())).toBe(`#/requests?since=${reported.from}`);
  });

  it("has its chart written in the language that is chosen while it is shown", async () => {
    const page = await pages.blank();
    await page.addInitScript(() => {
      window.drawn = [];
      const { prototype } = CanvasRenderingContext2D;
      const { fillText } = prototype;
      prototype.fillText = function (text: string, ...place) {
        window.drawn.push(text);
        fillText.call(this, text, ...(place as [number, number]));
      };
    });
    await page.goto(pages.fake.ui);
    await listening(page);
    await pages.go(page, "overview?range=30d");
    const drawn = (): Promise<string> => page.evaluate(() => window.drawn.join(" "));
    await expect.poll(drawn).toMatch(/[A-Z][a-z]{2}/);
    expect(await drawn()).not.toContain("月");
    await page.evaluate(() => {
      localStorage.setItem("postern.language", "zh");
      window.dispatchEvent(new StorageEvent("storage"));
    });
    await expect.poll(drawn).toContain("月");
  });

  it("is chosen by a press and lives in the address, as does what the chart shows", async () => {
    const page = await pages.open();
    await page.getByRole("button", { name: "30 days" }).click();
    await page.getByRole("button", { name: "Requests", exact: true }).click();
    await expect.poll(() => page.url()).toMatch(/#\/overview\?range=30d&show=requests$/);
    await region(page, "Requests by model").locator("canvas").waitFor();
    expect(await hrefOf(region(page, "Top apps").getByRole("link", { name: "All" }))).toBe(
      "#/usage?range=30d&by=client",
    );
    await page.getByRole("button", { name: "7 days" }).click();
    await expect.poll(() => page.url()).toMatch(/#\/overview\?show=requests$/);
  });
});

it("lists failures by code, with what was cancelled left out, and leads to their requests", async () => {
  const page = await pages.open();
  const failures = region(page, "Recent failures");
  await failures.getByText("provider_timeout").waitFor();
  expect(await failures.getByRole("listitem").count()).toBe(2);
  const first = failures.getByRole("link").first();
  expect(await first.textContent()).toMatch(/^429Too many requests: the rate limit is reached\..*2×$/);
  expect(await hrefOf(first)).toMatch(/^#\/requests\?q=rate_limit_exceeded&since=\d+$/);
  await pages.fake.followed();
  const receipt = receiptOf(9, { outcome: "failed", status: 503, code: "provider_unavailable", at: Date.now() });
  pages.fake.emit({ type: "request.settled", receipt });
  await failures.getByText("provider_unavailable").waitFor();
  pages.fake.emit({ type: "request.settled", receipt: { ...receipt, id: "said", message: "The engine is on fire." } });
  await failures.getByText("The engine is on fire.").waitFor();
});

it("leads from a model and an app to their requests", async () => {
  const page = await pages.open();
  const models = region(page, "Top models").getByRole("link", { name: /claude-sonnet-5-5/ });
  expect(await hrefOf(models)).toMatch(/^#\/requests\?model=claude-sonnet-5-5&since=\d+$/);
  await region(page, "Top apps")
    .getByRole("link", { name: /Claude Code/ })
    .click();
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
  expect(page.url()).toMatch(/#\/requests\?client=Claude(?:\+|%20)Code&since=\d+$/);
});

it("puts a provider that is in trouble first, and asks it again by a press", async () => {
  const [first, second, ...others] = pages.fake.connections;
  if (first === undefined || second === undefined) throw new Error("no connections");
  const down = second.credentials.map((each) => ({ ...each, state: "open" as const }));
  pages.fake.connections = [first, { ...second, credentials: down }, ...others];
  const page = await pages.open();
  const row = region(page, "Provider health").getByRole("listitem").first();
  await row.getByText(second.name).waitFor();
  await row.getByText("Down", { exact: true }).waitFor();
  pages.fake.responses.set(`POST /control/connections/${second.id}/test`, {
    status: 200,
    body: { ok: true, message: "", problem: null, said: null, ms: 20, models: 6 },
  });
  pages.fake.connections = [first, second, ...others];
  await row.getByRole("button", { name: "Try again" }).click();
  await region(page, "Provider health").getByText("Down", { exact: true }).waitFor({ state: "detached" });
  expect(pages.fake.seen).toContain(`POST /control/connections/${second.id}/test`);
});

it("offers a budget where none exists, and says when this pace goes beyond it", async () => {
  pages.fake.state = { ...pages.fake.state, monthly_budget_nano: 1_000_000_000 };
  const page = await pages.open();
  await cell(page, "Spend this month").getByText("$23.61 over").waitFor();
  expect(await cell(page, "Spend this month").getByRole("meter").getAttribute("aria-valuenow")).toBe("100");
  pages.fake.state = { ...pages.fake.state, monthly_budget_nano: null };
  pages.fake.emit({ type: "settings.changed" });
  const offer = cell(page, "Spend this month").getByRole("link", { name: "Set a budget" });
  await offer.waitFor();
  expect(await hrefOf(offer)).toBe("#/settings?section=budget");
});

it("says that figures did not come, and asks for them again", async () => {
  pages.fake.responses.set("GET /control/usage/series", {
    status: 500,
    body: { error: { message: "The disk does not answer.", type: "server_error", param: null, code: "internal" } },
  });
  const page = await pages.open();
  await page.getByText("The disk does not answer.").first().waitFor();
  pages.fake.responses.clear();
  pages.takeFaults();
  await page.getByRole("button", { name: "Try again" }).first().click();
  await region(page, "Spend by model").locator("canvas").waitFor();
  expect(await page.getByText("The disk does not answer.").count()).toBe(0);
});

it("holds in a narrow window, in the dark and in Chinese", async () => {
  const page = await pages.open("overview", { width: 360, theme: "dark" });
  await region(page, "Spend by model").locator("canvas").waitFor();
  expect(await sidewaysScroll(page)).toBe(0);
  expect(await axeFindings(page, "main")).toEqual([]);
  await page.evaluate(() => localStorage.setItem("postern.language", "zh"));
  const chinese = await pages.open("overview", { width: 360 });
  await region(chinese, "提供商状态").getByText("Voyage AI").waitFor();
  expect(await sidewaysScroll(chinese)).toBe(0);
});
