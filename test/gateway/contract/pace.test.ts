import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endsAtThisPace, monthAtThisPace, getSpan, type Spending } from "../../../gateway/contract/pace.ts";

const at = (text: string): number => Date.parse(text);
const DAY = 86_400_000;
const HOUR = 3_600_000;

describe("what the month will have cost", () => {
  it("goes on as since the first day that cost something, until the end of the UTC month", () => {
    const whole = [{ day: "2026-11-01", nano: 100 }];
    expect(monthAtThisPace(1_500, whole, at("2026-11-16T00:00:00Z"))).toBe(3_000);
    // Started on the 21st: ten days in all, five of them gone.
    const late = [
      { day: "2026-11-20", nano: 0 },
      { day: "2026-11-21", nano: 7 },
    ];
    expect(monthAtThisPace(500, late, at("2026-11-26T00:00:00Z"))).toBe(1_000);
  });

  it("says nothing before a day is over, where nothing was spent, or of another month", () => {
    const now = at("2026-11-21T23:59:00Z");
    expect(monthAtThisPace(500, [{ day: "2026-11-21", nano: 7 }], now)).toBeNull();
    expect(monthAtThisPace(0, [{ day: "2026-11-01", nano: 0 }], now)).toBeNull();
    expect(monthAtThisPace(0, [], now)).toBeNull();
    expect(monthAtThisPace(500, [{ day: "2026-10-30", nano: 7 }], now)).toBeNull();
  });
});

describe("when a limit is spent at this pace", () => {
  type Row = readonly [what: string, spending: Spending, now: string, ends: string | null];
  const month = (limit: number, spent: number, ...days: string[]): Spending => ({
    period: "monthly",
    limit,
    spent,
    spentIn: days.map((day) => at(`${day}T00:00:00Z`)),
  });
  const today = (limit: number, spent: number, ...hours: string[]): Spending => ({
    period: "daily",
    limit,
    spent,
    spentIn: hours.map((hour) => at(`${hour}:00Z`)),
  });
  const TABLE: readonly Row[] = [
    ["a third in eight days", month(30, 10, "2026-11-01", "2026-11-08"), "2026-11-09T00:00Z", "2026-11-25T00:00Z"],
    ["begun in the middle", month(30, 10, "2026-11-11", "2026-11-14"), "2026-11-15T00:00Z", "2026-11-23T00:00Z"],
    ["it lasts for the month", month(100, 10, "2026-11-01", "2026-11-08"), "2026-11-09T00:00Z", null],
    ["it ends with the month", month(30, 10, "2026-11-01", "2026-11-10"), "2026-11-11T00:00Z", null],
    ["the last day of a month", month(30, 29, "2026-11-01", "2026-11-29"), "2026-11-30T00:00Z", null],
    ["spent on its last day", month(30, 29.5, "2026-11-01", "2026-11-29"), "2026-11-30T00:00Z", "2026-11-30T11:47Z"],
    ["the first day of a month", month(30, 29, "2026-11-01"), "2026-11-01T23:59Z", null],
    ["a day later", month(30, 10, "2026-11-01"), "2026-11-02T00:00Z", "2026-11-04T00:00Z"],
    ["days of another month say nothing", month(30, 10, "2026-10-30", "2026-10-31"), "2026-11-02T00:00Z", null],
    ["nor do days that are still to come", month(30, 10, "2026-11-20"), "2026-11-12T00:00Z", null],
    ["a weekend is no end", month(30, 20, "2026-11-02", "2026-11-06"), "2026-11-09T12:00Z", "2026-11-13T06:00Z"],
    ["nor is the Monday after it", month(30, 20, "2026-11-02", "2026-11-06"), "2026-11-10T00:00Z", "2026-11-14T00:00Z"],
    ["spend that stopped", month(30, 20, "2026-11-02", "2026-11-06"), "2026-11-10T00:01Z", null],
    ["it is spent", month(30, 30, "2026-11-01", "2026-11-08"), "2026-11-09T00:00Z", null],
    ["more than spent", month(30, 31, "2026-11-01", "2026-11-08"), "2026-11-09T00:00Z", null],
    ["a limit of nothing", month(0, 0, "2026-11-01"), "2026-11-09T00:00Z", null],
    ["nothing was spent", month(30, 0), "2026-11-09T00:00Z", null],
    ["February of a leap year", month(30, 20, "2028-02-01", "2028-02-19"), "2028-02-20T00:00Z", "2028-02-29T12:00Z"],
    ["and of another", month(30, 20, "2027-02-01", "2027-02-19"), "2027-02-20T00:00Z", null],
    [
      "clocks that are set forward somewhere",
      month(30, 10, "2026-03-25", "2026-03-28"),
      "2026-03-27T00:00Z",
      "2026-03-31T00:00Z",
    ],
    [
      "half of a day's in two hours",
      today(10, 5, "2026-11-09T09:00", "2026-11-09T10:00"),
      "2026-11-09T11:00Z",
      "2026-11-09T13:00Z",
    ],
    ["it lasts for the day", today(10, 1, "2026-11-09T09:00", "2026-11-09T10:00"), "2026-11-09T11:00Z", null],
    ["the first hour of a day", today(10, 5, "2026-11-09T00:00"), "2026-11-09T00:59Z", null],
    ["yesterday's hours", today(10, 5, "2026-11-08T23:00"), "2026-11-09T01:00Z", null],
    ["a long lunch is no end", today(10, 6, "2026-11-09T09:00"), "2026-11-09T13:00Z", "2026-11-09T15:40Z"],
    ["who went home", today(10, 9, "2026-11-09T09:00"), "2026-11-09T13:01Z", null],
  ];
  it.each(TABLE)("%s", (_what, spending, now, ends) => {
    const found = endsAtThisPace(spending, at(now));
    expect(found === null ? null : `${new Date(found).toISOString().slice(0, 16)}Z`).toBe(ends);
  });

  it("is later than now and within the period, the sooner the more is spent, whatever the figures", () => {
    const facts = fc.record({
      period: fc.constantFrom("daily" as const, "monthly" as const),
      limit: fc.integer({ min: 1, max: 1e15 }),
      spent: fc.integer({ min: 0, max: 1e15 }),
      more: fc.integer({ min: 0, max: 1e12 }),
      offsets: fc.array(fc.integer({ min: 0, max: 31 * DAY }), { maxLength: 40 }),
      now: fc.integer({ min: at("2000-01-01T00:00Z"), max: at("2100-01-01T00:00Z") }),
    });
    fc.assert(
      fc.property(facts, ({ period, limit, spent, more, offsets, now }) => {
        const { from, to, slot } = getSpan(period, now);
        expect(from <= now && now < to && (period === "daily" ? slot === HOUR : slot === DAY)).toBe(true);
        const starts = offsets.map((offset) => from + Math.floor(offset / slot) * slot);
        const spentIn = starts.filter((start) => start <= now).toSorted((a, b) => a - b);
        const end = endsAtThisPace({ period, limit, spent, spentIn }, now);
        if (end === null) return;
        expect(end).toBeGreaterThanOrEqual(now);
        expect(end).toBeLessThanOrEqual(to);
        // Exactly the limit is spent then.
        const pace = spent / (now - (spentIn[0] ?? 0));
        expect(Math.abs(spent + pace * (end - now) - limit)).toBeLessThanOrEqual(pace + limit * 1e-9 + 1);
        const sooner = endsAtThisPace({ period, limit, spent: spent + more, spentIn }, now);
        if (spent + more < limit) expect(sooner ?? Infinity).toBeLessThanOrEqual(end);
      }),
    );
  });
});
