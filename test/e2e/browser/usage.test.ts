import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hang } from "../../support/acts.ts";
import { MockProvider } from "../../support/mock-provider.ts";
import { copied } from "./browser.ts";
import { chat, startGateway } from "./gateway.ts";
import { useGatewayPages } from "./page-suite.ts";

/** The Usage page on a real Postern with a provider and the sandbox. */
const provider = new MockProvider();
const pages = useGatewayPages(async () => {
  await provider.listen();
  return startGateway({
    POSTERN_OPENAI_BASE_URL: provider.baseUrl,
    POSTERN_OPENAI_API_KEY: "sk-provider-key-0001",
    POSTERN_SANDBOX: "on",
  });
});
beforeAll(async () => {
  for (const model of ["gpt-4.1", "gpt-4.1", "gpt-4.1", "provider-model", "claude-sonnet-4-5"]) await ask(model);
});
afterAll(() => provider.close());

async function ask(model: string): Promise<void> {
  expect((await chat(pages.gateway.url, pages.gateway.apiKey, model)).status).toBe(200);
}

async function openUsage(address = "usage"): Promise<Page> {
  const page = await pages.open(address);
  await page.locator(".plot canvas").first().waitFor();
  return page;
}

const cell = (page: Page, term: string): Locator =>
  page.locator("dl > div").filter({ has: page.locator("dt", { hasText: new RegExp(`^${term}$`) }) });
const row = (page: Page, text: string): Locator => page.locator("[data-row]").filter({ hasText: text });
const plot = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

/** What a press brings as a file. */
async function downloaded(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

it.each(["30d", "today"])("sums what was used (%s), the sandbox apart and the unpriced reported", async (range) => {
  const page = await openUsage(`usage?range=${range}`);
  await cell(page, "Requests").getByText("4", { exact: true }).waitFor();
  await cell(page, "Spend").getByText("1 request unpriced").waitFor();
  const setPrices = cell(page, "Spend").getByRole("link", { name: "Set prices" });
  expect(await setPrices.getAttribute("href")).toBe("#/models?price=unpriced");
  await cell(page, "Sandbox").getByText("1 request, apart from spend").waitFor();
  await row(page, "gpt-4.1").getByText("3", { exact: true }).waitFor();
  await row(page, "claude-sonnet-4-5").locator(".striped").waitFor();
  // Requests that come in while it is looked at are counted as they settle.
  if (range !== "today") return;
  await ask("gpt-4.1");
  await cell(page, "Requests").getByText("5", { exact: true }).waitFor();
});

it("groups by endpoint, sorts by a heading, and opens the requests of a row; the address says it all", async () => {
  const page = await openUsage();
  await page.getByRole("button", { name: "Endpoint", exact: true }).click();
  await row(page, "Chat").waitFor();
  await page.getByRole("button", { name: "Requests", exact: true }).last().click();
  await expect.poll(() => page.url()).toMatch(/by=endpoint&sort=requests|sort=requests&by=endpoint/);
  await row(page, "Chat").click();
  await expect.poll(() => page.url()).toMatch(/#\/requests\?endpoint=chat&since=\d+&until=\d+$/);
});

// All of it was used today, so the plots show the hours.
it("moves the crosshair by keys and says the figures; the same stand in a table", async () => {
  const page = await openUsage("usage?compare=off");
  const spend = plot(page, "Spend by model");
  const slider = spend.getByRole("slider");
  await expect.poll(() => slider.getAttribute("aria-valuemax")).toBe("25");
  await slider.focus();
  const message = async (): Promise<string> => (await slider.getAttribute("aria-valuetext")) ?? "";
  expect(await message()).toMatch(/: Total \$0\.\d+, gpt-4\.1 \$0\.\d+$/);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(message).toMatch(/: Total \$0\.00$/);
  expect(await slider.getAttribute("aria-valuenow")).toBe("24");
  // The crosshair is where the value is, and the legend has its figures.
  expect(await spend.locator(".u-cursor-x").isVisible()).toBe(true);
  await page.keyboard.press("End");
  await expect.poll(message).toMatch(/gpt-4\.1/);
  await page.keyboard.press("Escape");
  await spend.getByText(/by the hour, UTC$/).waitFor();
  await spend.getByRole("button", { name: "Show Spend by model as a table" }).click();
  await expect.poll(() => spend.getByRole("row").count()).toBe(26);
  await spend.getByRole("columnheader", { name: "gpt-4.1" }).waitFor();
  await spend.getByRole("button", { name: "Show Spend by model as a plot" }).click();
  await slider.waitFor();
});

it("leads from every figure to its requests, copies a row, and offers the price that lacks", async () => {
  const page = await openUsage();
  const unpriced = row(page, "provider-model").getByRole("link", { name: /1 request unpriced/ });
  expect(await unpriced.getAttribute("href")).toBe("#/models?model=provider-model&price");
  const menu = row(page, "gpt-4.1").getByRole("button", { name: "Actions for gpt-4.1" });
  const text = await copied(page, async () => {
    await menu.click();
    await page.getByRole("menuitem", { name: "Copy as JSON" }).click();
  });
  expect(JSON.parse(text)).toMatchObject({ model: "gpt-4.1", totals: { unpriced_requests: 0 } });
  const hash = (await cell(page, "Requests").locator("dd a").first().getAttribute("href")) ?? "";
  expect(hash).toMatch(/^#\/requests\?since=\d+&until=\d+$/);
  await cell(page, "Sandbox").locator("dd a").first().click();
  await expect.poll(() => page.url()).toMatch(/#\/requests\?provider=sandbox&since=/);
  await expect.poll(() => page.locator("[data-row]").filter({ hasText: "claude-sonnet-4-5" }).count()).toBe(1);
});

it("exports every figure as CSV, a plot as CSV, PNG and TSV", async () => {
  const page = await openUsage("usage?by=key");
  const all = await downloaded(page, () => page.getByRole("button", { name: "Export CSV" }).click());
  expect(all.name).toBe("postern-usage-30d-by-key.csv");
  const [heads, line] = all.bytes.toString("utf8").replace("\uFEFF", "").split("\r\n");
  expect(heads).toMatch(
    /^day,time_utc,source,key,key_name,requests,.*spend_usd,unpriced_requests,unknown_requests,estimated_requests,estimated_usd,sandbox_requests,sandbox_usd$/,
  );
  expect(line).toMatch(
    /^\d{4}-\d\d-\d\d,.*T00:00:00\.000Z,postern,key_\w+,First key,\d+,0,.*0\.\d{9},1,0,0,0\.0{9},1,0\.\d{9}$/,
  );

  const tokens = plot(page, "Tokens");
  const choose = async (item: string): Promise<void> => {
    await tokens.getByRole("button", { name: "Export Tokens" }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const csv = await downloaded(page, () => choose("Download CSV"));
  expect(csv.bytes.toString("utf8").trim().split("\r\n")).toHaveLength(26);
  const png = await downloaded(page, () => choose("Download PNG"));
  expect(png.name).toMatch(/^postern-tokens-.*\.png$/);
  expect(png.bytes.subarray(1, 4).toString("latin1")).toBe("PNG");
  expect(png.bytes.length).toBeGreaterThan(2_000);
  const text = await copied(page, () => choose("Copy as TSV"));
  await page.getByText("Copied 25 rows").waitFor();
  expect(text.split("\n")[0]).toBe("Time\tUncached input\tCached input\tOutput\tTotal");
});

it("counts a call that its client stopped as cancelled, never as an error", async () => {
  const page = await openUsage("usage?range=today");
  const errors = cell(page, "Requests").getByText("No errors");
  await errors.waitFor();
  const [requestCount, leaving] = [provider.chats.length + 1, new AbortController()];
  provider.next(hang);
  const call = fetch(`${pages.gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${pages.gateway.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4.1", stream: true, messages: [{ role: "user", content: "Never said." }] }),
    signal: leaving.signal,
  });
  await provider.arrived(requestCount);
  leaving.abort();
  await expect(call).rejects.toThrow("abort");
  await cell(page, "Requests").getByText("1 cancelled").waitFor();
  expect(await errors.isVisible()).toBe(true);
  const overview = await pages.open("overview");
  await cell(overview, "Errors").getByText("1 cancelled").waitFor();
  await cell(overview, "Errors").getByText("No errors").waitFor();
});

it("shows on Keys that calls without a price went by, with the way to set it", async () => {
  const keys = await pages.open("keys");
  const first = row(keys, "First key");
  await first.getByText("1 unpriced").waitFor();
  await first.getByText("sandbox", { exact: true }).waitFor();
  await first.getByRole("link", { name: "1 unpriced" }).click();
  await expect.poll(() => keys.url()).toContain("#/models?price=unpriced");
});
