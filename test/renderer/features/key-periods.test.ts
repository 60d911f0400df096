import { expect, it } from "vitest";
import { monthBegan, getPeriod } from "../../../renderer/features/keys/use-key-periods.ts";

it("takes the period of a limit, and none without one", () => {
  expect(getPeriod({ limit_usd: 5, reset: "daily" })).toBe("daily");
  expect(getPeriod({ limit_usd: 0, reset: "monthly" })).toBe("monthly");
  expect(getPeriod({ limit_usd: null, reset: "daily" })).toBe("never");
});

it("begins the month as limits do, in UTC", () => {
  expect(monthBegan(Date.UTC(2026, 10, 30, 23, 59))).toBe("2026-11-01");
  expect(monthBegan(Date.UTC(2026, 11, 1))).toBe("2026-12-01");
});
