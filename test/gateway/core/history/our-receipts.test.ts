import { expect, it } from "vitest";
import type { HistoryTokens } from "../../../../gateway/core/history/history-entry.ts";
import { OurReceipts } from "../../../../gateway/core/history/our-receipts.ts";

const AT = Date.UTC(2026, 9, 12);
const tokens: HistoryTokens = [400, 600, 10, 0, 60, 40];

const receipts = new OurReceipts();
receipts.addId("req_1");
receipts.addUsed({ at: AT, model: "gpt-5.5", tokens: 1_110, outputTokens: 100 });
receipts.addUsed({ at: AT + 3_600_000, model: "gpt-5.5", tokens: 1_110, outputTokens: 100 });

it("know a request by its id", () => {
  expect(["req_1", "req_2"].map((id) => receipts.hasId(id))).toEqual([true, false]);
});

it.each<[string, boolean, Partial<Parameters<OurReceipts["hasUsed"]>[0]>]>([
  ["the same tokens a moment later", true, { at: AT + 900 }],
  ["the same tokens of another hour with a receipt", true, { at: AT + 3_599_000 }],
  ["the same tokens at another time", false, { at: AT + 1_800_000 }],
  ["another model", false, { model: "gpt-5.4" }],
  ["one token more", false, { tokens: [401, 600, 10, 0, 60, 40] }],
  ["one token on the other side", false, { tokens: [399, 600, 10, 0, 61, 40] }],
])("%s: %s", (_, known, other) => {
  expect(receipts.hasUsed({ at: AT, model: "gpt-5.5", tokens, ...other })).toBe(known);
});
