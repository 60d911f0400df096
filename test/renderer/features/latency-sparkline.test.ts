import { expect, it } from "vitest";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { latenciesOf } from "../../../renderer/features/connections/latency-sparkline.tsx";

const took = (ms: number, outcome: Receipt["outcome"] = "completed") => ({ ms, outcome });

it("shows requests from old to new, with the median of those that were completed", () => {
  const { bars, failed, p50 } = latenciesOf([took(300), took(9_000, "failed"), took(100), took(200)]);
  expect(bars.map(({ ms }) => ms)).toEqual([200, 100, 9_000, 300]);
  expect([failed, p50]).toEqual([1, 200]);
});

it("takes nothing from requests that were cancelled", () => {
  expect(latenciesOf([took(5, "cancelled"), took(100)])).toMatchObject({ bars: [{ ms: 100 }], failed: 0, p50: 100 });
});

it("has no median where all failed, and nothing to show without requests", () => {
  expect(latenciesOf([took(5, "failed"), took(6, "interrupted")])).toMatchObject({ failed: 2, p50: null });
  expect(latenciesOf([])).toEqual({ bars: [], failed: 0, p50: null });
});

it("shows the newest forty", () => {
  const { bars } = latenciesOf(Array.from({ length: 50 }, (_, index) => took(index)));
  expect([bars.length, bars.at(-1)?.ms, bars[0]?.ms]).toEqual([40, 0, 39]);
});
