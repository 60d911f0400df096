import { beforeAll, expect, test } from "vitest";
import type { UsageCells, UsageSeries } from "../../../gateway/contract/usage.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { CHAT } from "../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../support/use-gateway.ts";

/** Usage over time, as the pages ask for it, on a real gateway with a provider. */
const provider = useProvider();

const postern = useGateway(() => ({ provider }));
beforeAll(async () => {
  for (const model of ["gpt-4.1", "gpt-4.1", "provider-model"]) {
    await (await postern.chat({ ...CHAT, model })).arrayBuffer();
  }
  await (await postern.post("/messages", { ...CHAT, max_tokens: 100 })).arrayBuffer();
});

const series = (query: string): Promise<UsageSeries> => postern.ask("GET", `/usage/series?${query}`);

test.each(["today", "24h", "7d", "30d"])("%s has every request, in buckets that add up", async (range) => {
  const { total, buckets, groups, latency, rebuilding } = await series(`range=${range}&by=endpoint`);
  expect(total).toMatchObject({ requests: 4, errors: 0, unpriced_requests: 1 });
  expect(buckets.reduce((sum, { totals }) => sum + totals.nano, 0)).toBe(total.nano);
  expect(groups.map(({ group, totals }) => [group, totals.requests])).toEqual([
    ["chat", 3],
    ["messages", 1],
  ]);
  expect(latency.p50).toBeGreaterThan(0);
  expect(rebuilding).toBeNull();
});

test("by days, and what it says is what the older operation says", async () => {
  const day = new Date().toISOString().slice(0, 10);
  const { bucket, total } = await series(`since=${day}&until=${day}`);
  const usage = await postern.ask<{ total: Totals; data: { group: string }[] }>("GET", "/usage?by=endpoint");
  expect(bucket).toBe("day");
  expect(total).toEqual(usage.total);
  expect(usage.data.map(({ group }) => group)).toEqual(["chat", "messages"]);
  const cells = await postern.ask<UsageCells>("GET", `/usage/cells?since=${day}&until=${day}&by=model`);
  expect(cells.data.map(({ group }) => group)).toEqual(["gpt-4.1", "provider-model"]);
});

test.each(["America/Los_Angeles", "Asia/Kolkata", "Pacific/Kiritimati", "Europe/Berlin"])(
  "days of %s begin at its midnights and hold every request",
  async (zone) => {
    for (const range of ["today", "7d", "30d"]) {
      const { total, bucket, buckets, to, rebuilding, utc_until } = await series(
        `range=${range}&zone=${zone}&by=endpoint`,
      );
      // Right after the zone's midnight the requests may be of yesterday.
      expect(total.requests).toBe(range === "today" ? buckets.reduce((sum, one) => sum + one.totals.requests, 0) : 4);
      expect([rebuilding, utc_until]).toEqual([null, null]);
      const hour = (at: number): string =>
        new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" }).format(at);
      const begins = zone === "Asia/Kolkata" ? "00:30" : "00:00";
      expect(hour(buckets[0]!.at)).toBe(begins);
      if (bucket === "day")
        expect(new Set([...buckets.map(({ at }) => hour(at)), hour(to)])).toEqual(new Set([begins]));
    }
  },
);

test("days from before the hours that are kept are days in UTC, and said to be", async () => {
  const old = await series("since=2024-01-01&until=2024-01-03&zone=Asia/Tokyo");
  expect(old.buckets.map(({ at }) => at)).toEqual([1, 2, 3].map((day) => Date.UTC(2024, 0, day)));
  expect(old.utc_until).toBe(Date.UTC(2024, 0, 4));
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Tokyo" }).format(Date.now());
  const first = new Date(Date.parse(today) - 60 * 86_400_000).toISOString().slice(0, 10);
  const both = await series(`since=${first}&until=${today}&zone=Asia/Tokyo`);
  expect(both.total.requests).toBe(4);
  expect(both.buckets.some(({ at }) => at === both.utc_until)).toBe(true);
});

test("the time before is as long, and ends where this one begins", async () => {
  for (const query of ["range=7d", "range=24h", "range=30d&zone=Asia/Tokyo", "since=2026-11-02&until=2026-11-04"]) {
    const [now, before] = [await series(query), await series(`${query}&when=before`)];
    expect(before.buckets).toHaveLength(now.buckets.length);
    expect(before.total.requests).toBe(0);
    if (!query.includes("zone")) expect(before.to).toBe(now.from);
  }
  const [today, yesterday] = [await series("range=today"), await series("range=today&when=before")];
  expect(yesterday.buckets).toHaveLength(today.buckets.length);
  expect(today.from - yesterday.from).toBe(86_400_000);
});

test.each(["today", "24h", "7d", "30d", "7d&zone=Asia/Tokyo", "30d&zone=America/Los_Angeles"])(
  "%s tells connections apart, in UTC too",
  async (range) => {
    const [{ id }] = (await postern.ask<{ data: [{ id: string }] }>("GET", "/connections")).data;
    const { groups, total, utc_until } = await series(`range=${range}&by=connection`);
    expect([groups.map(({ group, totals }) => [group, totals.requests]), utc_until]).toEqual([[[id, 4]], null]);
    expect(total.requests).toBe(4);
  },
);

test("of days that are older than the hours that are kept the connection is not known, and the sums are whole", async () => {
  const day = new Date().toISOString().slice(0, 10);
  const first = new Date(Date.parse(day) - 60 * 86_400_000).toISOString().slice(0, 10);
  const both = await series(`since=${first}&until=${day}&by=connection`);
  expect([both.total.requests, both.groups.length, both.utc_until]).toEqual([4, 1, null]);
  const old = await series("since=2024-01-01&until=2024-01-03&by=connection");
  expect([old.groups, old.rebuilding]).toEqual([[], null]);
});

test("other groups are one series", async () => {
  const { series: shown } = await series("range=30d&by=model&groups=1");
  expect(shown.map(({ group }) => group)).toEqual(["gpt-4.1", null]);
});

test.each([
  ["range=year", /range/],
  ["by=colour", /by/],
  ["groups=0", /groups/],
  ["since=2026-2-1", /YYYY-MM-DD/],
  ["since=2026-02-31", /YYYY-MM-DD/],
  ["since=2026-02-02&until=2026-02-01", /since is after until/],
  ["since=2020-01-01&until=2026-02-01", /at most 1100 days/],
  ["range=7d&since=2026-02-01", /not for both/],
  ["zone=Mars/Olympus", /time zone/],
  ["when=then", /when/],
])("%s is refused", async (query, reason) => {
  const response = await postern.control("GET", `/usage/series?${query}`);
  expect(response.status).toBe(400);
  expect(await response.text()).toMatch(reason);
});
