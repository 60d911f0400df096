import type { VideoRequest } from "../../contract/videos.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { at, readParts, readRest, findTerm } from "../../core/videos/video-flat.ts";
import type { Part } from "../../core/videos/video-flat.ts";
import { readMedia, orderFrom, readPrompt, readUrl, readUrls } from "../../core/videos/video-input.ts";
import type { OrderedModel, VideoOrder } from "../../core/videos/video-order.ts";
import { onlyOne } from "../../core/videos/video-refusal.ts";
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
import type { Fields } from "../../core/videos/video-terms.ts";

const MEDIA_TYPES = ["first_frame", "reference_image", "video", "reference_video"];
/** Fields that this file translates into xAI's. */
const USED = [
  "prompt",
  "image",
  "img_url",
  "first_frame",
  "reference_urls",
  "media",
  "video",
  "duration",
  "resolution",
  "aspect_ratio",
];

/**
 * Grok Imagine: xAI's flat body (docs/providers/xai.md#videos), built from xAI's own fields, or from `img_url`,
 * `first_frame`, `reference_urls` and `media` as in alpha 2.7. `duration` and `resolution` are always sent, because
 * xAI's defaults differ, except for editing a video, which takes neither. `duration` among the provider's own fields
 * extends a video.
 */
export function grokOrder(request: VideoRequest, body: Fields, model: OrderedModel): VideoOrder {
  const parts = readParts(request, body);
  const media = mediaFrom(parts[0], model.id);
  const fromMedia = Object.keys(media).length > 0;
  const prompt = readPrompt(
    parts[0].fields,
    !fromMedia,
    parts[0].within === "" ? "input.prompt" : at(parts[0], "prompt"),
  );

  const ownDuration = findAgreed(findTerm(parts, "duration", readSecondsTerm)) ?? buildFlatDuration(request);
  const seconds = chooseSeconds(findAgreed([topLevelTerms.duration(request), ownDuration]), model);
  const resolutionTerm = findAgreed([
    topLevelTerms.resolution(request),
    ...findTerm(parts, "resolution", readResolutionTerm),
  ]);
  const resolution = chooseResolution(resolutionTerm, model);
  const shape = agreedRatio([topLevelTerms.ratio(request), ...findTerm(parts, "aspect_ratio", readTextTerm)]);
  checkRatio(shape, model);

  const changesVideo = media.video !== undefined;
  const longer = ownDuration === null ? {} : { duration: ownDuration.value };
  const billed = changesVideo
    ? longer
    : { duration: seconds, resolution, ...(shape === null ? {} : { aspect_ratio: shape.value }) };
  const rest = readRest(parts, USED);
  return orderFrom({
    family: "grok",
    body: { ...(prompt === "" ? {} : { prompt }), ...rest, ...media, ...billed },
    seconds,
    // An edit has the unknown duration of its source; an extension adds to its source.
    holdSeconds: changesVideo ? findLongestDuration(model.rules) + (ownDuration === null ? 0 : seconds) : seconds,
    resolution,
    ratio: shape?.value ?? DEFAULT_RATIO,
    prompt,
    settings: [rest, billed],
  });
}

/** Reads `duration` at the top, which is the provider's too in the provider's own body. */
const buildFlatDuration = (request: VideoRequest) => (request.input == null ? topLevelTerms.duration(request) : null);

interface GrokMedia {
  readonly image?: unknown;
  readonly reference_images?: unknown;
  readonly video?: unknown;
}

function mediaFrom(source: Part, model: string): GrokMedia {
  const { fields, within } = source;
  const place = at(source, "media");
  const items = readMedia(fields, MEDIA_TYPES, model, place);
  const pictures = dropUndefined([
    readObject(source, "image"),
    readObject(source, "img_url"),
    readObject(source, "first_frame"),
    ...items.flatMap(({ type, url }) => (type === "first_frame" ? [{ url }] : [])),
  ]);
  const references = [
    ...readUrls(fields, "reference_urls", within).map((url) => ({ url })),
    ...items.flatMap(({ type, url }) => (type === "reference_image" ? [{ url }] : [])),
  ];
  const first = onlyOne(pictures, place, "one picture to begin from", model);
  const films = dropUndefined([
    readObject(source, "video"),
    ...items.flatMap(({ type, url }) => (type.endsWith("video") ? [{ url }] : [])),
  ]);
  const video = onlyOne(films, place, "one video to change", model);
  return {
    ...(first === undefined ? {} : { image: first }),
    // xAI's own field is forwarded unchanged if nothing is added to it.
    ...(references.length === 0 ? {} : { reference_images: [...buildOwnReferences(fields), ...references] }),
    ...(video === undefined ? {} : { video }),
  };
}

const buildOwnReferences = ({ reference_images: own }: Fields): readonly unknown[] => asList(own);

const dropUndefined = (found: readonly unknown[]): readonly unknown[] => found.filter((one) => one !== undefined);

/** xAI's `{url}`: the client's own object, or one around an address. */
function readObject({ fields, within }: Part, name: string): unknown {
  if (isRecord(fields[name])) return fields[name];
  const url = readUrl(fields, name, false, within);
  return url === null ? undefined : { url };
}
