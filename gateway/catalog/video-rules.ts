import type { VideoFamily, VideoKind, VideoRules } from "../core/videos/video-order.ts";

/**
 * What video models accept, by family (docs/specification.md#post-v1videosgenerations;
 * docs/providers/dashscope.md#videos, docs/providers/ark.md#videos, docs/providers/xai.md#videos,
 * docs/providers/openai.md#videos).
 */

const HD = ["720p", "1080p"] as const;
const ALL = ["480p", "720p", "1080p"] as const;

const dashscope = (
  family: VideoFamily,
  kind: VideoKind,
  resolutions: readonly string[],
  durations: VideoRules["durations"],
  withImage?: string,
): VideoRules => ({ family, kind, resolutions, durations, ...(withImage === undefined ? {} : { withImage }) });

/** @param withImage the model that text to video becomes where there is a picture to begin from. */
export const alpha = (kind: VideoKind, withImage?: string): VideoRules =>
  dashscope("alpha", kind, HD, { from: 2, to: 15 }, withImage);

/** From references the provider makes at most ten seconds. */
export const alpha26 = (kind: VideoKind, withImage?: string): VideoRules =>
  dashscope("alpha-legacy", kind, HD, { from: 2, to: kind === "r2v" ? 10 : 15 }, withImage);

/** The only ones with 480p (docs/specification.md#limits). */
export const alpha25 = (kind: VideoKind, withImage?: string): VideoRules =>
  dashscope("alpha-legacy", kind, ALL, { oneOf: [5, 10] }, withImage);

export const beta = (kind: VideoKind, withImage?: string): VideoRules =>
  dashscope("beta", kind, HD, { from: 3, to: 15 }, withImage);

const seedance = (resolutions: readonly string[], from: number, to: number): VideoRules => ({
  family: "seedance",
  kind: "any",
  resolutions,
  durations: { from, to },
});

/** Up to 30 s is a guess (docs/providers/ark.md#videos); third parties that sell it say so. */
export const seedance25 = seedance(ALL, 4, 30);
export const seedance20 = seedance([...ALL, "4k"], 4, 15);
/** Fast and mini. */
export const seedance20Small = seedance(["480p", "720p"], 4, 15);
export const seedance15 = seedance(ALL, 4, 12);
export const seedance10 = seedance(ALL, 2, 12);

export const grok: VideoRules = {
  family: "grok",
  kind: "any",
  resolutions: ["480p", "720p"],
  durations: { from: 1, to: 15 },
};

/** `1024p` is Sora's larger format, 1792x1024. */
export const sora = (resolutions: readonly string[]): VideoRules => ({
  family: "sora",
  kind: "any",
  resolutions,
  durations: { oneOf: [4, 8, 12] },
});
