import { expect, it } from "vitest";
import { PassedMoments } from "../../../../../gateway/services/videos/engine/passed-moments.ts";
import { FixedClock, NOON } from "../../../store/fixtures.ts";

it("believes the wall clock when it has said so for a while, and starts over when it took that back", () => {
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

it("forgets the longest known of 10,000 moments, and keeps none that are still to come", () => {
  const clock = new FixedClock();
  const passed = new PassedMoments(clock, 60_000);
  const names = Array.from({ length: 10_000 }, (_, index) => `${index}`);
  const ask = (ms: number, ids: readonly string[], at = NOON) => {
    clock.passed = ms;
    return ids.filter((id) => passed.has(id, at)).length;
  };
  ask(0, names);
  ask(0, ["to come"], NOON + 1);
  expect(ask(60_000, names)).toBe(10_000);
  ask(60_000, ["one more"]);
  expect(ask(60_000, names.slice(1))).toBe(9_999);
  expect(ask(60_000, ["0"])).toBe(0);
});
