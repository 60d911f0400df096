import * as fc from "fast-check";
import { expect, it, test } from "vitest";
import {
  estimateLikelySides,
  findNearestResolution,
  ratioOfSides,
  formatResolutionName,
  sameRatio,
  chooseSides,
  getSidesOfSize,
} from "../../../../gateway/core/videos/video-size.ts";

it.each([
  ["720P", "720p"],
  ["720p", "720p"],
  [" 1080 ", "1080p"],
  ["4K", "4k"],
  ["HD", "hd"],
])("%j is %j", (text, name) => expect(formatResolutionName(text)).toBe(name));

it.each([
  ["1280*720", [1280, 720]],
  ["1280x720", [1280, 720]],
  ["720X1280", [720, 1280]],
  ["0*720", null],
  ["1280", null],
  ["1280*", null],
  ["123456*1", null],
  ["-1*1", null],
])("%j has the sides %j", (size, sides) => expect(getSidesOfSize(size)).toEqual(sides));

it.each([
  ["16:9", "16:9", true],
  ["32:18", "16:9", true],
  ["1088:832", "4:3", true],
  ["16:9", "9:16", false],
  ["4:3", "3:2", false],
  ["Adaptive", "adaptive", true],
  ["adaptive", "16:9", false],
  ["1:0", "1:0", true],
])("%s and %s look the same: %j", (one, other, same) => {
  expect(sameRatio(one, other)).toBe(same);
  expect(sameRatio(other, one)).toBe(same);
});

it.each([
  ["720p", "21:9", [1680, 720]],
  ["720p", "9:21", [720, 1680]],
  ["4k", "16:9", [3840, 2160]],
  ["480p", "3:2", [720, 480]],
  ["720p", "adaptive", [1280, 720]],
  ["what", "ever", [1280, 720]],
])("%s at %s is likely %j", (resolution, ratio, sides) =>
  expect(estimateLikelySides(resolution, ratio)).toEqual(sides),
);

it.each([
  [[1280, 720], ["480p", "720p", "1080p"], "720p"],
  [[1792, 1024], ["720p", "1080p"], "1080p"],
  [[1792, 1024], ["720p", "1024p"], "1024p"],
  [[3840, 2160], ["720p", "1080p"], "1080p"],
  [[16, 16], ["720p"], "720p"],
] as const)("%j is nearest to %j: %s", (sides, among, name) => expect(findNearestResolution(sides, among)).toBe(name));

test("for every size of the table: its resolution and its ratio lead back to it", () => {
  const pairs = ["480p", "720p", "1080p", "1024p"].flatMap((resolution) =>
    ["16:9", "9:16", "1:1", "4:3", "3:4"].map((ratio) => [resolution, ratio] as const),
  );
  fc.assert(
    fc.property(fc.constantFrom(...pairs), ([resolution, ratio]) => {
      const sides = chooseSides(resolution, ratio);
      fc.pre(sides !== null);
      const among = resolution === "1024p" ? ["720p", "1024p"] : undefined;
      expect([findNearestResolution(sides, among), ratioOfSides(sides)]).toEqual([resolution, ratio]);
    }),
  );
});

test("for any sides: the ratio in words looks like them, and likely sides are positive and even in one of two", () => {
  const side = fc.integer({ min: 1, max: 99_999 });
  fc.assert(
    fc.property(side, side, (width, height) => {
      expect(sameRatio(ratioOfSides([width, height]), `${width}:${height}`)).toBe(true);
      const [wide, high] = estimateLikelySides("720p", `${width}:${height}`);
      expect(Math.min(wide, high)).toBeGreaterThanOrEqual(720);
    }),
  );
});
