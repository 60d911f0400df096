import type { ModelSpec, Price } from "../core/models/model.ts";
import type { VideoRules } from "../core/videos/video-order.ts";
import { entries } from "./entry.ts";
import type { Entry } from "./entry.ts";
import * as prices from "./video-prices.ts";
import * as rules from "./video-rules.ts";

/** Video models: the specification's alpha (Wan) and beta (HappyHorse) families, Seedance, Grok Imagine and Sora. */

const model = (
  id: string,
  name: string,
  released: string,
  video: VideoRules,
  price: Price,
  more: Pick<Entry, "upstreamId" | "aliases"> = {},
): Entry => ({ id, name, released, context: null, output: null, capabilities: ["video"], video, price, ...more });

const renamed = (
  id: string,
  upstreamId: string,
  name: string,
  released: string,
  video: VideoRules,
  price: Price,
): Entry => model(id, name, released, video, price, { upstreamId });

const wan = (version: string, rest: string, name: string, released: string, video: VideoRules, price: Price): Entry =>
  renamed(`alpha${version}-${rest}`, `wan${version}-${rest}`, `Alpha ${version} ${name}`, released, video, price);

const happyhorse = (rest: string, name: string, video: VideoRules): Entry =>
  renamed(`beta-1.0-${rest}`, `happyhorse-1.0-${rest}`, `Beta 1.0 ${name}`, "2026-04-27", video, prices.happyhorse);

const seedance = (
  id: string,
  name: string,
  released: string,
  video: VideoRules,
  price: Price,
  ...aliases: readonly string[]
): Entry => model(id, `Seedance ${name}`, released, video, price, { aliases });

const { alpha, alpha25, alpha26, beta } = rules;

export const videoModels: readonly ModelSpec[] = [
  ...entries("dashscope", [
    wan("2.7", "t2v", "text to video", "2026-04-25", alpha("t2v", "alpha2.7-i2v"), prices.wan27),
    wan(
      "2.7",
      "t2v-2026-04-25",
      "text to video (2026-04-25)",
      "2026-04-25",
      alpha("t2v", "alpha2.7-i2v-2026-04-25"),
      prices.wan27,
    ),
    wan("2.7", "i2v", "image to video", "2026-04-25", alpha("i2v"), prices.wan27),
    wan("2.7", "i2v-2026-04-25", "image to video (2026-04-25)", "2026-04-25", alpha("i2v"), prices.wan27),
    wan("2.7", "r2v", "reference to video", "2026-04-25", alpha("r2v"), prices.wan27),
    wan("2.6", "t2v", "text to video", "2025-12-16", alpha26("t2v", "alpha2.6-i2v"), prices.wan26),
    wan("2.6", "i2v", "image to video", "2025-12-16", alpha26("i2v"), prices.wan26),
    wan("2.6", "i2v-flash", "image to video, fast", "2026-01-15", alpha26("i2v"), prices.wan26Flash),
    wan("2.6", "r2v", "reference to video", "2025-12-16", alpha26("r2v"), prices.wan26),
    wan("2.6", "r2v-flash", "reference to video, fast", "2026-01-15", alpha26("r2v"), prices.wan26Flash),
    wan(
      "2.5",
      "t2v-preview",
      "text to video (preview)",
      "2025-09-23",
      alpha25("t2v", "alpha2.5-i2v-preview"),
      prices.wan25,
    ),
    wan("2.5", "i2v-preview", "image to video (preview)", "2025-09-23", alpha25("i2v"), prices.wan25),
    happyhorse("t2v", "text to video", beta("t2v", "beta-1.0-i2v")),
    happyhorse("i2v", "image to video", beta("i2v")),
    happyhorse("r2v", "reference to video", beta("r2v")),
    happyhorse("video-edit", "video edit", beta("edit")),
  ]),
  ...entries("ark", [
    seedance(
      "doubao-seedance-2-5-260628",
      "2.5",
      "2026-06-28",
      rules.seedance25,
      prices.seedance25,
      "dreamina-seedance-2-5-260628",
    ),
    seedance(
      "doubao-seedance-2-0-260128",
      "2.0",
      "2026-01-28",
      rules.seedance20,
      prices.seedance20,
      "dreamina-seedance-2-0-260128",
    ),
    seedance(
      "doubao-seedance-2-0-fast-260128",
      "2.0 Fast",
      "2026-01-28",
      rules.seedance20Small,
      prices.seedance20Fast,
      "dreamina-seedance-2-0-fast-260128",
    ),
    seedance(
      "doubao-seedance-2-0-mini",
      "2.0 Mini",
      "2026-06-15",
      rules.seedance20Small,
      prices.seedance20Mini,
      "dreamina-seedance-2-0-mini-260615",
    ),
    seedance(
      "doubao-seedance-1-5-pro-251215",
      "1.5 Pro",
      "2025-12-15",
      rules.seedance15,
      prices.seedance15,
      "seedance-1-5-pro-251215",
    ),
    seedance(
      "doubao-seedance-1-0-pro-250528",
      "1.0 Pro",
      "2025-05-28",
      rules.seedance10,
      prices.seedance10Pro,
      "seedance-1-0-pro-250528",
    ),
    seedance(
      "doubao-seedance-1-0-pro-fast-251015",
      "1.0 Pro Fast",
      "2025-10-15",
      rules.seedance10,
      prices.seedance10Fast,
      "seedance-1-0-pro-fast-251015",
    ),
    seedance(
      "doubao-seedance-1-0-lite-t2v-250428",
      "1.0 Lite text to video",
      "2025-04-28",
      { ...rules.seedance10, kind: "t2v", withImage: "doubao-seedance-1-0-lite-i2v-250428" },
      prices.seedance10Lite,
    ),
    seedance(
      "doubao-seedance-1-0-lite-i2v-250428",
      "1.0 Lite image to video",
      "2025-04-28",
      { ...rules.seedance10, kind: "i2v" },
      prices.seedance10Lite,
    ),
  ]),
  ...entries("xai", [model("grok-imagine-video", "Grok Imagine Video", "2026-01-28", rules.grok, prices.grok)]),
  ...entries("openai", [
    model("sora-2", "Sora 2", "2025-10-06", rules.sora(["720p"]), prices.sora2),
    model("sora-2-pro", "Sora 2 Pro", "2025-10-06", rules.sora(["720p", "1024p"]), prices.sora2Pro),
  ]),
];
