import { nearestRatio } from "../../core/images/aspect-ratio.ts";
import { sidesOf } from "../../core/images/image-rules.ts";

/** `imageConfig.aspectRatio` (docs/providers/gemini.md#images). */
const RATIOS = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"] as const;
const SIZE_WORDS: ReadonlySet<unknown> = new Set(["512", "1K", "2K", "4K"]);

/** Sides of a square of as many pixels, up to which a size is made as 1K, and as 2K: midway between the two. */
const MOST_AT_1K = 1_448;
const MOST_AT_2K = 2_896;

/**
 * `WxH`, or one of Gemini's own words, as Gemini asks for it: the nearest of its ratios, and the nearest of its sizes
 * where the model has sizes (Gemini 3 and later).
 * @returns undefined where the model is to decide: no size, `auto`, or none that can be read.
 */
export function imageConfig(size: unknown, upstreamModel: string): Readonly<Record<string, string>> | undefined {
  if (typeof size !== "string") return undefined;
  const hasSizes = !/gemini-2\./.test(upstreamModel);
  if (SIZE_WORDS.has(size)) return hasSizes ? { imageSize: size } : undefined;
  const sides = sidesOf(size);
  if (sides === null) return undefined;
  const [width, height] = sides;
  return {
    aspectRatio: nearestRatio(width, height, RATIOS),
    ...(hasSizes ? { imageSize: nearestSize(Math.sqrt(width * height)) } : {}),
  };
}

function nearestSize(side: number): string {
  if (side <= MOST_AT_1K) return "1K";
  return side <= MOST_AT_2K ? "2K" : "4K";
}
