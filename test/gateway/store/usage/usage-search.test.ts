import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { utcMonth } from "../../../../gateway/lib/clock.ts";
import { frame } from "../../../../gateway/store/disk/line.ts";
import type { OpenedStore } from "../../../../gateway/store/open-store.ts";
import { segmentName } from "../../../../gateway/store/disk/segments.ts";
import { temporaryFolder, until } from "../../../support/running-gateway.ts";
import { nodeStoreFs, type StoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import { ReceiptColumns } from "../../../../gateway/store/usage/receipt-columns.ts";
import { FixedClock, NOON, open, receipt } from "../fixtures.ts";

const COUNT = 100_000;
const EVERY_MS = 20_000;
let dir: string;
let store: OpenedStore;
/** Bytes that were read from the log since the last look: what a question costs, on any machine. */
let read = 0;
const MIB = 1024 * 1024;

const counting: StoreFs = {
  ...nodeStoreFs,
  async open(path, how) {
    const file = await nodeStoreFs.open(path, how);
    const readFile = file.read.bind(file);
    file.read = async (into, position) => {
      read += into.length;
      return readFile(into, position);
    };
    return file;
  },
};

function cost(): number {
  const bytes = read;
  read = 0;
  return bytes;
}

/** One every 20 s; one in ten thousand is rare in every way, and one in a hundred has all that is rare in what it passed over. */
const made = (n: number) => {
  const rare = n % 10_000 === 7;
  const failed = {
    model: "rare",
    reason: "failed" as const,
    provider: "xai",
    status: 502,
    code: "upstream_unavailable",
  };
  const route =
    rare || n % 100 === 50 ? { route: { name: rare ? "seldom" : "usual", rule: 1, passed: rare ? [] : [failed] } } : {};
  return receipt(`req_${n}`, {
    at: NOON - (COUNT - n) * EVERY_MS,
    key: rare ? "k9" : `k${n % 7}`,
    model: rare ? "rare" : "common",
    provider: rare ? "xai" : "openai",
    connection: rare ? "con_rare" : "con_1",
    code: rare ? "upstream_unavailable" : null,
    client: rare ? 'a "quoted" client' : "curl",
    endpoint: rare ? "videos" : "chat",
    status: rare ? 502 : 200,
    outcome: rare ? "failed" : "completed",
    ...route,
    ...(rare ? { session: "seldom-session", project: "p", agent: "a" } : { session: `s${n % 5_000}` }),
  });
};
const rareIds = Array.from({ length: 10 }, (_, index) => `req_${90_007 - index * 10_000}`);

beforeAll(async () => {
  dir = await temporaryFolder();
  const segments = new Map<string, string[]>();
  for (let n = 1; n <= COUNT; n += 1) {
    const line = made(n);
    const month = utcMonth(line.at);
    const lines = segments.get(month) ?? [];
    segments.set(month, lines);
    lines.push(frame(JSON.stringify({ n, receipt: line })));
  }
  await mkdir(join(dir, "usage"), { recursive: true });
  for (const [month, lines] of segments) await writeFile(join(dir, "usage", segmentName(month)), lines.join(""));
  // Done by now, or it would be counted.
  const columns = new ReceiptColumns(nodeStoreFs, join(dir, "usage"));
  while (await columns.pack(100, new FixedClock()));
  ({ store } = await open({ dir, fs: counting }));
}, 60_000);
afterAll(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

async function all(filter: object): Promise<{ ids: string[]; dearest: number }> {
  const ids: string[] = [];
  let before: string | undefined;
  let dearest = 0;
  for (;;) {
    cost();
    const page = await store.usage.list({ ...filter, limit: 500, before });
    dearest = Math.max(dearest, cost());
    ids.push(...page.data.map(({ id }) => id));
    if (page.cursor === null) return { ids, dearest };
    before = page.cursor;
  }
}

describe("among 100,000 receipts", () => {
  test("the newest page, and one far down, cost as much as they hold", async () => {
    cost();
    const first = await store.usage.list({ limit: 200 });
    expect(first.data.map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, index) => `req_${COUNT - index}`));
    const far = await store.usage.list({ limit: 200, before: `${utcMonth(made(5_000).at)}.5000` });
    expect(far.data[0]?.id).toBe("req_4999");
    expect(cost()).toBeLessThan(2 * MIB);
  });

  test.each([
    { key: "k9" },
    { model: "rare" },
    { provider: "xai" },
    { client: 'a "quoted" client' },
    { connection: "con_rare" },
    { endpoint: "videos" },
    { outcome: "failed" as const },
    { status: "5xx" as const },
    { model: "rare", status: "5xx" as const },
    { session: "seldom-session" },
    { project: "p", agent: "a" },
    { asked: ["seldom"] },
    { asked: ["nothing", "seldom"], model: "rare" },
  ])("%j finds all and nothing else, within bounds", async (filter) => {
    const { ids, dearest } = await all(filter);
    expect(ids).toEqual(rareIds);
    expect(dearest).toBeLessThan(34 * MIB);
  });

  test("sessions are summed in one pass, the newest of them", async () => {
    const clock = { now: () => NOON, monotonic: () => 0 };
    // Who asks waits a second: a busy machine may need more.
    await until(async () => !(await store.usage.sessions(clock)).reading);
    const { sums, complete } = await store.usage.sessions(clock);
    expect(complete).toBe(true);
    expect([sums.size, sums.forgot]).toEqual([5_000, true]);
    const [first] = sums.list();
    expect(first).toMatchObject({ id: "s0", requests: 20 });
    cost();
    await store.usage.sessions(clock);
    expect(cost()).toBe(0);
  });

  test("what is asked for by time is found without reading what came before", async () => {
    const { ids, dearest } = await all({ since: made(COUNT - 99).at });
    expect(ids).toHaveLength(100);
    expect(dearest).toBeLessThan(4 * MIB);
    expect((await all({ since: made(50_007).at, until: made(50_010).at })).ids).toEqual([
      "req_50009",
      "req_50008",
      "req_50007",
    ]);
  });

  test.each([
    ["the model", { q: "RAR" }],
    ["the app", { q: 'A "Quoted"' }],
    ["the error code", { q: "stream_UNAVAIL" }],
    ["the provider", { q: "Xai" }],
    ["the route", { q: "SELD" }],
    ["the name of the connection", { q: "no such text", named: ["con_rare"] }],
    ["what all have, and a filter", { q: "REQ_", model: "rare" }],
  ])("a search for %s finds all in any case, within bounds", async (_name, filter) => {
    const { ids, dearest } = await all(filter);
    expect(ids).toEqual(rareIds);
    expect(dearest).toBeLessThan(34 * MIB);
  });

  test("what stands elsewhere in a receipt is not searched", async () => {
    expect((await all({ q: "completed" })).ids).toEqual([]);
    expect((await all({ q: "é" })).ids).toEqual([]);
  });

  test("a part of an id finds it, and so does the whole", async () => {
    expect((await all({ q: "q_77777" })).ids).toEqual(["req_77777"]);
    expect((await store.usage.find("req_3"))?.id).toBe("req_3");
    expect(await store.usage.find("req_none")).toBeNull();
  });
});
