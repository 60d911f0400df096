import type { VideoRequest } from "../../contract/videos.ts";
import { buildMediaTerms } from "./video-alpha.ts";
import { GatewayError } from "../../core/errors.ts";
import {
  countItems,
  readMedia,
  orderFrom,
  readPrompt,
  requiredInput,
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
  findLongestDuration,
  chooseResolution,
  topLevelTerms,
  readResolutionTerm,
  readSecondsTerm,
  readTextTerm,
} from "../../core/videos/video-terms.ts";
import type { Fields } from "../../core/videos/video-terms.ts";

/** docs/specification.md#limits */
const MOST_REFERENCES = 9;

/**
 * Media types specific to each kind; the provider checks the body of an edit (docs/providers/dashscope.md#happyhorse).
 */
const TYPES: Readonly<Partial<Record<VideoKind, readonly string[]>>> = {
  i2v: ["first_frame"],
  r2v: ["reference_image"],
};

/** The beta family: in the manner of alpha 2.7, with its own limits. */
export function betaOrder(request: VideoRequest, _body: Fields, model: OrderedModel): VideoOrder {
  const kind = model.rules?.kind ?? "any";
  const input = requiredInput(request);
  const prompt = readPrompt(input, kind === "t2v" || kind === "r2v" || kind === "edit");
  checkMedia(readMedia(input, TYPES[kind] ?? null, model.id), kind);
  if (kind === "edit") return editOrder(request, input, prompt, model);
  const { parameters, seconds, resolution, ratio } = buildMediaTerms(request, model, kind !== "i2v");
  return orderFrom({
    family: "beta",
    body: { input, parameters },
    seconds,
    resolution,
    ratio,
    prompt,
    settings: [input, parameters],
  });
}

/**
 * An edit has the shape and duration of its source, cut to the model's max: the provider accepts neither duration nor
 * ratio. A top-level `duration` is the client's estimate. Source and result are both billed and unbounded by the
 * request, so twice the max is held.
 */
function editOrder(request: VideoRequest, input: Fields, prompt: string, model: OrderedModel): VideoOrder {
  const given = request.parameters ?? {};
  const longest = findLongestDuration(model.rules);
  const duration = findAgreed([topLevelTerms.duration(request), readSecondsTerm(given, "duration", "parameters")]);
  const resolutionTerm = findAgreed([
    topLevelTerms.resolution(request),
    readResolutionTerm(given, "resolution", "parameters"),
  ]);
  const shape = agreedRatio([topLevelTerms.ratio(request), readTextTerm(given, "ratio", "parameters")]);
  const resolution = chooseResolution(resolutionTerm, model);
  const parameters = withAdded(request.parameters, { resolution: resolution.toUpperCase() });
  // 0 is the word of other editing models of the provider for "as long as the source".
  const expected = duration === null || duration.value <= 0 ? DEFAULT_SECONDS : duration.value;
  return orderFrom({
    family: "beta",
    body: { input, parameters },
    seconds: Math.min(expected, longest),
    holdSeconds: 2 * longest,
    resolution,
    ratio: shape?.value ?? DEFAULT_RATIO,
    prompt,
    settings: [input, parameters],
  });
}

function checkMedia(media: readonly MediaItem[], kind: VideoKind): void {
  const param = "input.media";
  if (kind === "i2v") {
    const frames = countItems(media, "first_frame");
    if (frames === 0) throw missing(param, "expected exactly one item of type first_frame");
    if (frames > 1) throw tooMany(`it has ${frames} items of type first_frame; expected exactly one`);
  }
  if (kind === "r2v") {
    if (media.length === 0) throw missing(param, `expected 1 to ${MOST_REFERENCES} items of type reference_image`);
    if (media.length > MOST_REFERENCES) {
      throw tooMany(`it has ${media.length} items of type reference_image; expected at most ${MOST_REFERENCES}`);
    }
  }
  if (kind === "edit") {
    const videos = countItems(media, "video");
    if (videos === 0) throw missing(param, "expected an item of type video: what is to be edited");
    if (videos > 1) throw tooMany(`it has ${videos} items of type video; expected exactly one`);
  }
}

function tooMany(what: string): GatewayError {
  return new GatewayError("invalid_value", `Invalid value for 'input.media': ${what}.`, { param: "input.media" });
}
