import { describe, expect, it } from "vitest";
import {
  isPainted,
  paintMask,
  parseRectangle,
  type Brush,
} from "../../../../renderer/features/playground/media/mask.ts";

/** A canvas that writes down what is done to it. */
function recorder(): { readonly brush: Brush; readonly log: string[] } {
  const log: string[] = [];
  const state: Record<string, unknown> = {};
  const brush = new Proxy(state, {
    get:
      (_target, name) =>
      (...values: readonly number[]) => {
        const mode = String(state["globalCompositeOperation"]);
        log.push(`${String(name)}(${values.join(",")})${name === "fillRect" || name === "stroke" ? ` ${mode}` : ""}`);
      },
    set: (_target, name, value) => {
      state[String(name)] = value;
      return true;
    },
  }) as unknown as Brush;
  return { brush, log };
}

const size = { width: 100, height: 50 };

describe("a mask", () => {
  it("is painted in the order of its shapes, each by its way of mixing", () => {
    const { brush, log } = recorder();
    paintMask(brush, size, [
      { kind: "stroke", erase: false, radius: 5, points: [{ x: 1, y: 2 }] },
      { kind: "rectangle", erase: true, x: 0, y: 0, width: 10, height: 10 },
      { kind: "invert" },
      { kind: "all" },
    ]);
    expect(log).toEqual([
      "clearRect(0,0,100,50)",
      "beginPath()",
      "moveTo(1,2)",
      "lineTo(1,2)",
      "stroke() source-over",
      "fillRect(0,0,10,10) destination-out",
      "fillRect(0,0,100,50) xor",
      "fillRect(0,0,100,50) source-over",
    ]);
  });

  it("takes rectangles in numbers, cut to the picture", () => {
    const typed = { x: "-10", y: "10", width: "40", height: "400" };
    expect(parseRectangle(typed, size, false)).toEqual({
      kind: "rectangle",
      erase: false,
      x: 0,
      y: 10,
      width: 30,
      height: 40,
    });
    expect(parseRectangle({ ...typed, width: "" }, size, false)).toBeNull();
    expect(parseRectangle({ ...typed, x: "200" }, size, false)).toBeNull();
    expect(parseRectangle({ ...typed, height: "tall" }, size, true)).toBeNull();
  });

  it("is there once something was painted", () => {
    expect(isPainted([])).toBe(false);
    expect(isPainted([{ kind: "rectangle", erase: true, x: 0, y: 0, width: 1, height: 1 }])).toBe(false);
    expect(isPainted([{ kind: "invert" }])).toBe(true);
  });
});
