import { describe, expect, it } from "vitest";
import { markBitmap, markCoverage } from "../../../main/policy/mark.ts";

/** The mark as text: `#` where a pixel is covered by two fifths and more. */
function draw(size: number): string[] {
  const coverage = markCoverage(size);
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => ((coverage[y * size + x] ?? 0) > 102 ? "#" : ".")).join(""),
  );
}

describe("the mark", () => {
  it("is a gate at 16 pixels", () => {
    expect(draw(16)).toMatchInlineSnapshot(`
      [
        "................",
        ".....######.....",
        "....########....",
        "...##......##...",
        "..##........##..",
        "..##.##..##.##..",
        ".##..##..##..##.",
        ".##..##..##..##.",
        ".##..##..##..##.",
        ".##############.",
        ".##..##..##..##.",
        ".##..##..##..##.",
        ".##..##..##..##.",
        ".##..##..##..##.",
        ".##..##..##..##.",
        "................",
      ]
    `);
  });

  it.each([16, 20, 24, 32, 48])("is symmetric and leaves the corners free at %i pixels", (size) => {
    const coverage = markCoverage(size);
    const pixel = (x: number, y: number): number => coverage[y * size + x] ?? Number.NaN;
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size / 2; x++) {
        expect(Math.abs(pixel(x, y) - pixel(size - 1 - x, y)), `${x},${y}`).toBeLessThanOrEqual(1);
      }
    }
    for (const [x, y] of [
      [0, 0],
      [size - 1, 0],
      [0, size - 1],
      [size - 1, size - 1],
    ] as const)
      expect(pixel(x, y)).toBe(0);
  });

  it.each([
    ["black", 0],
    ["white", 255],
  ])("is a %s bitmap whose colours are multiplied by alpha", (_name, grey) => {
    const bitmap = markBitmap(16, grey);
    const coverage = markCoverage(16);
    expect(bitmap).toHaveLength(16 * 16 * 4);
    coverage.forEach((alpha, index) => {
      const colour = grey === 0 ? 0 : alpha;
      expect([...bitmap.subarray(index * 4, index * 4 + 4)]).toStrictEqual([colour, colour, colour, alpha]);
    });
    expect(Math.max(...coverage)).toBe(255);
  });
});
