import { expect, it } from "vitest";
import { endDay, getOrdinal } from "../../../../gateway/contract/pace.ts";
import { endInWords, outlook } from "../../../../gateway/core/money/outlook.ts";
import { sampleBudget, sampleKey, sampleState, sampleTotals } from "../../../main/launch/samples.ts";

it.each([
  [1, "1st"],
  [2, "2nd"],
  [3, "3rd"],
  [4, "4th"],
  [11, "11th"],
  [12, "12th"],
  [13, "13th"],
  [21, "21st"],
  [22, "22nd"],
  [23, "23rd"],
  [24, "24th"],
  [30, "30th"],
  [31, "31st"],
])("the day %i is the %s, to its last moment in UTC", (day, words) => {
  const moments = [Date.UTC(2026, 11, day), Date.UTC(2026, 11, day, 23, 59, 59)];
  expect(moments.map((at) => getOrdinal(endDay(at)))).toEqual([words, words]);
});

it("tells when limits end: of a month by the day, of a day by the minute", () => {
  expect(endInWords("monthly", Date.UTC(2026, 10, 24, 3))).toBe("on the 24th");
  expect(endInWords("daily", Date.UTC(2026, 10, 24, 3, 7, 59))).toBe("at 03:07 UTC");
});

it("names what is spent and what ends, and nothing else", () => {
  const ends = Date.UTC(2026, 10, 24);
  const daily = { ...sampleBudget, reset: "daily", scope: { kind: "project", name: "site" } } as const;
  expect(outlook(sampleState, [sampleKey], [sampleBudget])).toEqual([]);
  const half = { ...daily, left_nano: 1, held_nano: 1 };
  const month = { ...sampleTotals, nano: 4 };
  expect(outlook({ ...sampleState, monthly_budget_nano: 5, month }, [], [half])).toEqual([]);
  expect(
    outlook(
      { ...sampleState, monthly_budget_nano: 5, month: { ...sampleTotals, nano: 5 } },
      [
        { ...sampleKey, limit_usd: 1, state: "spent" },
        { ...sampleKey, limit_usd: 9, reset: "daily", ends_at: ends },
      ],
      [
        { ...sampleBudget, ends_at: ends },
        { ...daily, left_nano: 0 },
        { ...daily, reset: "monthly", left_nano: 0, held_nano: 1 },
      ],
    ),
  ).toEqual([
    "The month's budget is spent.",
    'The limit of the key "laptop" is spent.',
    'At this pace the limit of the key "laptop" ends at 00:00 UTC.',
    'At this pace the monthly budget of the client "claude-*" ends on the 24th.',
    'The daily budget of the project "site" is spent.',
  ]);
  expect(outlook({ ...sampleState, monthly_budget_nano: 1e12, monthly_budget_ends_at: ends }, [], [])).toEqual([
    "At this pace the month's budget ends on the 24th.",
  ]);
});
