import type { VideoRequest } from "../../contract/videos.ts";
import { isRecord } from "../../lib/records.ts";
import { at, readParts, getPictureUrl, readRest, findTerm } from "../../core/videos/video-flat.ts";
import type { Part } from "../../core/videos/video-flat.ts";
import { readMedia, orderFrom, readPrompt } from "../../core/videos/video-input.ts";
import type { OrderedModel, VideoOrder } from "../../core/videos/video-order.ts";
import { onlyOne, readPlace, createUnsupported, wrongType } from "../../core/videos/video-refusal.ts";
import {
  estimateLikelySides,
  findNearestResolution,
  ratioOfSides,
  chooseSides,
  getSidesOfSize,
} from "../../core/videos/video-size.ts";
import {
  DEFAULT_RATIO,
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
import type { Fields, Term } from "../../core/videos/video-terms.ts";

/** Fields that this file translates into OpenAI's. */
const USED = [
  "prompt",
  "image",
  "img_url",
  "first_frame",
  "media",
  "input_reference",
  "seconds",
  "size",
  "duration",
  "resolution",
  "ratio",
  "aspect_ratio",
];

/**
 * Builds a request for Sora and servers with OpenAI's `/v1/videos` (docs/providers/openai.md#videos): `prompt`,
 * `seconds` as a string, `size`, a picture as `input_reference`. A model that only its provider knows gets the client's
 * fields only.
 */
export function buildSoraOrder(request: VideoRequest, body: Fields, model: OrderedModel): VideoOrder {
  const parts = readParts(request, body);
  const [source] = parts;
  const prompt = readPrompt(source.fields, true, source.within === "" ? "input.prompt" : at(source, "prompt"));
  const size = findAgreed(findTerm(parts, "size", readTextTerm));
  const sides = size === null ? null : getSidesOfSize(size.value);
  const duration = findAgreed([
    topLevelTerms.duration(request),
    ...findTerm(parts, "seconds", buildSecondsInText),
    ...findTerm(parts, "duration", readSecondsTerm),
  ]);
  const resolutionTerm = findAgreed([
    topLevelTerms.resolution(request),
    size === null || sides === null ? null : { ...size, value: findNearestResolution(sides, getNames(model)) },
    ...findTerm(parts, "resolution", readResolutionTerm),
  ]);
  const shape = agreedRatio([
    topLevelTerms.ratio(request),
    size === null || sides === null ? null : { ...size, value: ratioOfSides(sides) },
    ...findTerm(parts, "ratio", readTextTerm),
    ...findTerm(parts, "aspect_ratio", readTextTerm),
  ]);
  const seconds = chooseSeconds(duration, model);
  const resolution = chooseResolution(resolutionTerm, model);
  const ratio = shape?.value ?? DEFAULT_RATIO;
  checkRatio(shape, model);
  checkSize(size, resolution, ratio, model);

  const listed = model.rules !== null;
  const reference = readReference(source, model.id);
  const rest = readRest(parts, USED);
  const billed = {
    ...(listed || duration !== null ? { seconds: String(seconds) } : {}),
    ...(size !== null ? { size: size.value } : {}),
    ...(size === null && (listed || resolutionTerm !== null || shape !== null)
      ? { size: estimateLikelySides(resolution, ratio).join("x") }
      : {}),
  };
  return orderFrom({
    family: "sora",
    body: { prompt, ...rest, ...billed, ...(reference === null ? {} : { input_reference: reference }) },
    seconds,
    resolution,
    ratio,
    prompt,
    settings: [rest, billed],
  });
}

const getNames = ({ rules }: OrderedModel): readonly string[] | undefined =>
  rules === null || !rules.resolutions.includes("1024p") ? undefined : ["480p", "720p", "1024p"];

/** A listed model makes the sizes of the table and no others. */
function checkSize(size: Term<string> | null, resolution: string, ratio: string, { id, rules }: OrderedModel): void {
  if (rules === null) return;
  const made = rules.resolutions.flatMap((name) =>
    ["9:16", "16:9"].map((shape) => chooseSides(name, shape)?.join("x")),
  );
  if (size !== null && !made.includes(size.value.toLowerCase())) {
    throw createUnsupported(size.place, size.written, id, `makes ${made.join(", ")}`);
  }
  if (chooseSides(resolution, ratio) === null)
    throw createUnsupported("aspect_ratio", ratio, id, `makes ${made.join(", ")}`);
}

/** OpenAI's `seconds` is a text; a number is taken too. */
function buildSecondsInText(fields: Fields, name: string, within: string): Term<number> | null {
  const written = fields[name];
  if (typeof written !== "string") return readSecondsTerm(fields, name, within);
  const place = readPlace(within, name);
  if (!/^\d{1,3}$/.test(written.trim())) throw wrongType(place, "expected a whole number of seconds", written);
  return { value: Number(written), place, written };
}

/** Returns an inline picture unchanged (it is sent as a file), a URL in OpenAI's JSON form; null: none. */
function readReference(source: Part, model: string): unknown {
  const { fields } = source;
  const own = fields["input_reference"];
  if (isRecord(own)) {
    const url = own["image_url"];
    return typeof url === "string" && url.startsWith("data:") ? url : own;
  }
  const urls = ["input_reference", "image", "img_url", "first_frame"].map((name) => getPictureUrl(source, name));
  const place = at(source, "media");
  const media = readMedia(fields, ["first_frame", "reference_image"], model, place).map(({ url }) => url);
  const url = onlyOne([...urls.filter((one) => one !== null), ...media], place, "one picture", model);
  if (url === undefined) return null;
  return url.startsWith("data:") ? url : { image_url: url };
}
