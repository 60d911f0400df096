import { findNearestRatio } from "../images/aspect-ratio.ts";

/** Resolutions, ratios and sizes of videos, and conversions between them. */

export type Sides = readonly [width: number, height: number];

/** Ratios of DashScope's video models (docs/providers/dashscope.md#videos). */
export const COMMON_RATIOS = ["16:9", "9:16", "1:1", "4:3", "3:4"] as const;

/**
 * Pixels by resolution and ratio: DashScope's legacy protocol (docs/providers/dashscope.md#wan-25-and-26), and Sora's
 * larger format (docs/providers/openai.md#videos), which is not quite 16:9.
 */
const PIXELS: Readonly<Record<string, Readonly<Record<string, Sides>>>> = {
  "480p": { "16:9": [832, 480], "9:16": [480, 832], "1:1": [624, 624] },
  "720p": { "16:9": [1280, 720], "9:16": [720, 1280], "1:1": [960, 960], "4:3": [1088, 832], "3:4": [832, 1088] },
  "1080p": {
    "16:9": [1920, 1080],
    "9:16": [1080, 1920],
    "1:1": [1440, 1440],
    "4:3": [1632, 1248],
    "3:4": [1248, 1632],
  },
  "1024p": { "16:9": [1792, 1024], "9:16": [1024, 1792] },
};

/** Max relative difference of two ratios that count as equal: 1088*832 counts as 4:3, 1024x1792 as 9:16. */
const SAME_LOOK = 0.03;
const USUAL_RATIO = "16:9";

/** Returns `720P`, `720` and `720p` as `720p`; `4K` as `4k`. Any other text is returned in lower case. */
export function formatResolutionName(text: string): string {
  const name = text.trim().toLowerCase();
  return /^\d{3,4}$/.test(name) ? `${name}p` : name;
}

/** `1280*720` or `1280x720`; null for anything else. */
export function getSidesOfSize(size: string): Sides | null {
  const match = /^([1-9]\d{0,4})[x*×]([1-9]\d{0,4})$/i.exec(size.trim());
  return match === null ? null : [Number(match[1]), Number(match[2])];
}

/** The pixels that providers make of a resolution and a ratio; null for a pair that no table has. */
export function chooseSides(resolution: string, ratio: string): Sides | null {
  return PIXELS[resolution]?.[ratio] ?? null;
}

/** Ratios that the table has for a resolution. */
export function getRatios(resolution: string): readonly string[] {
  return Object.keys(PIXELS[resolution] ?? {});
}

/** Returns the sides like `sidesFor`, or an approximation if no table has the pair. */
export function estimateLikelySides(resolution: string, ratio: string): Sides {
  const exact = chooseSides(resolution, ratio);
  if (exact !== null) return exact;
  const shape = readNumber(ratio) ?? readNumber(USUAL_RATIO) ?? 1;
  const short = computeShortSide(resolution);
  const long = 2 * Math.round((short * Math.max(shape, 1 / shape)) / 2);
  return shape >= 1 ? [long, short] : [short, long];
}

/** The resolution that a size is sold as: by the number of its pixels. @param among at least one. */
export function findNearestResolution(
  [width, height]: Sides,
  among: readonly string[] = ["480p", "720p", "1080p"],
): string {
  const distance = (name: string): number => Math.abs(Math.log((width * height) / getPixels(name)));
  return among.reduce((nearest, name) => (distance(name) < distance(nearest) ? name : nearest));
}

/** `16:9` for 1280 × 720. Shapes that no list has are written as they are, in lowest terms. */
export function ratioOfSides([width, height]: Sides): string {
  const nearest = findNearestRatio(width, height, COMMON_RATIOS);
  const plain = `${width / computeDivisor(width, height)}:${height / computeDivisor(width, height)}`;
  return sameRatio(nearest, plain) ? nearest : plain;
}

/** Tells whether two ratios are visually equal. Words such as `adaptive` are compared as text. */
export function sameRatio(one: string, other: string): boolean {
  const [left, right] = [readNumber(one), readNumber(other)];
  if (left === null || right === null) return one.trim().toLowerCase() === other.trim().toLowerCase();
  return Math.abs(Math.log(left / right)) < SAME_LOOK;
}

/** Width divided by height; null if it is not `W:H`. */
function readNumber(ratio: string): number | null {
  const match = /^(\d{1,5}(?:\.\d+)?):(\d{1,5}(?:\.\d+)?)$/.exec(ratio.trim());
  const value = match === null ? 0 : Number(match[1]) / Number(match[2]);
  return Number.isFinite(value) && value > 0 ? value : null;
}

function getPixels(resolution: string): number {
  const [width, height] = estimateLikelySides(resolution, USUAL_RATIO);
  return width * height;
}

/** Returns 2,160 for `4k`; 720 for an unknown resolution. */
function computeShortSide(resolution: string): number {
  const thousands = /^(\d)k$/.exec(resolution)?.[1];
  if (thousands !== undefined) return Number(thousands) * 540;
  const lines = /^(\d{3,4})p$/.exec(resolution)?.[1];
  return lines === undefined ? 720 : Number(lines);
}

const computeDivisor = (left: number, right: number): number =>
  right === 0 ? left : computeDivisor(right, left % right);
