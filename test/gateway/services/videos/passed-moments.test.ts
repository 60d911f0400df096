import { expect, it } from "vitest";
import { PassedMoments } from "../../../../gateway/services/videos/engine/passed-moments.ts";
import { FixedClock, NOON } from "../../store/fixtures.ts";

it("believes the wall clock when it has said so for a while, and begins anew when it took that back", () => {
  const clock = new FixedClock();
  const passed = new PassedMoments(clock, 60_000);
  const has = (wall: number, monotonic: number, id = "a"): boolean => {
    clock.at = NOON + wall;
    clock.passed = monotonic;
    return passed.has(id, NOON);
  };
  expect(has(-1, 0)).toBe(false);
  expect(has(0, 1_000)).toBe(false);
  expect(has(86_400_000, 60_999)).toBe(false);
  expect(has(86_400_000, 61_000)).toBe(true);
  expect(has(86_400_000, 61_000, "b")).toBe(false);
  expect(has(-1, 70_000)).toBe(false);
  expect(has(1, 80_000)).toBe(false);
  expect(has(1, 139_999)).toBe(false);
  expect(has(1, 140_000)).toBe(true);
});
