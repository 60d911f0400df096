import type { VideoRequest } from "../../contract/videos.ts";
import { REFERENCE_SECONDS } from "./video-alpha.ts";
import {
  orderFrom,
  readPrompt,
  requiredInput,
  unlessUsual,
  readUrl,
  readUrls,
  withAdded,
} from "../../core/videos/video-input.ts";
import type { OrderedModel, VideoKind, VideoOrder } from "../../core/videos/video-order.ts";
import { missing, createUnsupported } from "../../core/videos/video-refusal.ts";
import {
  findNearestResolution,
  ratioOfSides,
  getRatios,
  formatResolutionName,
  chooseSides,
  getSidesOfSize,
} from "../../core/videos/video-size.ts";
import type { Sides } from "../../core/videos/video-size.ts";
import {
  DEFAULT_RATIO,
  DEFAULT_SECONDS,
  findAgreed,
  agreedRatio,
  chooseResolution,
  topLevelTerms,
  readResolutionTerm,
  readSecondsTerm,
  readTextTerm,
  chooseSeconds,
} from "../../core/videos/video-terms.ts";
import type { Fields, Term } from "../../core/videos/video-terms.ts";

/** Other references count as videos: only the provider sees the content of a URL without such an extension. */
const PICTURE = /^data:image\/|\.(png|jpe?g|webp|bmp|gif)(\?|#|$)/i;

/**
 * The alpha family up to 2.6: `{input, parameters}` as the client sent them. For text and references the provider reads
 * `size`; for a picture `resolution` (docs/providers/dashscope.md#wan-25-and-26). The specification has `size` for all
 * of them, so the field that the provider reads is filled in; the other one stays.
 */
export function legacyOrder(request: VideoRequest, _body: Fields, model: OrderedModel): VideoOrder {
  const input = requiredInput(request);
  const kind = model.rules?.kind ?? (input["img_url"] == null ? "any" : "i2v");
  const prompt = readPrompt(input, kind === "t2v" || kind === "r2v");
  const videos = getReferenceVideos(input, kind);
  readUrl(input, "img_url", kind === "i2v");

  const given = request.parameters ?? {};
  const size = readTextTerm(given, "size", "parameters");
  const sides = size === null ? null : getSidesOfSize(size.value);
  const resolution = findAgreed([
    topLevelTerms.resolution(request),
    readResolutionTerm(given, "resolution", "parameters"),
    buildResolutionOfSize(size, sides),
  ]);
  const shape = agreedRatio([
    topLevelTerms.ratio(request),
    size === null || sides === null ? null : { ...size, value: ratioOfSides(sides) },
    readTextTerm(given, "ratio", "parameters"),
  ]);
  const duration = findAgreed([topLevelTerms.duration(request), readSecondsTerm(given, "duration", "parameters")]);

  const seconds = chooseSeconds(duration, model);
  const name = chooseResolution(resolution, model);
  const ratio = shape?.value ?? DEFAULT_RATIO;
  const parameters = withAdded(request.parameters, {
    ...(kind === "i2v"
      ? { resolution: name.toUpperCase() }
      : { size: size === null ? getSize(name, ratio, shape, model) : undefined }),
    duration: unlessUsual(request.parameters, "duration", seconds, DEFAULT_SECONDS),
  });
  return orderFrom({
    family: "alpha-legacy",
    body: { input, parameters },
    seconds,
    // The seconds of reference videos are billed with those that are made
    // (docs/providers/dashscope.md#usage-of-videos).
    holdSeconds: seconds + REFERENCE_SECONDS * videos,
    resolution: name,
    ratio,
    prompt,
    settings: [input, parameters],
  });
}

/** Counts references that are, or may be, videos. @throws GatewayError when the model needs one and has no reference */
function getReferenceVideos(input: Fields, kind: VideoKind): number {
  const references = readUrls(input, "reference_urls");
  // An older name, which the provider still accepts.
  const named = readUrls(input, "reference_video_urls");
  if (kind === "r2v" && references.length + named.length === 0) {
    throw missing("input.reference_urls", "expected an array of at least one address");
  }
  return named.length + references.filter((url) => !PICTURE.test(url)).length;
}

/** A tier in place of a size (`720P`) is left to the provider to refuse; until then it determines the price. */
function buildResolutionOfSize(size: Term<string> | null, sides: Sides | null): Term<string> | null {
  if (size === null) return null;
  if (sides !== null) return { ...size, value: findNearestResolution(sides) };
  const name = formatResolutionName(size.value);
  return getRatios(name).length > 0 ? { ...size, value: name } : null;
}

/** Returns e.g. `1280*720`; undefined for an unknown size, for which the provider's default applies. */
function getSize(resolution: string, ratio: string, term: Term<string> | null, model: OrderedModel) {
  const sides = chooseSides(resolution, ratio);
  if (sides !== null) return sides.join("*");
  if (model.rules === null) return undefined;
  throw createUnsupported(
    term?.place ?? "aspect_ratio",
    term?.written ?? ratio,
    model.id,
    `makes ${getRatios(resolution).join(", ")} at ${resolution}`,
  );
}
