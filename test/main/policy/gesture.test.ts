import { expect, it } from "vitest";
import { GESTURE_MS, isFollowedByHand, isPress } from "../../../main/policy/gesture.ts";

it.each(["mouseDown", "mouseUp", "keyDown", "rawKeyDown", "gestureTap", "touchEnd"])("%s presses something", (type) => {
  expect(isPress(type)).toBe(true);
});

it.each([
  "mouseMove",
  "mouseEnter",
  "mouseWheel",
  "pointerMove",
  "gestureScrollBegin",
  "keyUp",
  "char",
  "undefined",
  "",
])("%s presses nothing", (type) => {
  expect(isPress(type)).toBe(false);
});

it.each([
  [null, 0, false],
  [100, 100, true],
  [100, 100 + GESTURE_MS, true],
  [100, 101 + GESTURE_MS, false],
])("pressed at %s, now %s: %s", (pressedAt, now, expected) => {
  expect(isFollowedByHand(pressedAt, now)).toBe(expected);
});
