import { describe, expect, test } from "vitest";
import type { Reset } from "../../../../gateway/contract/key.ts";
import { getKeyState, findNextReset, spentInPeriod, startsAnew } from "../../../../gateway/core/keys/key-state.ts";

const at = Date.UTC(2026, 10, 20, 14, 30);
const spend = {
  total_nano: 900,
  days: [
    { period: "2062-01-01", nano: 600 },
    { period: "2026-11-19", nano: 65 },
    { period: "2026-11-20", nano: 5 },
  ],
  months: [
    { period: "2062-01", nano: 600 },
    { period: "2026-11", nano: 70 },
  ],
};
const key = { disabled: false, expires_at: null, limit_nano: null, reset: "never" as Reset };

describe("what was spent", () => {
  test.each([
    ["never", at, 900],
    ["monthly", at, 70],
    ["daily", at, 5],
    ["daily", Date.UTC(2026, 10, 20, 23, 59, 59, 999), 5],
    ["daily", Date.UTC(2026, 10, 21), 0],
    ["monthly", Date.UTC(2026, 10, 30, 23, 59, 59, 999), 70],
    ["monthly", Date.UTC(2026, 11, 1), 0],
    ["never", Date.UTC(2036, 0, 1), 900],
    ["daily", Date.UTC(2026, 10, 19, 1), 65],
    ["daily", Date.UTC(2026, 10, 18), 0],
    ["daily", Date.UTC(2062, 0, 1, 5), 600],
    ["monthly", Date.UTC(2062, 0, 9), 600],
    ["monthly", Date.UTC(2026, 9, 1), 0],
  ] as const)("with reset %s at %i is %i", (reset, moment, nano) => {
    expect(spentInPeriod(spend, reset, moment)).toBe(nano);
  });

  test("is 0 for a key that was never used", () => {
    expect(spentInPeriod(undefined, "never", at)).toBe(0);
  });
});

describe("state", () => {
  test.each([
    ["active", {}],
    ["active", { limit_nano: 901 }],
    ["spent", { limit_nano: 900 }],
    ["spent", { limit_nano: 0 }],
    ["spent", { limit_nano: 5, reset: "daily" as Reset }],
    ["active", { limit_nano: 71, reset: "monthly" as Reset }],
    ["expired", { expires_at: at }],
    ["active", { expires_at: at + 1 }],
    ["expired", { expires_at: at - 1, limit_nano: 1 }],
    ["disabled", { disabled: true, expires_at: at - 1, limit_nano: 1 }],
  ] as const)("is %s with %j", (state, fields) => {
    expect(getKeyState({ ...key, ...fields }, spend, at)).toBe(state);
  });

  test("is active again in the next period", () => {
    const daily = { ...key, limit_nano: 5, reset: "daily" as Reset };
    expect(getKeyState(daily, spend, at)).toBe("spent");
    expect(getKeyState(daily, spend, at + 86_400_000)).toBe("active");
  });
});

describe("periods are UTC", () => {
  test.each([
    ["daily", Date.UTC(2026, 10, 21)],
    ["monthly", Date.UTC(2026, 11, 1)],
    ["never", null],
  ] as const)("%s", (reset, next) => {
    expect(findNextReset(reset, at)).toBe(next);
  });

  test("a year's end is a month's end", () => {
    expect(findNextReset("monthly", Date.UTC(2026, 11, 31, 23))).toBe(Date.UTC(2027, 0, 1));
    expect(findNextReset("daily", Date.UTC(2026, 11, 31, 23))).toBe(Date.UTC(2027, 0, 1));
  });
});

describe("a limit starts over", () => {
  test.each([
    ["daily", 5, Date.UTC(2026, 10, 21)],
    ["monthly", 70, Date.UTC(2026, 11, 1)],
    ["never", 900, null],
    ["daily", 0, Date.UTC(2026, 10, 21)],
    ["daily", null, Date.UTC(2026, 10, 21)],
  ] as const)("%s, of %s, in the next period", (reset, limit_nano, next) => {
    expect(startsAnew({ limit_nano, reset }, spend, at)).toBe(next);
  });

  test("a period later where a wrong clock has spent the next one already", () => {
    const ahead = { ...spend, days: [...spend.days, { period: "2026-11-21", nano: 9 }] };
    expect(startsAnew({ limit_nano: 9, reset: "daily" }, ahead, at)).toBe(Date.UTC(2026, 10, 22));
    expect(startsAnew({ limit_nano: 10, reset: "daily" }, ahead, at)).toBe(Date.UTC(2026, 10, 21));
  });
});
