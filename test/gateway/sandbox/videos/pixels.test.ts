import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { filmOf, momentOf } from "../../../../gateway/sandbox/videos/film.ts";

const hasDecoder = spawnSync("ffmpeg", ["-version"]).status === 0;

/** BT.709 in limited range, written down once more: the film's own sum is what is tested. */
function codedOf([red = 0, green = 0, blue = 0]: readonly number[]): readonly [number, number, number] {
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const difference = (colour: number, most: number): number => Math.round(128 + ((colour - light) / most / 255) * 224);
  return [Math.round(16 + (light * 219) / 255), difference(blue, 1.8556), difference(red, 1.5748)];
}

describe.skipIf(!hasDecoder)("a film, decoded by ffmpeg", () => {
  it.each([
    [1280, 720],
    [1104, 832],
    [1472, 624],
    [1080, 1920],
  ])("of %d×%d is the mosaic with its bar, pixel for pixel", async (width, height) => {
    const plan = { width, height, frames: 50, digits: "00c0ffe" };
    const { stdout, stderr, status } = spawnSync(
      "ffmpeg",
      ["-v", "warning", "-err_detect", "explode", "-i", "pipe:0", "-f", "rawvideo", "-pix_fmt", "yuv420p", "pipe:1"],
      { input: await filmOf(plan), maxBuffer: 1e9 },
    );
    expect([status, stderr.toString("utf8")]).toEqual([0, ""]);
    const area = width * height;
    expect(stdout.length).toBe(plan.frames * area * 1.5);
    for (let frame = 0; frame < plan.frames; frame += 7) {
      const { palette, tiles, columns } = momentOf(plan, frame / plan.frames);
      const expected = palette.map(codedOf);
      const start = frame * area * 1.5;
      let wrong = 0;
      for (let y = 0; y < height; y += 5) {
        for (let x = 0; x < width; x += 5) {
          const tile = tiles[Math.floor(y / 8) * columns + Math.floor(x / 8)] ?? 0;
          const small = (y >> 1) * (width / 2) + (x >> 1);
          const found = [y * width + x, area + small, area * 1.25 + small].map((place) => stdout[start + place]);
          if (String(found) !== String(expected[tile])) wrong += 1;
        }
      }
      expect(wrong).toBe(0);
    }
  });
});
