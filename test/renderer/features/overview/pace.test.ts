import { expect, it } from "vitest";
import { monthAtThisPace } from "../../../../renderer/features/overview/pace.ts";

const at = (text: string): number => Date.parse(text);

it("goes on as since the first day that cost something, until the end of the UTC month", () => {
  const whole = [{ day: "2026-11-01", nano: 100 }];
  expect(monthAtThisPace(1_500, whole, at("2026-11-16T00:00:00Z"))).toBe(3_000);
  // Begun on the 21st: ten days in all, five of them gone.
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
