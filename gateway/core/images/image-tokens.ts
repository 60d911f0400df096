import type { ImageQuality } from "./image-quality.ts";
import { readSides } from "./image-rules.ts";

/**
 * Output tokens of one 1024×1024 image by quality: OpenAI's table for gpt-image-1 (docs/providers/openai.md#images),
 * whose larger sizes take 1.5 times as many for 1.5 times the pixels. For other models it is a high estimate.
 */
const TOKENS: Readonly<Record<ImageQuality, number>> = {
  low: 272,
  medium: 1_056,
  standard: 1_056,
  high: 4_160,
  hd: 4_160,
  // The model chooses the quality, so its max applies.
  auto: 4_160,
};
const TABLE_PIXELS = 1_024 * 1_024;
/** Pixels of the largest size that `auto` can choose for models of the table. */
const AUTO_PIXELS = 1_536 * 1_024;
/** Each unfinished image of a stream (docs/providers/openai.md#images, a guess). */
export const PARTIAL_TOKENS = 100;
/**
 * Max input tokens of a reference image: gpt-image-1 counts up to 1,100 in tiles plus 6,240 at high fidelity; for other
 * models it is a guess.
 */
export const REFERENCE_TOKENS = 8_000;

/**
 * Returns the max output tokens of one image: for holds, and for providers that bill by token and report none.
 * @param size `WxH`, `auto`, or null. @param partials partial images that are streamed before it.
 */
export function imageTokens(size: string | null, quality: string | null, partials: number): number {
  const sides = size === null ? null : readSides(size);
  const pixels = sides === null ? AUTO_PIXELS : sides[0] * sides[1];
  const base = TOKENS[isQuality(quality) ? quality : "auto"];
  return Math.ceil(Math.max(base, (base * pixels) / TABLE_PIXELS)) + partials * PARTIAL_TOKENS;
}

/** gpt-image-2: squares along the longer side by quality; `auto` may turn out the finest. */
const SQUARES: Readonly<Record<ImageQuality, number>> = {
  low: 16,
  medium: 48,
  standard: 48,
  high: 96,
  hd: 96,
  auto: 96,
};
/** The largest square that it makes: of its 8,294,400 pixels. */
const LARGEST_SIDE = 2_880;

/**
 * Max output tokens of one image of a model with free sizes, as gpt-image-2 counts them
 * (community.openai.com/t/1382699): a square is the most expensive shape.
 */
export function freeImageTokens(size: string | null, quality: string | null): number {
  const sides = size === null ? null : readSides(size);
  const [width, height] = sides ?? [LARGEST_SIDE, LARGEST_SIDE];
  const squares = SQUARES[isQuality(quality) ? quality : "auto"];
  const across = Math.round((squares * Math.min(width, height)) / Math.max(width, height));
  return Math.ceil((squares * across * (2_000_000 + width * height)) / 4_000_000);
}

function isQuality(quality: string | null): quality is ImageQuality {
  return quality !== null && Object.hasOwn(TOKENS, quality);
}
