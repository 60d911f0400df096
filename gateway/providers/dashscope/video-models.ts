import { LITELLM_NOVEMBER } from "../../core/models/price-sources.ts";
import { createVideoEntry } from "../../core/models/catalog-entry.ts";
import type { Entry, PriceSource } from "../../core/models/catalog-entry.ts";
import { getUsdPerSecond } from "../../core/models/media-prices.ts";
import type { Price } from "../../core/models/model.ts";
import type { VideoFamily, VideoKind, VideoRules } from "../../core/videos/video-order.ts";

/**
 * The specification's alpha (Wan) and beta (HappyHorse) families (docs/specification.md#post-v1videosgenerations;
 * docs/providers/dashscope.md#videos).
 */

const HD = ["720p", "1080p"] as const;
const ALL = ["480p", "720p", "1080p"] as const;

const readRules = (
  family: VideoFamily,
  kind: VideoKind,
  resolutions: readonly string[],
  durations: VideoRules["durations"],
  withImage?: string,
): VideoRules => ({ family, kind, resolutions, durations, ...(withImage === undefined ? {} : { withImage }) });

/** @param withImage model used instead of text-to-video if there is a source picture */
const alpha = (kind: VideoKind, withImage?: string): VideoRules =>
  readRules("alpha", kind, HD, { from: 2, to: 15 }, withImage);

/** The provider makes at most ten seconds from references. */
const alpha26 = (kind: VideoKind, withImage?: string): VideoRules =>
  readRules("alpha-legacy", kind, HD, { from: 2, to: kind === "r2v" ? 10 : 15 }, withImage);

/** The only ones with 480p (specification). */
const alpha25 = (kind: VideoKind, withImage?: string): VideoRules =>
  readRules("alpha-legacy", kind, ALL, { oneOf: [5, 10] }, withImage);

const beta = (kind: VideoKind, withImage?: string, resolutions: readonly string[] = HD): VideoRules =>
  readRules("beta", kind, resolutions, { from: 3, to: 15 }, withImage);

/** Takes texts, frames and references (alibabacloud.com/help/en/model-studio/wan3-video-generation-guide, 2026-08-26). */
const ALPHA_3: VideoRules = readRules("alpha", "any", ALL, { from: 2, to: 30 });

/** Alibaba Cloud in Singapore. lumenfall.ai, eachlabs.ai and runware.ai name the same figures. */
const LIST_PRICES: PriceSource = {
  source: "Alibaba Cloud's price in Singapore, as docs.comfy.org resells it",
  as_of: "2026-08-21",
};

const WAN_2_5 = getUsdPerSecond(LIST_PRICES, { "480p": 0.05, "720p": 0.1, "1080p": 0.15 });
const WAN_2_6 = getUsdPerSecond(LIST_PRICES, { "720p": 0.1, "1080p": 0.15 });
/** The price with sound; without it costs half. */
const WAN_2_6_FLASH = getUsdPerSecond(
  { source: "estimate: the list price in Singapore with sound, as docs.empiriolabs.ai quotes it", as_of: "2026-08-06" },
  { "720p": 0.05, "1080p": 0.075 },
);
const WAN_2_7 = getUsdPerSecond(LIST_PRICES, { "720p": 0.1, "1080p": 0.15 });
const PRICE_HAPPYHORSE = getUsdPerSecond(
  { source: "Model Studio's price list, as okmiku.com and docs.comfy.org quote it", as_of: "2026-08-21" },
  { "720p": 0.14, "1080p": 0.24 },
);

/** Qwen Cloud's list outside China (qwencloud.com/models, by LiteLLM 1.110.2). */
const WAN_3 = getUsdPerSecond(LITELLM_NOVEMBER, { "480p": 0.05, "720p": 0.1, "1080p": 0.2 });
const WAN_3_PRIME = getUsdPerSecond(LITELLM_NOVEMBER, { "480p": 0.068, "720p": 0.14, "1080p": 0.28 });
const PRICE_HAPPYHORSE_1_1 = getUsdPerSecond(LITELLM_NOVEMBER, { "480p": 0.07, "720p": 0.14, "1080p": 0.18 });

const createRenamed = (
  id: string,
  upstreamId: string,
  name: string,
  released: string,
  video: VideoRules,
  price: Price,
): Entry => createVideoEntry(id, name, released, video, price, { upstreamId });

const wan = (version: string, rest: string, name: string, released: string, video: VideoRules, price: Price): Entry =>
  createRenamed(`alpha${version}-${rest}`, `wan${version}-${rest}`, `Alpha ${version} ${name}`, released, video, price);

const buildHappyhorse = (rest: string, name: string, video: VideoRules): Entry =>
  createRenamed(
    `beta-1.0-${rest}`,
    `happyhorse-1.0-${rest}`,
    `Beta 1.0 ${name}`,
    "2026-04-27",
    video,
    PRICE_HAPPYHORSE,
  );

/** The day is a guess: between that of 1.0 and that on which price lists had it. */
const happyhorse11 = (rest: string, name: string, video: VideoRules): Entry =>
  createRenamed(
    `beta-1.1-${rest}`,
    `happyhorse-1.1-${rest}`,
    `Beta 1.1 ${name}`,
    "2026-09-01",
    video,
    PRICE_HAPPYHORSE_1_1,
  );

export const videoModels: readonly Entry[] = [
  wan("3.0", "video", "all kinds", "2026-08-08", ALPHA_3, WAN_3),
  wan("3.0", "video-prime", "all kinds, fast", "2026-08-08", ALPHA_3, WAN_3_PRIME),
  wan("2.7", "t2v", "text to video", "2026-04-25", alpha("t2v", "alpha2.7-i2v"), WAN_2_7),
  wan(
    "2.7",
    "t2v-2026-04-25",
    "text to video (2026-04-25)",
    "2026-04-25",
    alpha("t2v", "alpha2.7-i2v-2026-04-25"),
    WAN_2_7,
  ),
  wan("2.7", "i2v", "image to video", "2026-04-25", alpha("i2v"), WAN_2_7),
  wan("2.7", "i2v-2026-04-25", "image to video (2026-04-25)", "2026-04-25", alpha("i2v"), WAN_2_7),
  wan("2.7", "r2v", "reference to video", "2026-04-25", alpha("r2v"), WAN_2_7),
  wan("2.6", "t2v", "text to video", "2025-12-16", alpha26("t2v", "alpha2.6-i2v"), WAN_2_6),
  wan("2.6", "i2v", "image to video", "2025-12-16", alpha26("i2v"), WAN_2_6),
  wan("2.6", "i2v-flash", "image to video, fast", "2026-01-15", alpha26("i2v"), WAN_2_6_FLASH),
  wan("2.6", "r2v", "reference to video", "2025-12-16", alpha26("r2v"), WAN_2_6),
  wan("2.6", "r2v-flash", "reference to video, fast", "2026-01-15", alpha26("r2v"), WAN_2_6_FLASH),
  wan("2.5", "t2v-preview", "text to video (preview)", "2025-09-23", alpha25("t2v", "alpha2.5-i2v-preview"), WAN_2_5),
  wan("2.5", "i2v-preview", "image to video (preview)", "2025-09-23", alpha25("i2v"), WAN_2_5),
  happyhorse11("t2v", "text to video", beta("t2v", "beta-1.1-i2v", ALL)),
  happyhorse11("i2v", "image to video", beta("i2v", undefined, ALL)),
  happyhorse11("r2v", "reference to video", beta("r2v", undefined, ALL)),
  buildHappyhorse("t2v", "text to video", beta("t2v", "beta-1.0-i2v")),
  buildHappyhorse("i2v", "image to video", beta("i2v")),
  buildHappyhorse("r2v", "reference to video", beta("r2v")),
  buildHappyhorse("video-edit", "video edit", beta("edit")),
];
