import { expect, it } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { markedParts } from "../../../../renderer/components/request/marked.tsx";
import { getStages } from "../../../../renderer/components/request/stages.ts";
import { receiptOf } from "../../../e2e/browser/receipts.ts";

const whole: Partial<Receipt> = { ms: 1_000, first_ms: 400, wait_ms: 50, connect_ms: 30 };

it.each<[string, Partial<Receipt>, string]>([
  ["all that is known", whole, "queue 0-50, connect 50-80, first 80-400, stream 400-1000"],
  ["a kept connection", { ...whole, connect_ms: 0 }, "queue 0-50, connect 50-50, first 50-400, stream 400-1000"],
  ["a receipt of an earlier version", { ms: 1_000, first_ms: 400 }, "first 0-400, stream 400-1000"],
  ["one that no provider was asked for", { ...whole, first_ms: null, wait_ms: null, connect_ms: null }, "whole 0-1000"],
  ["no response from a provider", { ...whole, first_ms: null, connect_ms: null }, "queue 0-50, whole 50-1000"],
  [
    "stages that reach further than the whole",
    { ...whole, ms: 60, first_ms: 60 },
    "queue 0-50, connect 50-60, first 60-60, stream 60-60",
  ],
])("tells the stages of %s", (_, change, reported) => {
  const receipt = receiptOf(0, change);
  expect(
    getStages(receipt)
      .map(({ name, from, to }) => `${name} ${from}-${to}`)
      .join(", "),
  ).toBe(reported);
});

it.each([
  ["Find the heron", "HERON", ["Find the ", "heron", ""]],
  ["aaa", "a", ["", "a", "", "a", "", "a", ""]],
  ["nothing", "heron", ["nothing"]],
  ["nothing", " ", ["nothing"]],
  // Its lower case is longer: places would be wrong.
  ["İheron", "heron", ["İheron"]],
])("marks in %j what %j found", (text, q, parts) => {
  expect(markedParts(text, q)).toEqual(parts);
});

it("marks no more than anybody looks at", () => {
  expect(markedParts("a".repeat(10_000), "a").length).toBe(401);
});
