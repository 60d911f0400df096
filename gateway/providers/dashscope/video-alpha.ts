import type { VideoRequest } from "../../contract/videos.ts";
import {
  countItems,
  readMedia,
  orderFrom,
  readPrompt,
  requiredInput,
  unlessUsual,
  withAdded,
} from "../../core/videos/video-input.ts";
import type { MediaItem } from "../../core/videos/video-input.ts";
import type { OrderedModel, VideoKind, VideoOrder } from "../../core/videos/video-order.ts";
import { missing } from "../../core/videos/video-refusal.ts";
import {
  DEFAULT_RATIO,
  DEFAULT_SECONDS,
  findAgreed,
  agreedRatio,
  checkRatio,
  chooseResolution,
  topLevelTerms,
  readResolutionTerm,
  readSecondsTerm,
  readTextTerm,
  chooseSeconds,
} from "../../core/videos/video-terms.ts";
import type { Fields } from "../../core/videos/video-terms.ts";

/** docs/specification.md#post-v1videosgenerations; docs/providers/dashscope.md#wan-27. */
const TYPES: Readonly<Partial<Record<VideoKind, readonly string[]>>> = {
  i2v: ["first_frame", "last_frame", "driving_audio", "first_clip"],
  r2v: ["reference_video", "reference_image", "first_frame", "driving_audio"],
};

/**
 * Assumed billed seconds of each reference video in addition to the output: the provider reports it only afterwards.
 */
export const REFERENCE_SECONDS = 5;

/**
 * The alpha family from 2.7 on: `{input, parameters}` as the client built them, with `resolution`, and `duration` and
 * `ratio` where they are not the provider's own default, filled in from the top level.
 */
export function alphaOrder(request: VideoRequest, _body: Fields, model: OrderedModel): VideoOrder {
  const kind = model.rules?.kind ?? "any";
  const input = requiredInput(request);
  const prompt = readPrompt(input, kind === "t2v" || kind === "r2v");
  const media = readMedia(input, TYPES[kind] ?? null, model.id);
  checkMedia(media, kind);
  const terms = buildMediaTerms(request, model, kind !== "i2v");
  return orderFrom({
    family: "alpha",
    body: { input, parameters: terms.parameters },
    seconds: terms.seconds,
    // The seconds of reference videos are billed with those that are made
    // (docs/providers/dashscope.md#usage-of-videos).
    holdSeconds: terms.seconds + REFERENCE_SECONDS * countItems(media, "reference_video"),
    resolution: terms.resolution,
    ratio: terms.ratio,
    prompt,
    settings: [input, terms.parameters],
  });
}

function checkMedia(media: readonly MediaItem[], kind: VideoKind): void {
  if (kind === "i2v" && !media.some(({ type }) => type === "first_frame" || type === "first_clip")) {
    throw missing("input.media", 'expected an item of type first_frame or first_clip, as {"type": …, "url": …}');
  }
  if (kind === "r2v" && media.length === 0) {
    throw missing("input.media", `expected at least one item of type ${TYPES.r2v?.join(", ")}`);
  }
}

export interface MediaTerms {
  readonly parameters: Fields;
  readonly seconds: number;
  readonly resolution: string;
  readonly ratio: string;
}

/**
 * Returns the billed terms of the media protocol (alpha 2.7 and beta), and its completed `parameters`.
 * @param takesRatio false if the picture decides about the shape.
 */
export function buildMediaTerms(request: VideoRequest, model: OrderedModel, takesRatio: boolean): MediaTerms {
  const given = request.parameters ?? {};
  const duration = findAgreed([topLevelTerms.duration(request), readSecondsTerm(given, "duration", "parameters")]);
  const resolution = findAgreed([
    topLevelTerms.resolution(request),
    readResolutionTerm(given, "resolution", "parameters"),
  ]);
  const shape = agreedRatio([topLevelTerms.ratio(request), readTextTerm(given, "ratio", "parameters")]);
  const seconds = chooseSeconds(duration, model);
  const name = chooseResolution(resolution, model);
  const ratio = shape?.value ?? DEFAULT_RATIO;
  if (takesRatio) checkRatio(shape, model);
  // Wan 3.0 adapts to its input's shape (`adaptive`), so a requested ratio must be sent.
  const usualRatio = model.rules?.kind === "any" && shape !== null ? undefined : DEFAULT_RATIO;
  const parameters = withAdded(request.parameters, {
    resolution: name.toUpperCase(),
    duration: unlessUsual(request.parameters, "duration", seconds, DEFAULT_SECONDS),
    ratio: takesRatio ? unlessUsual<string | undefined>(request.parameters, "ratio", ratio, usualRatio) : undefined,
  });
  return { parameters, seconds, resolution: name, ratio };
}
