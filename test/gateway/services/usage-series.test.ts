import { afterAll, beforeAll, expect, test } from "vitest";
import type { UsageCells, UsageSeries } from "../../../gateway/contract/usage.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { startProvider, type MockProvider } from "../../support/mock-provider.ts";
import { CHAT, startGateway, type TestGateway } from "../../support/running-gateway.ts";

/** Usage over time, as the pages ask for it, on a real gateway with a provider. */
let provider: MockProvider;
let postern: TestGateway;

beforeAll(async () => {
  provider = await startProvider();
  postern = await startGateway({ provider });
  for (const model of ["gpt-4.1", "gpt-4.1", "provider-model"]) {
    await (await postern.chat({ ...CHAT, model })).arrayBuffer();
  }
  await (await postern.post("/messages", { ...CHAT, max_tokens: 100 })).arrayBuffer();
});
afterAll(async () => {
  await postern.close();
  await provider.close();
});

const series = (query: string): Promise<UsageSeries> => postern.ask("GET", `/usage/series?${query}`);

test.each(["today", "24h", "7d", "30d"])("%s has every request, in buckets that add up", async (range) => {
  const { total, buckets, groups, latency, whole_from } = await series(`range=${range}&by=endpoint`);
  expect(total).toMatchObject({ requests: 4, errors: 0, unpriced_requests: 1 });
  expect(buckets.reduce((sum, { totals }) => sum + totals.nano, 0)).toBe(total.nano);
  expect(groups.map(({ group, totals }) => [group, totals.requests])).toEqual([
    ["chat", 3],
    ["messages", 1],
  ]);
  expect(latency.p50).toBeGreaterThan(0);
  expect(whole_from).toBeNull();
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
])("%s is refused", async (query, reason) => {
  const response = await postern.control("GET", `/usage/series?${query}`);
  expect(response.status).toBe(400);
  expect(await response.text()).toMatch(reason);
});
