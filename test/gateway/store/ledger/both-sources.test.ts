import { rm } from "node:fs/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { getAppName } from "../../../../gateway/contract/apps.ts";
import { sourceFilterSchema, type SourceFilter } from "../../../../gateway/contract/list.ts";
import { matchesRequest } from "../../../../gateway/contract/matches-request.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import type { UsageGroup, UsageSeries } from "../../../../gateway/contract/usage.ts";
import { HistoryFold } from "../../../../gateway/core/history/fold-history.ts";
import type { HistoryEntry } from "../../../../gateway/core/history/history-entry.ts";
import type { Price } from "../../../../gateway/core/models/model.ts";
import { addReceipt, emptySums } from "../../../../gateway/core/usage/usage-sums.ts";
import { DAY_MS } from "../../../../gateway/core/usage/usage-period.ts";
import { emptyTotals } from "../../../../gateway/core/usage/usage-totals.ts";
import { findDay } from "../../../../gateway/lib/zone.ts";
import { plainUsageSeries } from "../../../support/plain-usage-series.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { makeUsageQueries } from "../../../support/usage-queries.ts";
import type { Bucketed } from "../../../support/usage-sources.ts";
import { NOON, open, receipt } from "../fixtures.ts";
import { anyEntry } from "./any-entry.ts";

const RATES = {
  input: 5e9,
  cached_input: 5e8,
  cache_write: 6e9,
  cache_write_1h: 1e10,
  output: 2.5e10,
  reasoning: 2.5e10,
};
const OPUS: Price = { tiers: [{ above: 0, rates: RATES }], source: "test", as_of: "2026-11-01" };
/** 10⁻⁹ USD of a token of each class. */
const NANO = [5_000, 500, 6_000, 10_000, 25_000, 25_000];

const anyUse = fc.record({
  at: fc.integer({ min: 0, max: 5e8 }).map((ms) => NOON + ms),
  model: fc.constantFrom("claude-opus-4-8", "gpt-5"),
  client: fc.constantFrom("claude-cli", "curl"),
  project: fc.constantFrom("q", "p"),
  key: fc.constantFrom("k1", "k2"),
  connection: fc.constantFrom("con_1", "con_2"),
  endpoint: fc.constantFrom("chat", "images", "videos"),
  ms: fc.constantFrom(40, 900, 120_000),
  session: fc.constantFrom("x", "s"),
  nano: fc.option(fc.nat(1e9), { nil: null }),
  sandbox: fc.boolean(),
});
const anyQuestion = fc.record({
  source: fc.constantFrom(...sourceFilterSchema.options),
  by: fc.constantFrom<UsageGroup>("model", "key", "client", "endpoint", "project", "connection"),
  zone: fc.constantFrom("UTC", "Asia/Tokyo", "America/Los_Angeles"),
  filter: fc.constantFrom(
    {},
    { model: "gpt-5" },
    { client: "Claude Code" },
    { project: "q", model: "claude-opus-4-8" },
    { session: "x" },
    { key: "k1" },
    { status: "2xx" as const },
  ),
  when: fc.constantFrom(undefined, "before" as const),
  time: fc.constantFrom(
    { range: "7d" as const },
    { range: "24h" as const },
    { since: "2026-11-18", until: "2026-11-30" },
  ),
});

/** The row of one receipt. */
function rowOf(one: Receipt) {
  const row = { ...emptySums(one), client: getAppName(one.client), connection: one.connection };
  addReceipt(row, one);
  return { at: one.at, row };
}

/** The row of one logged response, added up by hand. */
function rowOfEntry({ at, agent, model, project, tokens }: HistoryEntry) {
  const names = {
    key: "",
    model,
    client: agent === "codex" ? "Codex" : "Claude Code",
    endpoint: agent === "codex" ? "responses" : "messages",
    project: project.slice(project.lastIndexOf("/") + 1),
    connection: "",
  };
  const isPriced = model === "claude-opus-4-8";
  const row = {
    ...emptyTotals(),
    ...names,
    requests: 1,
    input_tokens: tokens[0] + tokens[1] + tokens[2] + tokens[3],
    cached_input_tokens: tokens[1],
    output_tokens: tokens[4] + tokens[5],
    reasoning_tokens: tokens[5],
    nano: isPriced ? tokens.reduce((sum, count, unit) => sum + count * (NANO[unit] ?? 0), 0) : 0,
    unpriced_requests: isPriced ? 0 : 1,
  };
  return { at, row };
}

function matchesEntry(
  { agent, model, project, session }: HistoryEntry,
  filter: Partial<Record<string, string>>,
): boolean {
  const fields: Readonly<Record<string, string>> = {
    model,
    client: agent === "codex" ? "Codex" : "Claude Code",
    project: project.slice(project.lastIndexOf("/") + 1),
    session,
    key: "",
    status: "2xx",
  };
  return Object.entries(filter).every(([name, value]) => fields[name] === value);
}

function inBuckets(rows: readonly Bucketed[], { buckets, to }: UsageSeries): Bucketed[] {
  const starts = buckets.map(({ at }) => at);
  return rows.flatMap(({ at, row }) => {
    const begins = starts.findLast((start) => start <= at);
    return begins === undefined || at >= to ? [] : [{ at: begins, row }];
  });
}

const figures = ({ total, latency, buckets, groups, more_groups, series }: ReturnType<typeof plainUsageSeries>) => ({
  total,
  latency,
  buckets,
  groups,
  more_groups,
  series,
});

test("usage of any sources, groups, zones and filters is what a plain scan of all rows adds up", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyUse, { maxLength: 25 }),
      fc.array(anyEntry, { maxLength: 40 }),
      fc.array(anyQuestion, { minLength: 4, maxLength: 8 }),
      async (uses, entries, questions) => {
        const dir = await temporaryFolder();
        const { store, clock } = await open({ dir });
        clock.at = NOON + 5e8;
        const { history, series, usage } = makeUsageQueries({
          dir,
          store,
          clock,
          prices: { "claude-opus-4-8": OPUS },
        });
        const receipts = uses.map((use, index) => receipt(`r${index}`, use));
        for (const one of receipts) await store.usage.settle(one);
        const logged = entries.map((entry): HistoryEntry => ({ ...entry, agent: "codex", served: "" }));
        const batch = { agent: "codex", file: "/log", from: 0, to: 1, tail: "abc", state: null } as const;
        await history.add({ ...batch, entries: logged });
        const fold = new HistoryFold();
        fold.add(logged);
        const own = [...fold.entries()].filter(({ postern }) => !postern);
        const rowsOf = (source: SourceFilter, filter: Partial<Record<string, string>>): Bucketed[] => [
          ...(source === "logs" ? [] : receipts.filter((one) => matchesRequest(one, filter)).map(rowOf)),
          ...(source === "postern" ? [] : own.filter((one) => matchesEntry(one, filter)).map(rowOfEntry)),
        ];
        for (const { source, by, zone, filter, when, time } of questions) {
          const question = { source, by, zone, ...filter, ...time, ...(when && { when }) };
          const found = await series.series({ ...question, groups: 2 });
          const rows = inBuckets(rowsOf(source, filter), found);
          const starts = found.buckets.map(({ at }) => at);
          expect(figures(found)).toEqual(figures(plainUsageSeries(rows, starts, by, 2)));
          if (found.bucket === "day") expect(new Set(starts.map((at) => findDay(zone, at))).size).toBe(starts.length);
          const { data } = await series.cells(question);
          for (const one of ["postern", "logs"] as const) {
            const cells = data.filter((cell) => cell.source === one);
            const apart = source === one || source === "both" ? inBuckets(rowsOf(one, filter), found) : [];
            expect(cells.reduce((sum, { totals }) => sum + totals.nano, 0)).toBe(
              apart.reduce((sum, { row }) => sum + row.nano, 0),
            );
            expect(cells.reduce((sum, { totals }) => sum + totals.requests, 0)).toBe(
              apart.reduce((sum, { row }) => sum + row.requests, 0),
            );
          }
          const days = rowsOf(source, {}).map(({ at, row }) => ({ at: Math.floor(at / DAY_MS) * DAY_MS, row }));
          const each = [...new Set(days.map(({ at }) => at))].toSorted((a, b) => a - b);
          const plain = plainUsageSeries(days, each, "model", 1);
          const until = findDay("UTC", NOON + 6e8);
          const byDay = await usage.query({ source, by: "day", since: "2020-01-01", until });
          expect(byDay.total).toEqual(plain.total);
          expect(byDay.data).toEqual(plain.buckets.map(({ at, totals }) => ({ group: findDay("UTC", at), totals })));
          const byModel = await usage.query({ source, by: "model", since: "2020-01-01", until });
          expect(byModel.data).toEqual(plain.groups.map(({ group, totals }) => ({ group, totals })));
        }
        await history.close();
        await store.close();
        await rm(dir, { recursive: true, force: true });
      },
    ),
    { numRuns: 15 },
  );
}, 300_000);
