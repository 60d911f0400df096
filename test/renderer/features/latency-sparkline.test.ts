import { expect, it } from "vitest";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { getLatencies } from "../../../renderer/features/connections/latency-sparkline.tsx";

const took = (ms: number, outcome: Receipt["outcome"] = "completed") => ({ ms, outcome });

it("shows requests from old to new, with the median of those that were completed", () => {
  const { bars, failed, p50 } = getLatencies([took(300), took(9_000, "failed"), took(100), took(200)]);
  expect(bars.map(({ ms }) => ms)).toEqual([200, 100, 9_000, 300]);
  expect([failed, p50]).toEqual([1, 200]);
});

it("takes nothing from requests that were cancelled", () => {
  expect(getLatencies([took(5, "cancelled"), took(100)])).toMatchObject({ bars: [{ ms: 100 }], failed: 0, p50: 100 });
});

it("has no median where all failed, and nothing to show without requests", () => {
  expect(getLatencies([took(5, "failed"), took(6, "interrupted")])).toMatchObject({ failed: 2, p50: null });
  expect(getLatencies([])).toEqual({ bars: [], failed: 0, p50: null });
});

it("shows the newest forty", () => {
  const { bars } = getLatencies(Array.from({ length: 50 }, (_, index) => took(index)));
  expect([bars.length, bars.at(-1)?.ms, bars[0]?.ms]).toEqual([40, 0, 39]);
});
