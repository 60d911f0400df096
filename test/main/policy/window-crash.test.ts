import { expect, it } from "vitest";
import {
  CRASH_WINDOW_MS,
  createCrashResponse,
  createCrashQuestion,
  graphicsResponse,
} from "../../../main/policy/window-crash.ts";
import { english } from "../../../main/policy/words.ts";

const now = 1_000_000;

it.each([
  ["clean-exit", [], "ignore"],
  ["clean-exit", [now - 1, now - 2], "ignore"],
  ["crashed", [], "reload"],
  ["killed", [], "reload"],
  ["oom", [], "reload"],
  ["abnormal-exit", [], "reload"],
  ["launch-failed", [], "reload"],
  ["integrity-failure", [], "reload"],
  ["memory-eviction", [], "reload"],
  ["crashed", [now - 1_000], "ask"],
  ["oom", [now - 1_000, now - 2_000], "ask"],
  ["crashed", [now - CRASH_WINDOW_MS], "reload"],
  ["crashed", [now - 10 * CRASH_WINDOW_MS, now - 9 * CRASH_WINDOW_MS], "reload"],
] as const)("%s after crashes at %j: %s", (reason, earlier, expected) => {
  expect(createCrashResponse(reason, earlier, now)).toBe(expected);
});

const ends = (count: number, age: number): number[] => Array.from({ length: count }, () => now - age);

it.each([
  ["enabled", [], "fall-back"],
  ["enabled_force", ends(20, 1), "fall-back"],
  ["disabled_software", [], "draw-again"],
  ["unavailable_software", ends(4, 1), "draw-again"],
  ["disabled_off", ends(5, 1), "ask"],
  ["disabled_software", ends(5, CRASH_WINDOW_MS), "draw-again"],
  ["disabled_software", ends(9, CRASH_WINDOW_MS - 1), "ask"],
] as const)("drawing %s ends after ends at %j: %s", (compositing, earlier, expected) => {
  expect(graphicsResponse(compositing, earlier, now)).toBe(expected);
});

it("says that the gateway goes on, and reloads by the first button only", () => {
  const question = createCrashQuestion("oom", "http://127.0.0.1:6174", english);
  expect(question.detail).toContain("http://127.0.0.1:6174 is not affected");
  expect(question.detail).toContain("oom");
  expect([question.buttons.length, question.defaultId, question.cancelId]).toStrictEqual([2, 0, 1]);
});
