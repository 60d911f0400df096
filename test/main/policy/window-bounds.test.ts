import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FIRST_SIZE,
  SMALLEST,
  restoreBounds,
  windowStateSchema,
  type WindowState,
  type WorkArea,
} from "../../../main/policy/window-bounds.ts";

const laptop: WorkArea = { x: 0, y: 25, width: 1440, height: 875 };
const second: WorkArea = { x: 1440, y: 0, width: 2560, height: 1440 };
const left: WorkArea = { x: -1920, y: 0, width: 1920, height: 1080 };
const at = (x: number, y: number, width = 1000, height = 700): WindowState => ({
  x,
  y,
  width,
  height,
  maximized: false,
});

describe("restoreBounds", () => {
  it.each([
    ["a first start: centred", null, [laptop], { ...FIRST_SIZE }],
    [
      "a first start on a small display",
      null,
      [{ x: 0, y: 0, width: 1024, height: 600 }],
      { width: 1024, height: 600 },
    ],
    ["a place that is still there", at(100, 80), [laptop], { x: 100, y: 80, width: 1000, height: 700 }],
    ["the second display", at(2000, 100), [laptop, second], { x: 2000, y: 100, width: 1000, height: 700 }],
    ["a display on the left", at(-1500, 100), [laptop, left], { x: -1500, y: 100, width: 1000, height: 700 }],
    ["a display that was unplugged", at(2000, 100), [laptop], { width: 1000, height: 700 }],
    ["mostly beyond the right edge", at(1400, 100), [laptop], { width: 1000, height: 700 }],
    ["a grip of the title bar left", at(1320, 100), [laptop], { x: 1320, y: 100, width: 1000, height: 700 }],
    ["title bar above the display", at(100, -300), [laptop], { width: 1000, height: 700 }],
    ["title bar below the display", at(100, 890), [laptop], { width: 1000, height: 700 }],
    ["larger than the display of now", at(2000, 100, 2400, 1300), [laptop], { width: 1440, height: 875 }],
    ["too small for the pages", at(100, 80, 50, 50), [laptop], { x: 100, y: 80, width: 360, height: 420 }],
    ["no display at all", at(100, 80), [], { width: 1000, height: 700 }],
  ])("%s", (_name, state, displays, expected) => {
    expect(restoreBounds(state, displays)).toStrictEqual(expected);
  });

  it("always has a size that the pages can work with, and a place only within reach", () => {
    const coordinate = fc.integer({ min: -20_000, max: 20_000 });
    const length = fc.integer({ min: 1, max: 20_000 });
    const area = fc.record({ x: coordinate, y: coordinate, width: length, height: length });
    const state = fc.record({ x: coordinate, y: coordinate, width: length, height: length, maximized: fc.boolean() });
    fc.assert(
      fc.property(fc.option(state), fc.array(area, { maxLength: 4 }), (left, displays) => {
        const bounds = restoreBounds(left, displays);
        expect(bounds.width).toBeGreaterThanOrEqual(SMALLEST.width);
        expect(bounds.height).toBeGreaterThanOrEqual(SMALLEST.height);
        const { x, y } = bounds;
        if (x === undefined || y === undefined) return;
        const isWithinReach = displays.some(
          (one) => x < one.x + one.width && x + bounds.width > one.x && y >= one.y && y < one.y + one.height,
        );
        expect(isWithinReach).toBe(true);
      }),
    );
  });
});

it.each([{}, null, [], { ...at(1, 1), width: -1 }, { ...at(1, 1), x: "1" }, { ...at(1, 1), y: 1.5 }])(
  "does not take %j for a window's state",
  (value) => {
    expect(windowStateSchema.safeParse(value).success).toBe(false);
  },
);
