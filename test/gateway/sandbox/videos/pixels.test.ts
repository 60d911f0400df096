import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { getFilm } from "../../../../gateway/sandbox/videos/film.ts";
import { needs } from "../../../support/needs.ts";

const hasDecoder = spawnSync("ffmpeg", ["-version"]).status === 0;

describe.skipIf(!hasDecoder)("a film, decoded by ffmpeg", needs("ffmpeg"), () => {
  it.each([
    [1280, 720],
    [1104, 832],
    [1472, 624],
    [1080, 1920],
  ])("of %d×%d has every picture, without a word of complaint", async (width, height) => {
    const plan = { width, height, frames: 51, digits: "00c0ffe" };
    const { stdout, stderr, status } = spawnSync(
      "ffmpeg",
      ["-v", "warning", "-err_detect", "explode", "-i", "pipe:0", "-f", "rawvideo", "-pix_fmt", "gray", "pipe:1"],
      { input: await getFilm(plan), maxBuffer: 2e9 },
    );
    expect([status, stderr.toString("utf8")]).toEqual([0, ""]);
    const area = width * height;
    expect(stdout.length).toBe(plan.frames * area);
    // The bar, at the left edge, is white in the first picture, and in the first after two seconds.
    for (const frame of [0, 48]) expect(stdout[frame * area + 4 * width + 4]).toBeGreaterThan(220);
    expect(stdout[24 * area + 4 * width + 4]).toBeLessThan(150);
  });
});
