import type { VideoRequest } from "../../contract/videos.ts";
import { at, readParts, readRest, findTerm } from "../../core/videos/video-flat.ts";
import { orderFrom } from "../../core/videos/video-input.ts";
import type { OrderedModel, VideoOrder } from "../../core/videos/video-order.ts";
import { CONTENT_FIELDS, readContent, readText, readTerms } from "./video-content.ts";
import {
  DEFAULT_RATIO,
  findAgreed,
  agreedRatio,
  checkRatio,
  findLongestDuration,
  chooseResolution,
  topLevelTerms,
  readResolutionTerm,
  readSecondsTerm,
  readTextTerm,
  chooseSeconds,
} from "../../core/videos/video-terms.ts";
import type { Fields, Term } from "../../core/videos/video-terms.ts";

/** "The model decides how long it is" (docs/providers/ark.md#videos): the longest is held. */
const MODEL_DECIDES = -1;
const FRAMES_PER_SECOND = 24;

/**
 * Seedance: Ark's flat body (docs/providers/ark.md#videos). `duration` and `resolution` are always sent, so that
 * billing matches the output; everything but `content` is forwarded.
 */
export function buildSeedanceOrder(request: VideoRequest, body: Fields, model: OrderedModel): VideoOrder {
  const parts = readParts(request, body);
  const content = readContent(parts[0], model.id);
  const prompt = readText(content);
  const written = readTerms(prompt, at(parts[0], "prompt"), model.id);

  const frames = findAgreed(findTerm(parts, "frames", readSecondsTerm));
  const duration = findAgreed([
    topLevelTerms.duration(request),
    ...findTerm(parts, "duration", readSecondsTerm),
    frames === null ? null : { ...frames, value: Math.round(frames.value / FRAMES_PER_SECOND) },
    written.duration,
  ]);
  const resolution = findAgreed([
    topLevelTerms.resolution(request),
    ...findTerm(parts, "resolution", readResolutionTerm),
    written.resolution,
  ]);
  const shape = agreedRatio([topLevelTerms.ratio(request), ...findTerm(parts, "ratio", readTextTerm), written.ratio]);
  checkRatio(shape, model);

  const seconds = readLength(frames, duration, model);
  const name = chooseResolution(resolution, model);
  const rest = readRest(parts, [...CONTENT_FIELDS, "duration", "resolution", "ratio"]);
  // Values in the prompt are not sent as fields too: only the provider knows which would win.
  const billed = {
    ...(written.resolution === null ? { resolution: name } : {}),
    ...(shape === null || written.ratio !== null ? {} : { ratio: shape.value }),
    ...(frames !== null || written.duration !== null ? {} : { duration: duration?.value ?? seconds }),
  };
  return orderFrom({
    family: "seedance",
    body: { ...rest, content, ...billed },
    seconds,
    resolution: name,
    ratio: shape?.value ?? DEFAULT_RATIO,
    prompt,
    timeoutMs: readTimeouts(rest["execution_expires_after"]),
    settings: [rest, billed],
  });
}

/** The number of frames overrides the duration, and need not be whole seconds. */
function readLength(frames: Term<number> | null, duration: Term<number> | null, model: OrderedModel): number {
  if (frames !== null) return Math.round((limitFrames(frames.value) * 1_000) / FRAMES_PER_SECOND) / 1_000;
  return duration?.value === MODEL_DECIDES ? findLongestDuration(model.rules) : chooseSeconds(duration, model);
}

/** Ark accepts some 300 frames; an invalid number is left to Ark to refuse, and must not be billed. */
const limitFrames = (frames: number): number => Math.min(Math.max(frames, 1), 10_000);

/** Ark takes up to three days. */
const LONGEST_TIMEOUT = 259_200;

function readTimeouts(seconds: unknown): number | null {
  return typeof seconds === "number" && seconds > 0 && seconds <= LONGEST_TIMEOUT ? Math.round(seconds * 1_000) : null;
}
