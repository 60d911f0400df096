import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { createCommandScript, HISTORY_BUTTONS, zoomStep } from "../../../main/policy/page-command.ts";

describe("a command to the page", () => {
  it.each(["reload", "#/tasks?task=vt_1&q=%22a%22", "#/keys?q=\"');alert(1)//"] as const)(
    "carries %s as text",
    (command) => {
      const target = new EventTarget();
      const events: unknown[] = [];
      target.addEventListener("command", (event) => {
        events.push((event as CustomEvent).detail);
        event.preventDefault();
      });
      const run = (dispatchEvent: (event: Event) => boolean): unknown =>
        runInNewContext(createCommandScript(command), { dispatchEvent, CustomEvent });
      expect(run((event) => target.dispatchEvent(event))).toBe(false);
      expect(run((event) => new EventTarget().dispatchEvent(event))).toBe(true);
      expect(events).toStrictEqual([command]);
    },
  );
});

it.each([
  [0, "in", 0.5],
  [0, "out", -0.5],
  [5.8, "in", 6],
  [6, "in", 6],
  [-4, "out", -4],
  [-4, "in", -3.5],
] as const)("zooms from %s %s to %s", (level, direction, expected) => {
  expect(zoomStep(level, direction)).toBe(expected);
});

it.each([
  ["browser-backward", "back"],
  ["browser-forward", "forward"],
  ["volume-up", undefined],
])("hears the button %s as %s", (button, expected) => {
  expect(HISTORY_BUTTONS[button]).toBe(expected);
});
