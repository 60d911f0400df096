import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { matchesRequest, type Search } from "../../../../gateway/contract/matches-request.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { RequestLog, type RequestLogDeps } from "../../../../gateway/services/recordings/request-log.ts";
import { nodeStoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import type { OpenedStore } from "../../../../gateway/store/open-store.ts";
import type { ReceiptSource } from "../../../../gateway/store/store.ts";
import type { NumberedUsageLog } from "../../../../gateway/store/usage/usage-log.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { FixedClock, NOON, open, receipt } from "../fixtures.ts";

const HOUR_MS = 3_600_000;
const clock = new FixedClock();
let dir: string;
let store: OpenedStore;
let settled: Receipt[];

beforeEach(async () => {
  dir = await temporaryFolder();
  settled = [];
  ({ store } = await open({ dir }));
});
afterEach(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

async function settle(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    const index = settled.length;
    const failed = index % 17 === 0;
    const made = receipt(`req_${index}`, {
      at: NOON - 20 * HOUR_MS + index * 30_000 - (index % 400 === 0 ? HOUR_MS : 0),
      model: `m${index % 7}`,
      nano: index % 5 === 0 ? null : (index * 7_919) % 10_000,
      ms: 10 + ((index * 613) % 3_000),
      sandbox: index % 11 === 0,
      status: failed ? 502 : 200,
      code: failed ? "upstream_unavailable" : null,
      outcome: failed ? "failed" : "completed",
    });
    settled.push(made);
    const written = store.usage.settle(made);
    if (left === 1) await written;
  }
}

const pack = (): Promise<void> => (store.usage as NumberedUsageLog).pack(clock);
const log = (): RequestLog =>
  new RequestLog({ store, clock, connections: { all: () => [] } } as unknown as RequestLogDeps);

async function idsOf(
  search: Search,
  while_: (seen: number) => void = () => undefined,
): Promise<(string | undefined)[]> {
  const sources: ReceiptSource[] = [];
  await store.usage.scan(
    search,
    (passed) => {
      sources.push(passed.source());
      while_(sources.length);
    },
    clock,
  );
  return (await store.usage.receipts(sources)).map((each) => each?.id);
}

const newestFirst = (search: Search): string[] =>
  settled
    .filter((each) => matchesRequest(each, search))
    .map(({ id }) => id)
    .toReversed();

/** By the plain sums of what was settled. */
async function holds(): Promise<void> {
  for (const search of [{}, { model: "m3" }, { status: "failed" as const }]) {
    expect(await idsOf(search)).toEqual(newestFirst(search));
    const matching = settled.filter((each) => matchesRequest(each, search)).toReversed();
    const byCost = matching.toSorted((a, b) => (b.nano ?? -1) - (a.nano ?? -1)).slice(0, 100);
    const top = await log().top({ by: "cost", limit: 100, ...search });
    expect(top.data.map(({ id }) => id)).toEqual(byCost.map(({ id }) => id));
    expect(top).toMatchObject({ complete: true });
    const { buckets, total, failed, from, to } = await log().activity({ until: NOON + HOUR_MS, ...search });
    const within = matching.filter(({ at }) => at >= from && at < to);
    expect([total, failed]).toEqual([within.length, within.filter(({ outcome }) => outcome === "failed").length]);
    for (const [place, { at, count, cost_nano }] of buckets.entries()) {
      const end = buckets[place + 1]?.at ?? to;
      const inIt = within.filter((each) => each.at >= at && each.at < end);
      const costs = inIt.reduce((sum, { sandbox, nano }) => sum + (sandbox ? 0 : (nano ?? 0)), 0);
      expect([count, cost_nano]).toEqual([inIt.length, costs]);
    }
  }
}

test("receipts are passed once, wherever they are: in memory, in lines, in columns, after a start", async () => {
  await settle(1_500);
  await holds();
  await pack();
  await holds();
  expect(await nodeStoreFs.list(join(dir, "usage"))).toContain("usage-2026-11.heads");
  await settle(10);
  await holds();
  // More than stay in memory.
  await settle(700);
  await holds();
  await pack();
  await settle(3);
  await holds();
  await store.close();
  ({ store } = await open({ dir }));
  await holds();
  await settle(70);
  await holds();
  await pack();
  await holds();
});

test("what is settled and put in columns while others are passed is passed by the next scan", async () => {
  await settle(2_000);
  await pack();
  await settle(20);
  const before = newestFirst({});
  const during = await idsOf({}, (seen) => {
    if (seen % 500 !== 5) return;
    void settle(80);
    void pack();
  });
  expect(during).toEqual(before);
  await store.usage.synced();
  await holds();
});

test("less than is worth a write is not written", async () => {
  await settle(20);
  await pack();
  expect(await nodeStoreFs.list(join(dir, "usage"))).toEqual(["usage-2026-11.ndjson"]);
});
