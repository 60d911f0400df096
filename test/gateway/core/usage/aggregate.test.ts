import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Receipt, ReceiptTerm } from "../../../../gateway/contract/receipt.ts";
import { spentInPeriod } from "../../../../gateway/core/keys/key-state.ts";
import { APP_SPEND, OTHER_CLIENTS, countReceipt, dailyId } from "../../../../gateway/core/usage/aggregate.ts";
import { DailyRows, type DailyRow } from "../../../../gateway/core/usage/daily-rows.ts";
import type { Aggregates, SpendRow } from "../../../../gateway/core/usage/aggregate.ts";
import { receipt as storedReceipt } from "../../store/fixtures.ts";

const NOON = Date.UTC(2026, 10, 30, 12);
const DAY_MS = 86_400_000;

const receipt = (changes: Partial<Receipt> = {}): Receipt =>
  storedReceipt("r1", { at: NOON, ms: 1, first_ms: null, terms: [], price: null, ...changes });
const term = (unit: ReceiptTerm["unit"], quantity: number): ReceiptTerm => ({
  unit,
  quantity,
  nano_per_million: 0,
  nano: 0,
});

const emptyRows = (): Aggregates => ({ spend: new Map(), daily: new DailyRows() });

function copyOf({ spend, daily }: Aggregates): Aggregates {
  const copy = new DailyRows();
  for (const [id, row] of daily) copy.set(id, structuredClone(row));
  return { spend: structuredClone(spend), daily: copy };
}

function countAll(rows: Aggregates, receipts: readonly Receipt[]): Aggregates {
  for (const [index, one] of receipts.entries()) countReceipt(rows, one, index + 1);
  return rows;
}

test("a receipt counts for its key, for the app and for its day", () => {
  const rows = countAll(emptyRows(), [receipt(), receipt({ key: "k2", nano: 5 })]);
  expect(rows.spend.get("k1")).toEqual({
    id: "k1",
    n: 1,
    total_nano: 10,
    days: [{ period: "2026-11-30", nano: 10 }],
    months: [{ period: "2026-11", nano: 10 }],
    last_used_at: NOON,
  });
  expect(rows.spend.get(APP_SPEND)?.total_nano).toBe(15);
  expect(rows.daily.get(dailyId("2026-11-30", "k2", "gpt-5", "curl", "chat"))).toMatchObject({
    requests: 1,
    nano: 5,
    errors: 0,
  });
});

test("days and months start again from zero, totals do not", () => {
  const rows = countAll(emptyRows(), [receipt(), receipt({ at: NOON + DAY_MS, nano: 3 })]);
  expect(rows.spend.get("k1")).toMatchObject({
    total_nano: 13,
    days: [
      { period: "2026-11-30", nano: 10 },
      { period: "2026-12-01", nano: 3 },
    ],
    months: [
      { period: "2026-11", nano: 10 },
      { period: "2026-12", nano: 3 },
    ],
    last_used_at: NOON + DAY_MS,
  });
});

test.each([40, -40])("a clock that was wrong by %i years costs only what was used under the wrong date", (years) => {
  const wrong = Date.UTC(2026 + years, 3, 5);
  const rows = countAll(emptyRows(), [receipt(), receipt({ at: wrong, nano: 700 }), receipt({ nano: 5 })]);
  for (const row of [rows.spend.get("k1"), rows.spend.get(APP_SPEND)]) {
    expect(spentInPeriod(row, "daily", NOON)).toBe(15);
    expect(spentInPeriod(row, "monthly", NOON)).toBe(15);
    expect(spentInPeriod(row, "daily", wrong)).toBe(700);
    expect(spentInPeriod(row, "never", NOON)).toBe(715);
    expect(row?.last_used_at).toBe(NOON);
  }
});

const fewDays = fc.array(fc.record({ day: fc.nat(7), nano: fc.nat(1_000) }), { maxLength: 60 });

test("however the clock is set to and fro, a day has spent what was used under its date", () => {
  fc.assert(
    fc.property(fewDays, (uses) => {
      const moments = uses.map(({ day, nano }) => receipt({ at: Date.UTC(2026 + day * 9, 5, 1 + day), nano }));
      const rows = countAll(emptyRows(), moments);
      for (const { at } of moments) {
        const used = moments.reduce((sum, one) => sum + (one.at === at ? (one.nano ?? 0) : 0), 0);
        expect(spentInPeriod(rows.spend.get("k1"), "daily", at)).toBe(used);
      }
    }),
  );
});

test("a row holds no more days and months than a few", () => {
  const year = Array.from({ length: 366 }, (_, day) => receipt({ at: NOON + day * DAY_MS }));
  const { days, months } = countAll(emptyRows(), year).spend.get("k1") as SpendRow;
  expect([days.length, months.length]).toEqual([8, 4]);
  expect(spentInPeriod({ total_nano: 0, days, months }, "daily", NOON + 365 * DAY_MS)).toBe(10);
});

test("sandbox calls count against their key and in their own sums only", () => {
  const rows = countAll(emptyRows(), [receipt({ sandbox: true, status: 500, code: "upstream_error" })]);
  expect(rows.spend.get("k1")?.total_nano).toBe(10);
  expect(rows.spend.has(APP_SPEND)).toBe(false);
  const [row] = rows.daily.values();
  expect(row).toMatchObject({ sandbox_requests: 1, sandbox_nano: 10, requests: 0, errors: 0, nano: 0 });
});

test("an unpriced call is counted as such and costs nothing", () => {
  const [row] = countAll(emptyRows(), [receipt({ nano: null })]).daily.values();
  expect(row).toMatchObject({ unpriced_requests: 1, nano: 0, requests: 1 });
});

test.each([
  [{ outcome: "failed" as const, status: 502, code: "upstream_error" }, 1],
  [{ outcome: "interrupted" as const, status: 200, code: "upstream_error" }, 1],
  [{ outcome: "interrupted" as const, status: 200, code: null }, 0],
  [{ outcome: "completed" as const, status: 200, code: null }, 0],
])("%o makes %i errors", (changes, errors) => {
  const [row] = countAll(emptyRows(), [receipt(changes)]).daily.values();
  expect(row).toMatchObject({ errors, cancelled_requests: 0 });
});

test.each([
  { outcome: "cancelled" as const, status: 499, code: "client_closed" },
  { outcome: "cancelled" as const, status: 202, code: "cancelled" },
  // As earlier versions wrote them.
  { outcome: "interrupted" as const, status: 200, code: "client_closed" },
  { outcome: "failed" as const, status: 499, code: "client_closed" },
])("%o was cancelled, and is no error", (changes) => {
  const [row] = countAll(emptyRows(), [receipt(changes)]).daily.values();
  expect(row).toMatchObject({ requests: 1, errors: 0, cancelled_requests: 1 });
});

test("token classes are summed with the parts named", () => {
  const terms = [
    term("input", 1),
    term("cached_input", 2),
    term("cache_write", 4),
    term("output", 8),
    term("reasoning", 16),
    term("image", 32),
    term("cache_write_1h", 64),
  ];
  const [row] = countAll(emptyRows(), [receipt({ terms })]).daily.values();
  expect(row).toMatchObject({ input_tokens: 71, cached_input_tokens: 2, output_tokens: 24, reasoning_tokens: 16 });
});

test("models and clients with any characters have rows of their own", () => {
  const names = ["a|b", "a", "b", "\ud800", "%7C", "é"];
  const rows = countAll(
    emptyRows(),
    names.map((model) => receipt({ model, client: "x|y" })),
  );
  expect(rows.daily.size).toBe(names.length);
});

const anyReceipt = fc
  .record({
    at: fc.integer({ min: NOON - 40 * DAY_MS, max: NOON + 40 * DAY_MS }),
    key: fc.constantFrom("k1", "k2", "k3"),
    model: fc.constantFrom("a", "b"),
    endpoint: fc.constantFrom("chat", "messages"),
    project: fc.constantFrom(undefined, "shop", "a|b"),
    ms: fc.nat(1_000),
    nano: fc.option(fc.nat(1_000_000)),
    sandbox: fc.boolean(),
  })
  .map((changes) => receipt(changes));

test("replaying any part of the log again changes nothing", () => {
  fc.assert(
    fc.property(fc.array(anyReceipt, { maxLength: 40 }), fc.nat(40), fc.nat(40), (receipts, from, to) => {
      const once = countAll(emptyRows(), receipts);
      const twice = countAll(emptyRows(), receipts);
      for (let n = from; n < Math.min(to, receipts.length); n += 1) countReceipt(twice, receipts[n] as Receipt, n + 1);
      expect(twice).toEqual(once);
    }),
  );
});

test("going on from any copy of the rows ends where one pass ends", () => {
  fc.assert(
    fc.property(fc.array(anyReceipt, { maxLength: 40 }), fc.nat(40), fc.nat(40), (receipts, copied, replayed) => {
      const whole = countAll(emptyRows(), receipts);
      const rows = copyOf(countAll(emptyRows(), receipts.slice(0, copied)));
      const start = Math.min(copied, replayed);
      for (const [index, one] of receipts.slice(start).entries()) countReceipt(rows, one, start + index + 1);
      expect(rows).toEqual(whole);
    }),
  );
});

test("tokens of images belong to what went in and what came out", () => {
  const one = receipt({ terms: [term("image_input", 300), term("image_output", 4_000)] });
  const rows = countAll(emptyRows(), [one]);
  const [day] = rows.daily.values();
  expect(day).toMatchObject({ input_tokens: 300, output_tokens: 4_000 });
});

test("endpoints have rows of their own, with how long completed calls took", () => {
  const rows = countAll(emptyRows(), [
    receipt({ ms: 1_000, first_ms: 100 }),
    receipt({ endpoint: "messages", ms: 2 }),
    receipt({ endpoint: "messages", ms: 3, outcome: "failed", status: 429, code: "rate_limit_exceeded" }),
    receipt({ endpoint: "messages", ms: 4, sandbox: true }),
  ]);
  const found = [...rows.daily.values()].map(({ endpoint, durations, first_durations }) => ({
    endpoint,
    durations,
    first_durations,
  }));
  expect(found).toEqual([
    { endpoint: "chat", durations: { 80: 1 }, first_durations: { 54: 1 } },
    { endpoint: "messages", durations: { 8: 1 }, first_durations: {} },
  ]);
});

test("what a row of an earlier version has counted is not counted again next to it", () => {
  fc.assert(
    fc.property(fc.array(anyReceipt, { maxLength: 40 }), fc.nat(40), fc.nat(40), (receipts, counted, replayed) => {
      const rows = emptyRows();
      const old = countAll(emptyRows(), receipts.slice(0, counted));
      for (const { key, model, client, day, n, nano } of old.daily.values()) {
        const id = dailyId(day, key, model, client);
        const before = rows.daily.get(id);
        const { endpoint: _, ...row } = {
          ...(old.daily.values().next().value as DailyRow),
          id,
          key,
          model,
          client,
          day,
        };
        rows.daily.set(id, { ...row, n: Math.max(n, before?.n ?? 0), nano: nano + (before?.nano ?? 0) });
      }
      const start = Math.min(counted, replayed);
      for (const [index, one] of receipts.slice(start).entries()) countReceipt(rows, one, start + index + 1);
      const total = (daily: Aggregates["daily"]): number =>
        [...daily.values()].reduce((sum, { nano }) => sum + nano, 0);
      expect(total(rows.daily)).toBe(total(countAll(emptyRows(), receipts).daily));
    }),
  );
});

test("a key's clients have a hundred names a day, and those beyond share one, as every key for itself", () => {
  const rows = emptyRows();
  const calls = Array.from({ length: 4_000 }, (_, at) => receipt({ client: `client-${at}`, nano: 1 }));
  countAll(rows, calls);
  expect(rows.daily.size).toBe(101);
  const clients = [...rows.daily.values()].map(({ client }) => client);
  expect(clients.slice(0, 3)).toEqual(["client-0", "client-1", "client-2"]);
  const others = [...rows.daily.values()].find(({ client }) => client === OTHER_CLIENTS);
  expect(others).toMatchObject({ requests: 3_900, nano: 3_900 });
  countReceipt(rows, receipt({ client: "client-7", endpoint: "messages" }), 5_000);
  countReceipt(rows, receipt({ client: "somebody", key: "k2" }), 5_001);
  countReceipt(rows, receipt({ client: "somebody", at: NOON + DAY_MS }), 5_002);
  expect([...rows.daily.values()].slice(-3).map(({ client }) => client)).toEqual(["client-7", "somebody", "somebody"]);
});

test("projects have rows of their own, a hundred of a key in a day; those beyond count as none", () => {
  const rows = emptyRows();
  const projects = Array.from({ length: 300 }, (_, at) => `p${at}`);
  countAll(rows, [receipt(), ...projects.map((project) => receipt({ project, nano: 1 }))]);
  expect(rows.daily.size).toBe(101);
  expect([...rows.daily.values()].slice(0, 3).map(({ project }) => project)).toEqual([undefined, "p0", "p1"]);
  expect(rows.daily.get(dailyId("2026-11-30", "k1", "gpt-5", "curl", "chat"))).toMatchObject({ nano: 10 + 200 });
  countReceipt(rows, receipt({ project: "p7", nano: 5 }), 5_000);
  expect(rows.daily.get(dailyId("2026-11-30", "k1", "gpt-5", "curl", "chat", "p7"))).toMatchObject({ nano: 6 });
});

test("going on from any copy of rows of too many clients and projects ends where one pass ends", () => {
  const many = fc.array(
    fc.record({ client: fc.nat(250), project: fc.nat(250), day: fc.nat(1), key: fc.constantFrom("k1", "k2") }),
    {
      minLength: 150,
      maxLength: 400,
    },
  );
  fc.assert(
    fc.property(many, fc.nat(400), fc.nat(400), (uses, copied, replayed) => {
      const receipts = uses.map(({ client, project, day, key }) =>
        receipt({ client: `c${client}`, project: `p${project}`, at: NOON + day * DAY_MS, key }),
      );
      const whole = countAll(emptyRows(), receipts);
      const rows = copyOf(countAll(emptyRows(), receipts.slice(0, copied)));
      const start = Math.min(copied, replayed);
      for (const [index, one] of receipts.slice(start).entries()) countReceipt(rows, one, start + index + 1);
      expect(rows).toEqual(whole);
    }),
    { numRuns: 50 },
  );
});

test("what caches saved is summed, and what they cost more is taken away; the sandbox saves nothing", () => {
  const rate = 3_000_000_000;
  const input: ReceiptTerm = { unit: "input", quantity: 10, nano_per_million: rate, nano: 30_000 };
  const read: ReceiptTerm = { unit: "cached_input", quantity: 1_000, nano_per_million: rate / 10, nano: 300_000 };
  const written: ReceiptTerm = { unit: "cache_write", quantity: 2_000, nano_per_million: rate * 1.25, nano: 7_500_000 };
  const [row] = countAll(emptyRows(), [
    receipt({ terms: [input, read] }),
    receipt({ terms: [input, written] }),
    receipt({ terms: [input, read], nano: null }),
    receipt({ terms: [input, read], sandbox: true }),
    receipt({ terms: [input] }),
  ]).daily.values();
  expect(row?.cache_saved_nano).toBe(2_700_000 - 1_500_000);
});
