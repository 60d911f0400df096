import { createVideoEntry } from "../../core/models/catalog-entry.ts";
import type { Entry, PriceSource } from "../../core/models/catalog-entry.ts";
import { getUsdPerSecond } from "../../core/models/media-prices.ts";
import type { ByResolution } from "../../core/models/media-prices.ts";
import type { Price } from "../../core/models/model.ts";
import type { VideoRules } from "../../core/videos/video-order.ts";

/** Seedance's resolutions (docs/specification.md#post-v1videosgenerations; docs/providers/ark.md#videos). */
const ALL = ["480p", "720p", "1080p"] as const;

const buildRules = (resolutions: readonly string[], from: number, to: number): VideoRules => ({
  family: "seedance",
  kind: "any",
  resolutions,
  durations: { from, to },
});

/** Up to 30 s is a guess (docs/providers/ark.md#videos), from third parties that sell it. */
const RULES_2_5 = buildRules(ALL, 4, 30);
const RULES_2_0 = buildRules([...ALL, "4k"], 4, 15);
/** Fast and mini. */
const RULES_2_0_SMALL = buildRules(["480p", "720p"], 4, 15);
const RULES_1_5 = buildRules(ALL, 4, 12);
const RULES_1_0 = buildRules(ALL, 2, 12);

/** Frames of Seedance at 16:9; other ratios have about as many pixels. */
const SEEDANCE_PIXELS: ByResolution = {
  "480p": 864 * 480,
  "720p": 1280 * 720,
  "1080p": 1920 * 1080,
  "4k": 3840 * 2160,
};

const BYTEPLUS: PriceSource = {
  source: "estimate: BytePlus's price per token, as docs.comfy.org resells it, at 16:9 and 24 frames a second",
  as_of: "2026-08-21",
};

/** Seedance is sold by tokens: width × height × 24 frames × seconds / 1024 (docs/providers/ark.md#video-tasks). */
function perToken(usdPerMillionTokens: ByResolution): Price {
  const usd = Object.entries(usdPerMillionTokens).map(([resolution, amount]) => {
    const tokensPerSecond = ((SEEDANCE_PIXELS[resolution] ?? 0) * 24) / 1_024;
    return [resolution, (amount * tokensPerSecond) / 1e6] as const;
  });
  return getUsdPerSecond(BYTEPLUS, Object.fromEntries(usd));
}

const everywhere = (amount: number): ByResolution => ({ "480p": amount, "720p": amount, "1080p": amount });

/** Without a video among the references; with one, a token costs some 40 % less and the seconds of both are counted. */
const PRICE_2_5 = perToken({ "480p": 10.7, "720p": 10.7, "1080p": 11.7 });
const PRICE_2_0 = perToken({ "480p": 7, "720p": 7, "1080p": 7.7, "4k": 4 });
const PRICE_2_0_FAST = perToken({ "480p": 5.6, "720p": 5.6 });
const PRICE_2_0_MINI = perToken({ "480p": 3.5, "720p": 3.5 });
/** The price with sound; without it costs half. */
const PRICE_1_5 = perToken(everywhere(2.4));
const PRICE_1_0_PRO = perToken(everywhere(2.5));
const PRICE_1_0_FAST = perToken(everywhere(1));
const PRICE_1_0_LITE = perToken(everywhere(1.8));

const buildSeedance = (
  id: string,
  name: string,
  released: string,
  video: VideoRules,
  price: Price,
  ...aliases: readonly string[]
): Entry => createVideoEntry(id, `Seedance ${name}`, released, video, price, { aliases });

export const videoModels: readonly Entry[] = [
  buildSeedance(
    "doubao-seedance-2-5-260628",
    "2.5",
    "2026-06-28",
    RULES_2_5,
    PRICE_2_5,
    "dreamina-seedance-2-5-260628",
  ),
  buildSeedance(
    "doubao-seedance-2-0-260128",
    "2.0",
    "2026-01-28",
    RULES_2_0,
    PRICE_2_0,
    "dreamina-seedance-2-0-260128",
  ),
  buildSeedance(
    "doubao-seedance-2-0-fast-260128",
    "2.0 Fast",
    "2026-01-28",
    RULES_2_0_SMALL,
    PRICE_2_0_FAST,
    "dreamina-seedance-2-0-fast-260128",
  ),
  buildSeedance(
    "doubao-seedance-2-0-mini",
    "2.0 Mini",
    "2026-06-15",
    RULES_2_0_SMALL,
    PRICE_2_0_MINI,
    "dreamina-seedance-2-0-mini-260615",
  ),
  buildSeedance(
    "doubao-seedance-1-5-pro-251215",
    "1.5 Pro",
    "2025-12-15",
    RULES_1_5,
    PRICE_1_5,
    "seedance-1-5-pro-251215",
  ),
  buildSeedance(
    "doubao-seedance-1-0-pro-250528",
    "1.0 Pro",
    "2025-05-28",
    RULES_1_0,
    PRICE_1_0_PRO,
    "seedance-1-0-pro-250528",
  ),
  buildSeedance(
    "doubao-seedance-1-0-pro-fast-251015",
    "1.0 Pro Fast",
    "2025-10-15",
    RULES_1_0,
    PRICE_1_0_FAST,
    "seedance-1-0-pro-fast-251015",
  ),
  buildSeedance(
    "doubao-seedance-1-0-lite-t2v-250428",
    "1.0 Lite text to video",
    "2025-04-28",
    { ...RULES_1_0, kind: "t2v", withImage: "doubao-seedance-1-0-lite-i2v-250428" },
    PRICE_1_0_LITE,
  ),
  buildSeedance(
    "doubao-seedance-1-0-lite-i2v-250428",
    "1.0 Lite image to video",
    "2025-04-28",
    { ...RULES_1_0, kind: "i2v" },
    PRICE_1_0_LITE,
  ),
];
