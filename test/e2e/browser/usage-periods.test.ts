import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { UsageSeries } from "../../../gateway/contract/usage.ts";
import { emptyTotals } from "../../../gateway/core/usage/usage-totals.ts";
import { axeInBothThemes, sidewaysScroll } from "./browser.ts";
import { usageResponse } from "./fake-usage.ts";
import { useFakePages } from "./page-suite.ts";

/** Times of the Usage page: next to the time before, in the user's zone or UTC, by the hour where there is one day. */
const pages = useFakePages();

const cell = (page: Page, term: string): Locator =>
  page.locator("dl > div").filter({ has: page.locator("dt", { hasText: new RegExp(`^${term}$`) }) });
const plot = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

function given(query: string): UsageSeries {
  return usageResponse(new URL(`${pages.fake.url}/control/usage/series?${query}`)) as UsageSeries;
}

/** The page in a time zone of its own. */
async function openIn(zone: string, address: string): Promise<Page> {
  const page = await pages.blank();
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTimezoneOverride", { timezoneId: zone });
  await page.goto(`${pages.url}/#token=fake-token`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await pages.go(page, address);
  await page.locator(".plot canvas").nth(2).waitFor();
  return page;
}

it("shows the change since the time before in tiles, rows and plots, until it is switched off", async () => {
  const page = await pages.open("usage?range=7d");
  const [now, before] = [given("range=7d"), given("range=7d&when=before")];
  const percent = Math.round((now.total.requests / before.total.requests - 1) * 100);
  const words = percent === 0 ? "= unchanged 0%" : `${percent > 0 ? "▲ up" : "▼ down"} ${Math.abs(percent)}%`;
  await expect
    .poll(async () => (await cell(page, "Requests").locator("dd > div").first().textContent()) ?? "")
    .toContain(words);
  await page.getByRole("columnheader", { name: "Change" }).waitFor();
  await plot(page, "Spend by model").getByText("Before", { exact: true }).waitFor();
  await expect
    .poll(() => plot(page, "Tokens").getByRole("slider").getAttribute("aria-valuetext"))
    .toMatch(/, Before [\d,]+$/);
  expect(await axeInBothThemes(page, "main")).toEqual([]);
  await page.getByRole("button", { name: "Compare" }).click();
  await expect.poll(() => page.url()).toContain("compare=off");
  await expect.poll(() => page.getByText("Before", { exact: true }).count()).toBe(0);
  await expect.poll(() => page.getByRole("columnheader", { name: "Change" }).count()).toBe(0);
});

it.each(["America/Los_Angeles", "Asia/Kolkata"])("counts in the user's zone (%s), in UTC on demand", async (zone) => {
  const page = await openIn(zone, "usage?range=7d");
  const day = (zoned: string, at: number): string =>
    new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: zoned }).format(at);
  const local = given(`range=7d&zone=${zone}`);
  const [first, last] = [local.buckets[0]!.at, local.buckets.at(-1)!.at];
  await plot(page, "Tokens")
    .getByText(`${day(zone, first)} to ${day(zone, last)}`, { exact: true })
    .waitFor();
  // Browsers call some zones by their former names.
  await page.getByText(/^All times are in (America\/Los_Angeles|Asia\/(Kolkata|Calcutta))\./).waitFor();
  expect(await page.getByText("so a day begins at 00:30 here").count()).toBe(zone === "Asia/Kolkata" ? 1 : 0);
  await page.getByRole("button", { name: "UTC", exact: true }).click();
  await expect.poll(() => page.url()).toContain("tz=utc");
  await page.getByText(/^All times are UTC/).waitFor();
  await plot(page, "Tokens")
    .getByText(/, UTC days$/)
    .waitFor();
});

it("says which days are days in UTC, because their hours are not kept", async () => {
  const today = new Date().toISOString().slice(0, 10);
  const first = new Date(Date.parse(today) - 60 * 86_400_000).toISOString().slice(0, 10);
  const page = await openIn("Asia/Tokyo", `usage?from=${first}&to=${today}`);
  const { utc_until: until } = given(`since=${first}&until=${today}&zone=Asia/Tokyo`);
  const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" }).format(until!);
  await expect.poll(() => page.getByText(`Days before ${day} are UTC days: their hours are not kept.`).count()).toBe(1);
});

/** A week in which only today was used, by calls without a price. */
function onlyToday(): UsageSeries {
  const usual = given("range=7d");
  const used = { ...emptyTotals(), requests: 3, unpriced_requests: 3, input_tokens: 900, output_tokens: 90 };
  const last = usual.buckets.length - 1;
  return {
    ...usual,
    total: used,
    buckets: usual.buckets.map((one, at) => ({ ...one, totals: at === last ? used : emptyTotals() })),
    groups: [{ group: "qwen3:8b", totals: used, latency: usual.latency }],
    series: [
      {
        group: "qwen3:8b",
        nano: usual.buckets.map(() => 0),
        requests: usual.buckets.map((_, at) => (at === last ? 3 : 0)),
      },
    ],
  };
}

it("shows the hours where only today has data, and requests where nothing has a price", async () => {
  const [week, hours] = [onlyToday(), given("range=24h")];
  pages.fake.serve = (_incoming, outgoing, address) => {
    if (address.pathname !== "/control/usage/series") return false;
    const body = address.searchParams.get("range") === "24h" ? { ...hours, total: week.total } : week;
    outgoing.setHeader("content-type", "application/json").end(JSON.stringify(body));
    return true;
  };
  const page = await pages.open("usage?range=7d");
  await expect.poll(() => plot(page, "Requests by model").getByRole("slider").getAttribute("aria-valuemax")).toBe("25");
  await page.getByRole("button", { name: "Spend", exact: true }).first().click();
  await expect.poll(() => page.url()).toContain("show=spend");
  await plot(page, "Spend by model").waitFor();
});

it.each([390, 800, 1280])("leaves no cell of the strip empty at %i px", async (width) => {
  pages.fake.state = { ...pages.fake.state, monthly_budget_nano: null };
  const page = await pages.open("usage", { width, height: 800 });
  await page.locator(".plot canvas").first().waitFor();
  const free = await page.locator("main dl").evaluate((strip) => {
    const lines = Map.groupBy([...strip.children], (one) => one.getBoundingClientRect().top);
    const wide = strip.getBoundingClientRect().right;
    return [...lines.values()].map((cells) => Math.round(wide - cells.at(-1)!.getBoundingClientRect().right));
  });
  expect(Math.max(...free)).toBeLessThanOrEqual(1);
  expect(await sidewaysScroll(page)).toBe(0);
});

it("keeps the table within its panel", async () => {
  const page = await pages.open("usage");
  const rows = page.locator("[data-row]");
  await rows.first().waitFor();
  await page.getByRole("columnheader", { name: "Change" }).waitFor();
  for (const width of [360, 500, 640, 760, 900, 1000, 1100, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const out = (): Promise<number> =>
      rows.first().evaluate((row) => {
        const panel = row.closest("section")!.getBoundingClientRect();
        return Math.round(row.lastElementChild!.getBoundingClientRect().right - panel.right);
      });
    await expect.poll(out, { message: `${width} px` }).toBeLessThanOrEqual(0);
  }
});
