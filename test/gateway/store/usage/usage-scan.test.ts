import { appendFile, cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { matchesRequest, type Search } from "../../../../gateway/contract/matches-request.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { utcMonth, type Clock } from "../../../../gateway/lib/clock.ts";
import { frame } from "../../../../gateway/store/disk/line.ts";
import { nodeStoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import type { OpenedStore } from "../../../../gateway/store/open-store.ts";
import { segmentName } from "../../../../gateway/store/disk/segments.ts";
import type { ReceiptSource } from "../../../../gateway/store/store.ts";
import { ReceiptColumns } from "../../../../gateway/store/usage/receipt-columns.ts";
import { UsageScan } from "../../../../gateway/store/usage/usage-scan.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { FixedClock, NOON, open, openCall, receipt } from "../fixtures.ts";

const COUNT = 6_000;
const EVERY_MS = 600_000;
const PASSED = { model: "o3", reason: "failed", provider: "xai", status: 500, code: "gone", nano: 7 } as const;
const made = (n: number): Receipt =>
  receipt(`req_${n}`, {
    at: NOON - (COUNT - n) * EVERY_MS,
    key: `k${n % 7}`,
    model: n % 5 === 0 ? "claude-é" : "gpt-5",
    status: n % 11 === 0 ? 502 : 200,
    code: n % 11 === 0 ? "upstream_unavailable" : null,
    ...(n % 13 === 0 ? { kinds: ["title"], route: { name: "everyday", rule: 2, passed: [PASSED] } } : {}),
  });
const filesOf = (at: string) => {
  const folder = join(at, "usage");
  return { fs: nodeStoreFs, folder, columns: new ReceiptColumns(nodeStoreFs, folder) };
};
const numbered = (n: number, value: object): string => frame(JSON.stringify({ n, receipt: value }));

let dir: string;
let store: OpenedStore;
const clock = new FixedClock();

/** Lines of calls between those of receipts, as the log has them. */
async function fill(extra: (n: number) => string = () => ""): Promise<void> {
  await mkdir(join(dir, "usage"), { recursive: true });
  const segments = new Map<string, string>();
  for (let n = 1; n <= COUNT; n += 1) {
    const value = made(n);
    const month = utcMonth(value.at);
    const call = n % 3 === 0 ? frame(JSON.stringify({ n: n - 1, call: openCall(value.id, { at: value.at }) })) : "";
    segments.set(month, (segments.get(month) ?? "") + call + numbered(n, value) + extra(n));
  }
  for (const [month, lines] of segments) await writeFile(join(dir, "usage", segmentName(month)), lines);
}

async function scanned(search: Search): Promise<{ ids: string[]; scanned: number; complete: boolean }> {
  const sources: ReceiptSource[] = [];
  const end = await store.usage.scan(
    search,
    (passed) => {
      if (passed.isWhole()) sources.push(passed.source());
    },
    clock,
  );
  const receipts = await store.usage.receipts(sources);
  return { ids: receipts.map((each) => each?.id ?? "damaged"), ...end };
}

beforeEach(async () => {
  dir = await temporaryFolder();
});
afterEach(() => store.close());

const newestFirst = Array.from({ length: COUNT }, (_, index) => made(COUNT - index));
const idsOf = (search: Search): string[] =>
  newestFirst.filter((each) => matchesRequest(each, search)).map(({ id }) => id);

describe("a scan of several months", () => {
  beforeEach(async () => {
    await fill();
    ({ store } = await open({ dir }));
  });

  test.each<Search>([
    {},
    { key: "k3" },
    { model: "claude-é", status: "5xx" },
    { q: "É" },
    { q: "UNAVAIL" },
    { q: "EVERY" },
    { q: "xai" },
    { model: "o3" },
    { status: "5xx", q: "gone" },
    { asked: ["everyday"] },
    { asked: ["gpt-5", "claude-é"] },
    { since: made(100).at, until: made(200).at },
    { until: made(50).at },
    { since: made(COUNT - 10).at },
    { since: NOON + 1 },
  ])("with %j passes what the filter lets in, newest first", async (search) => {
    const { ids, complete } = await scanned(search);
    expect(ids).toEqual(idsOf(search));
    expect(complete).toBe(true);
  });

  test("looks at no more than lies in the window, and a day before", async () => {
    const { scanned: looked } = await scanned({ since: made(3_000).at, until: made(3_100).at });
    expect(looked).toBeGreaterThan(99);
    expect(looked).toBeLessThan(1_000);
  });

  test("what is settled now is passed first, and once", async () => {
    for (const id of ["req_a", "req_b"]) await store.usage.settle(receipt(id, { at: NOON }));
    expect((await scanned({})).ids).toEqual(["req_b", "req_a", ...idsOf({})]);
    await store.close();
    ({ store } = await open({ dir }));
    expect((await scanned({})).ids).toEqual(["req_b", "req_a", ...idsOf({})]);
  });

  test("the oldest receipt is the first of the oldest month", async () => {
    expect(await store.usage.oldest()).toBe(made(1).at);
  });
});

test("an empty log has nothing to pass", async () => {
  ({ store } = await open({ dir }));
  expect(await scanned({})).toEqual({ ids: [], scanned: 0, complete: true });
  expect(await store.usage.oldest()).toBeNull();
});

test("what is damaged is not passed, what an earlier version wrote is", async () => {
  const { endpoint: _endpoint, ...old } = made(2);
  await fill((n) => {
    if (n === 10) return numbered(10, made(10)).replace("req_10", "req_1O");
    if (n === 20) return `${"\0".repeat(50)}${numbered(20, { ...made(20), id: "req_hole" })}`;
    if (n === 30) return numbered(30, { ...old, id: "req_old" });
    // Another program may write a route in another order.
    if (n === 35) return numbered(35, { ...made(35), id: "req_route", route: { passed: [PASSED], name: "odd" } });
    return n === 40 ? "no line at all\n" : "";
  });
  const last = join(dir, "usage", segmentName(utcMonth(NOON)));
  await appendFile(last, numbered(COUNT + 1, made(COUNT)).slice(0, 80));
  ({ store } = await open({ dir }));
  const { ids } = await scanned({});
  expect(ids.filter((id) => !/^req_\d+$/.test(id))).toEqual(["req_route", "req_old", "req_hole"]);
  expect(ids).toHaveLength(COUNT + 3);
  expect((await scanned({ asked: ["odd"] })).ids).toEqual(["req_route"]);
  expect((await scanned({ endpoint: "chat" })).ids).not.toContain("req_old");
});

test("receipts that an earlier version has left are passed as they are listed", async () => {
  await cp(join(import.meta.dirname, "../../../fixtures/store-c19ab76/folder"), dir, { recursive: true });
  ({ store } = await open({ dir }));
  const { data } = await store.usage.list({ limit: 500 });
  expect(data.length).toBeGreaterThan(5);
  expect((await scanned({})).ids).toEqual(data.map(({ id }) => id));
  const { endpoint = "", model = "" } = data[0] ?? {};
  const some = data.filter((each) => each.endpoint === endpoint && each.model === model);
  expect((await scanned({ endpoint, model })).ids).toEqual(some.map(({ id }) => id));
});

describe("within bounds", () => {
  beforeEach(async () => {
    await fill();
    ({ store } = await open({ dir }));
  });

  const scanWith = (bounds: { receipts: number; ms: number }, time: Clock) =>
    new UsageScan({ ...filesOf(dir), clock: time, bounds }, {}, () => undefined).passFiles(null);

  test("it stops after so many receipts, and says so", async () => {
    const end = await scanWith({ receipts: 1_000, ms: 1_000 }, clock);
    expect(end.complete).toBe(false);
    expect(end.scanned).toBeGreaterThan(1_000);
    expect(end.scanned).toBeLessThan(1_100);
    expect(await scanWith({ receipts: COUNT, ms: 1_000 }, clock)).toEqual({ scanned: COUNT, complete: true });
  });

  test("it stops after so long, and says so", async () => {
    const time = new FixedClock();
    const ticking: Clock = { now: () => NOON, monotonic: () => (time.passed += 1) };
    const end = await scanWith({ receipts: COUNT, ms: 50 }, ticking);
    expect(end.complete).toBe(false);
    expect(end.scanned).toBeLessThan(COUNT);
  });

  test("others have their turn whenever a slice is over", async () => {
    const time = new FixedClock();
    // Every look at the clock takes 4 ms: each is the end of a slice.
    const slow: Clock = { now: () => NOON, monotonic: () => (time.passed += 4) };
    let turns = 0;
    let going = true;
    const turn = (): void => {
      turns += 1;
      if (going) setImmediate(turn);
    };
    setImmediate(turn);
    await scanWith({ receipts: COUNT, ms: Infinity }, slow);
    going = false;
    // 8,000 lines, looked at 32 at a time.
    expect(turns).toBeGreaterThan(240);
  });

  test("of two scans the second waits for the first", async () => {
    const order: string[] = [];
    const first = store.usage.scan({}, () => order.push("first"), clock);
    const second = store.usage.scan({}, () => order.push("second"), clock);
    await Promise.all([first, second]);
    expect(order.indexOf("second")).toBe(COUNT);
    expect(order).toHaveLength(2 * COUNT);
  });
});
