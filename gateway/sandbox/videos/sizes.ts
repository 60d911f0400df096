/**
 * Pictures a second: what Ark and HappyHorse name (docs/providers/dashscope.md#happyhorse and
 * docs/providers/ark.md#video-tasks).
 */
export const RATE = 24;

/** All that a film is made from. */
export interface FilmPlan {
  /** Of one of `FILM_SIZES`: there is a sample of each. */
  readonly width: number;
  readonly height: number;
  /** Pictures; `RATE` of them a second. */
  readonly frames: number;
  /** Told in the film's own words about itself, so that films of two requests are not the same file. */
  readonly digits: string;
}

/** Pixels of a film and what providers call them. */
export interface FilmSize {
  readonly width: number;
  readonly height: number;
  /** `720p`. */
  readonly resolution: string;
  /** `16:9`. */
  readonly ratio: string;
}

const RATIOS = ["16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3", "21:9"] as const;

/**
 * Pixels by resolution, in the order of `RATIOS` (docs/providers/dashscope.md#videos). Those of 480p but the first
 * three, of 3:2, 2:3 and 21:9 are a guess, as is 4k, which is 1080p doubled.
 */
const PIXELS: readonly (readonly [resolution: string, pixels: string])[] = [
  ["480p", "832*480 480*832 624*624 736*544 544*736 768*512 512*768 960*416"],
  ["720p", "1280*720 720*1280 960*960 1104*832 832*1104 1152*768 768*1152 1472*624"],
  ["1080p", "1920*1080 1080*1920 1440*1440 1648*1248 1248*1648 1728*1152 1152*1728 2208*944"],
  ["4k", "3840*2160 2160*3840 2880*2880 3296*2496 2496*3296 3456*2304 2304*3456 4416*1888"],
];

/** Those that only `size` names: of Wan 2.5 and 2.6, and OpenAI's larger ones, whose name for it is a guess. */
const OTHERS: readonly FilmSize[] = [
  { width: 1088, height: 832, resolution: "720p", ratio: "4:3" },
  { width: 832, height: 1088, resolution: "720p", ratio: "3:4" },
  { width: 1632, height: 1248, resolution: "1080p", ratio: "4:3" },
  { width: 1248, height: 1632, resolution: "1080p", ratio: "3:4" },
  { width: 1024, height: 1792, resolution: "1024p", ratio: "4:7" },
  { width: 1792, height: 1024, resolution: "1024p", ratio: "7:4" },
];

/** Every size that the sandbox makes. Ids of tasks name them by their place in it, so that new ones go to its end. */
export const FILM_SIZES: readonly FilmSize[] = [
  ...PIXELS.flatMap(([resolution, row]) =>
    row.split(" ").map((pixels, index) => ({ ...sidesIn(pixels), resolution, ratio: RATIOS[index] ?? "" })),
  ),
  ...OTHERS,
];

/** @returns -1 when there is none. The letter of the resolution may be large. */
export function sizeByRatio(resolution: string, ratio: string): number {
  return FILM_SIZES.findIndex((size) => size.resolution === resolution.toLowerCase() && size.ratio === ratio);
}

/** @param pixels as `1280*720` or `1280x720`. @returns -1 when there is none. */
export function sizeByPixels(pixels: string): number {
  const { width, height } = sidesIn(pixels);
  return FILM_SIZES.findIndex((size) => size.width === width && size.height === height);
}

function sidesIn(pixels: string): { width: number; height: number } {
  const [width = 0, height = 0] = pixels.split(/[*x]/).map(Number);
  return { width, height };
}
