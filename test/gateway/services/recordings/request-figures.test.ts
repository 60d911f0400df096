import { beforeAll, describe, expect, test } from "vitest";
import type { RequestActivity, RequestPage } from "../../../../gateway/contract/requests.ts";
import { requestActivitySchema, requestPageSchema } from "../../../../gateway/contract/requests.ts";
import { completion, failure } from "../../../support/acts.ts";
import { CHAT, KEY } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const HOUR = 3_600_000;
const clock = new TestClock();
const provider = useProvider();
/** In the order in which they were settled. */
const ids: string[] = [];

async function call(body: object, status: number): Promise<void> {
  const response = await postern.chat(body, KEY, { headers: { "user-agent": "curl/8" } });
  expect(response.status).toBe(status);
  await response.arrayBuffer();
  ids.push(response.headers.get("x-request-id") ?? "");
}

const postern = useGateway(() => ({ provider, clock }));
beforeAll(async () => {
  const usage = (prompt_tokens: number) => ({ prompt_tokens, completion_tokens: 5, total_tokens: prompt_tokens + 5 });
  for (const tokens of [1_000, 30_000, 200]) {
    provider.next(completion(undefined, usage(tokens)));
    await call(CHAT, 200);
  }
  provider.next(failure(400, { type: "invalid_request_error" }));
  await call(CHAT, 400);
});

const top = (query: string): Promise<RequestPage> => postern.ask("GET", `/requests?${query}`);
const activity = (query = ""): Promise<RequestActivity> => postern.ask("GET", `/requests/activity${query}`);
const indexRequests = ({ data }: RequestPage): number[] => data.map(({ id }) => ids.indexOf(id));

describe("the top requests", () => {
  test("by cost, most expensive first, and cheapest first", async () => {
    const page = await top("by=cost");
    expect(requestPageSchema.parse(page)).toEqual(page);
    expect(page).toMatchObject({ complete: true, rebuilding: null });
    expect(indexRequests(page)).toEqual([1, 0, 2, 3]);
    expect(indexRequests(await top("by=cost&order=asc&limit=2"))).toEqual([3, 2]);
  });

  test("those without the figure come last in either order", async () => {
    expect(indexRequests(await top("by=tokens"))).toEqual([1, 0, 2, 3]);
    expect(indexRequests(await top("by=tokens&order=asc"))).toEqual([2, 0, 1, 3]);
  });

  test("of what the filter lets in", async () => {
    expect(indexRequests(await top("by=cost&status=4xx"))).toEqual([3]);
    expect((await top("by=cost&q=CURL")).data).toHaveLength(4);
    expect((await top("by=cost&q=no-such-app")).data).toEqual([]);
  });

  test("go on after a page", async () => {
    const first = await top("by=cost&limit=2");
    expect(indexRequests(await top(`by=cost&limit=2&before=${first.cursor}`))).toEqual([2, 3]);
  });

  test("an invalid figure, and a limit beyond 500, are refused", async () => {
    for (const query of ["by=price", "by=cost&limit=501", "by=cost&order=up"]) {
      expect((await postern.control("GET", `/requests?${query}`)).status, query).toBe(400);
    }
  });
});

describe("activity", () => {
  test("is the last 24 hours in half hours, unless reported", async () => {
    const all = await activity();
    expect(requestActivitySchema.parse(all)).toEqual(all);
    expect(all).toMatchObject({ bucket_ms: HOUR / 2, total: 4, failed: 1, complete: true });
    expect(all.to - all.from).toBe(24 * HOUR);
    expect(all.buckets.length).toBeGreaterThanOrEqual(48);
    const { data } = await top("by=cost");
    const last = all.buckets.at(-1);
    expect(last).toMatchObject({
      count: 4,
      failed: 1,
      cost_nano: data.reduce((sum, { nano }) => sum + (nano ?? 0), 0),
    });
    expect(last?.p50_ms).toBeGreaterThan(0);
    expect(all.buckets.slice(0, -1).every(({ count, p50_ms }) => count === 0 && p50_ms === null)).toBe(true);
  });

  test("of what the filter lets in, in its window", async () => {
    const now = clock.now();
    const some = await activity(`?status=4xx&since=${now - 60_000}&until=${now + 60_000}`);
    expect(some).toMatchObject({ total: 1, failed: 1, to: now + 60_000, complete: true });
    expect((await activity(`?since=${now + HOUR}`)).total).toBe(0);
  });

  test("of all times begins with the oldest request", async () => {
    const all = await activity("?since=0");
    const { data } = await top("by=ms");
    expect(all.from).toBe(Math.min(...data.map(({ at }) => at)));
    expect(all.total).toBe(4);
  });
});
