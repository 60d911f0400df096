import { describe, expect, it } from "vitest";
import type { ActivityBucket, RequestActivity } from "../../../../gateway/contract/requests.ts";
import { getBars, getLines, getPlace, getTime } from "../../../../renderer/features/requests/activity-scale.ts";
import { afterPress, getSort } from "../../../../renderer/features/requests/request-sort.ts";
import { getFilter } from "../../../../renderer/features/requests/request-filter.ts";
import { updatePaused } from "../../../../renderer/features/requests/use-paused.ts";
import { receiptOf } from "../../../e2e/browser/receipts.ts";

const bucket = (at: number, count: number, p50_ms: number | null = null): ActivityBucket => ({
  at,
  count,
  failed: 0,
  cost_nano: 0,
  p50_ms,
  p95_ms: p50_ms,
});
const buckets = [bucket(0, 1), bucket(10, 0), bucket(20, 1_000, 5), bucket(30, 4, 10)];
const sums = { total: 0, failed: 0, complete: true, rebuilding: null };
const activity: RequestActivity = { from: 3, to: 37, bucket_ms: 10, buckets, ...sums };

describe("the charts over the log", () => {
  it("draw no bar for nothing, and one that is seen for one of a thousand", () => {
    const path = getBars(buckets, ({ count }) => count, 1_000);
    expect(path.split("M").length - 1).toBe(3);
    expect(path).toContain("v-2.0");
    expect(getBars([], ({ count }) => count, 0)).toBe("");
  });

  it("draw a line with gaps where there is no figure", () => {
    expect(getLines(buckets, ({ p50_ms }) => p50_ms, 10).split("M").length - 1).toBe(1);
    expect(
      getLines([bucket(0, 1, 5), bucket(10, 1), bucket(20, 1, 10)], ({ p50_ms }) => p50_ms, 10).split("M").length - 1,
    ).toBe(2);
  });

  it("narrow to what was asked for, whichever way one drags", () => {
    expect(getTime(activity, 0, 0)).toEqual({ since: 3, until: 10 });
    expect(getTime(activity, 3, 1)).toEqual({ since: 10, until: 37 });
    expect([-0.1, 0, 0.49, 1, 1.2].map((part) => getPlace(part, 4))).toEqual([0, 0, 1, 3, 3]);
  });
});

it("the address says the time in moments, or as today", () => {
  const now = new Date(2026, 10, 23, 15, 30).getTime();
  expect(getFilter(new URLSearchParams("range=today"), now)).toEqual({ since: new Date(2026, 10, 23).getTime() });
  expect(getFilter(new URLSearchParams("range=1h&since=5&until=9"), now)).toEqual({ since: 5, until: 9 });
  expect(getFilter(new URLSearchParams("since=-1&until=x"), now)).toEqual({});
});

it("a heading sorts down, up, and then by time again", () => {
  const down = afterPress("cost", null);
  const up = afterPress("cost", getSort(new URLSearchParams("sort=cost")));
  const none = afterPress("cost", getSort(new URLSearchParams("sort=cost&order=asc")));
  expect([down, up, none]).toEqual([
    { sort: "cost", order: null },
    { sort: "cost", order: "asc" },
    { sort: null, order: null },
  ]);
  expect(afterPress("time", { by: "ms", order: "desc" })).toEqual({ sort: null, order: null });
  expect(getSort(new URLSearchParams("sort=constructor"))).toBe(null);
});

it("what waits while the log is paused is counted once, and said to be more where it may be", () => {
  const list = (first: number, count: number) => Array.from({ length: count }, (_, index) => receiptOf(first - index));
  const started = { at: 0, newest: receiptOf(100).id, count: 0, more: false };
  const some = updatePaused(started, list(103, 50));
  expect(some).toEqual({ at: 0, newest: receiptOf(103).id, count: 3, more: false });
  expect(updatePaused(some, list(103, 50))).toBe(some);
  expect(updatePaused(some, list(400, 50))).toMatchObject({ count: 53, more: true });
  expect(updatePaused({ ...started, newest: undefined }, list(2, 2))).toMatchObject({ count: 2, more: false });
});
