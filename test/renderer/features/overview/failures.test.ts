import { expect, it } from "vitest";
import { failureAddress, failuresByCode } from "../../../../renderer/features/overview/failures.ts";
import { receiptOf } from "../../../e2e/browser/receipts.ts";

it("counts failures by code, those with the newest first, and leads to each", () => {
  const failed = { outcome: "failed", status: 429, code: "rate_limit_exceeded" } as const;
  const groups = failuresByCode([
    receiptOf(1, { ...failed, id: "old", at: 10 }),
    receiptOf(2, { outcome: "unknown", status: 504, code: "provider_timeout", id: "one", at: 20 }),
    receiptOf(3, { ...failed, id: "new", at: 30, status: 503 }),
    receiptOf(4, { outcome: "interrupted", id: "cut", at: 5 }),
  ]);
  expect(groups.map(({ newest: { code, id, at, status }, count }) => [code, count, id, at, status])).toEqual([
    ["rate_limit_exceeded", 2, "new", 30, 503],
    ["provider_timeout", 1, "one", 20, 504],
    [null, 1, "cut", 5, 200],
  ]);
  expect(groups.map(failureAddress)).toEqual([
    { q: "rate_limit_exceeded" },
    { q: "provider_timeout" },
    { outcome: "interrupted" },
  ]);
});
