import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { utcMonth } from "../../../gateway/lib/clock.ts";
import { frame } from "../../../gateway/store/line.ts";
import type { OpenedStore } from "../../../gateway/store/open-store.ts";
import { segmentName } from "../../../gateway/store/segments.ts";
import { temporaryFolder } from "../../support/running-gateway.ts";
import { NOON, open, receipt } from "./fixtures.ts";

const COUNT = 100_000;
const EVERY_MS = 20_000;
let dir: string;
let store: OpenedStore;

/** One every 20 s; one in ten thousand is rare in every way. */
const made = (n: number) => {
  const rare = n % 10_000 === 7;
  return receipt(`req_${n}`, {
    at: NOON - (COUNT - n) * EVERY_MS,
    key: rare ? "k9" : `k${n % 7}`,
    model: rare ? "rare" : "common",
    vendor: rare ? "xai" : "openai",
    client: rare ? 'a "quoted" client' : "curl",
    endpoint: rare ? "videos" : "chat",
    status: rare ? 502 : 200,
    outcome: rare ? "failed" : "completed",
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
  ({ store } = await open({ dir }));
}, 60_000);
afterAll(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

async function all(filter: object): Promise<{ ids: string[]; pages: number; longestMs: number }> {
  const ids: string[] = [];
  let before: string | undefined;
  let longestMs = 0;
  for (let pages = 1; ; pages += 1) {
    const started = performance.now();
    const page = await store.usage.list({ ...filter, limit: 500, before });
    longestMs = Math.max(longestMs, performance.now() - started);
    ids.push(...page.data.map(({ id }) => id));
    if (page.cursor === null) return { ids, pages, longestMs };
    before = page.cursor;
  }
}

describe("among 100,000 receipts", () => {
  test("the newest page, and one far down, are there at once", async () => {
    const started = performance.now();
    const first = await store.usage.list({ limit: 200 });
    expect(first.data.map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, index) => `req_${COUNT - index}`));
    const far = await store.usage.list({ limit: 200, before: `${utcMonth(made(5_000).at)}.5000` });
    expect(far.data[0]?.id).toBe("req_4999");
    expect(performance.now() - started).toBeLessThan(300);
  });

  test.each([
    { key: "k9" },
    { model: "rare" },
    { vendor: "xai" },
    { client: 'a "quoted" client' },
    { endpoint: "videos" },
    { outcome: "failed" as const },
    { status: "5xx" as const },
    { model: "rare", status: "5xx" as const },
  ])("%j finds all and nothing else, within bounds", async (filter) => {
    const { ids, pages, longestMs } = await all(filter);
    expect(ids).toEqual(rareIds);
    // 32 MiB a page.
    expect(pages).toBeLessThanOrEqual(3);
    expect(longestMs).toBeLessThan(3_000);
  });

  test("what is asked for by time is found without reading what came before", async () => {
    const started = performance.now();
    const { ids } = await all({ since: made(COUNT - 99).at });
    expect(ids).toHaveLength(100);
    expect(performance.now() - started).toBeLessThan(500);
    expect((await all({ since: made(50_007).at, until: made(50_010).at })).ids).toEqual([
      "req_50009",
      "req_50008",
      "req_50007",
    ]);
  });

  test("a part of an id finds it, and so does the whole", async () => {
    expect((await all({ q: "q_77777" })).ids).toEqual(["req_77777"]);
    const started = performance.now();
    expect((await store.usage.find("req_3"))?.id).toBe("req_3");
    expect(await store.usage.find("req_none")).toBeNull();
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});
