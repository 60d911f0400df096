import type { Price } from "../core/models/model.ts";
import type { PriceSource } from "./entry.ts";
import { LITELLM } from "./sources.ts";

/**
 * USD per second of video. No provider's own page could be read: each figure is one that others quote of it, or that a
 * reseller at list price takes, and its source says so (docs/decisions/2026-11-22-video-rules.md).
 */

/** Nano USD per 10⁶ seconds. */
const NANO_PER_MILLION = 1e15;

type ByResolution = Readonly<Record<string, number>>;

/** The dearest resolution stands for what is not listed. */
function perSecond({ source, as_of }: PriceSource, usd: ByResolution): Price {
  const rate = (amount: number): number => Math.round(amount * NANO_PER_MILLION);
  return {
    tiers: [{ above: 0, rates: { second: rate(Math.max(...Object.values(usd))) } }],
    variants: Object.entries(usd).map(([resolution, amount]) => ({
      when: { resolution },
      rates: { second: rate(amount) },
    })),
    source,
    as_of,
  };
}

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
  return perSecond(BYTEPLUS, Object.fromEntries(usd));
}

/** Alibaba Cloud in Singapore. lumenfall.ai, eachlabs.ai and runware.ai name the same figures. */
const LIST_PRICES: PriceSource = {
  source: "Alibaba Cloud's price in Singapore, as docs.comfy.org resells it",
  as_of: "2026-08-21",
};

const everywhere = (amount: number): ByResolution => ({ "480p": amount, "720p": amount, "1080p": amount });

export const wan25 = perSecond(LIST_PRICES, { "480p": 0.05, "720p": 0.1, "1080p": 0.15 });
export const wan26 = perSecond(LIST_PRICES, { "720p": 0.1, "1080p": 0.15 });
/** With sound; without it costs half. */
export const wan26Flash = perSecond(
  { source: "estimate: the list price in Singapore with sound, as docs.empiriolabs.ai quotes it", as_of: "2026-08-06" },
  { "720p": 0.05, "1080p": 0.075 },
);
export const wan27 = perSecond(LIST_PRICES, { "720p": 0.1, "1080p": 0.15 });
export const happyhorse = perSecond(
  { source: "Model Studio's price list, as okmiku.com and docs.comfy.org quote it", as_of: "2026-08-21" },
  { "720p": 0.14, "1080p": 0.24 },
);

/** Without a video among the references; with one, a token costs some 40 % less and the seconds of both are counted. */
export const seedance25 = perToken({ "480p": 10.7, "720p": 10.7, "1080p": 11.7 });
export const seedance20 = perToken({ "480p": 7, "720p": 7, "1080p": 7.7, "4k": 4 });
export const seedance20Fast = perToken({ "480p": 5.6, "720p": 5.6 });
export const seedance20Mini = perToken({ "480p": 3.5, "720p": 3.5 });
/** With sound; without it costs half. */
export const seedance15 = perToken(everywhere(2.4));
export const seedance10Pro = perToken(everywhere(2.5));
export const seedance10Fast = perToken(everywhere(1));
export const seedance10Lite = perToken(everywhere(1.8));

/** A picture to begin from is $0.002 more, which is left out. */
export const grok = perSecond(
  { source: "docs.x.ai model page, as yingtu.ai and docs.comfy.org quote it", as_of: "2026-08-21" },
  { "480p": 0.05, "720p": 0.07 },
);
export const sora2 = perSecond(LITELLM, { "720p": 0.1 });
export const sora2Pro = perSecond(LITELLM, { "720p": 0.3, "1024p": 0.5 });
