import type { VideoRequest } from "../../contract/videos.ts";
import { isRecord } from "../../lib/records.ts";
import { at, partsOf, pictureUrl, restOf, saidIn } from "../../core/videos/video-flat.ts";
import type { Part } from "../../core/videos/video-flat.ts";
import { mediaOf, orderFrom, promptOf } from "../../core/videos/video-input.ts";
import type { OrderedModel, VideoOrder } from "../../core/videos/video-order.ts";
import { onlyOne, placeOf, unsupported, wrongType } from "../../core/videos/video-refusal.ts";
import { likelySides, nearestResolution, ratioOfSides, sidesFor, sidesOfSize } from "../../core/videos/video-size.ts";
import {
  DEFAULT_RATIO,
  agreed,
  agreedRatio,
  checkRatio,
  resolutionFor,
  saidAtTop,
  saidResolution,
  saidSeconds,
  saidText,
  secondsFor,
} from "../../core/videos/video-terms.ts";
import type { Fields, Said } from "../../core/videos/video-terms.ts";

/** What this file says in OpenAI's way. */
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
 * Sora, and servers with OpenAI's `/v1/videos` (docs/providers/openai.md#videos): `prompt`, `seconds` as text, `size`,
 * a picture as `input_reference`. A model that only its provider knows is told what the client said, and nothing else.
 */
export function soraOrder(request: VideoRequest, body: Fields, model: OrderedModel): VideoOrder {
  const parts = partsOf(request, body);
  const [source] = parts;
  const prompt = promptOf(source.fields, true, source.within === "" ? "input.prompt" : at(source, "prompt"));
  const size = agreed(saidIn(parts, "size", saidText));
  const sides = size === null ? null : sidesOfSize(size.value);
  const duration = agreed([
    saidAtTop.duration(request),
    ...saidIn(parts, "seconds", secondsInText),
    ...saidIn(parts, "duration", saidSeconds),
  ]);
  const said = agreed([
    saidAtTop.resolution(request),
    size === null || sides === null ? null : { ...size, value: nearestResolution(sides, namesFor(model)) },
    ...saidIn(parts, "resolution", saidResolution),
  ]);
  const shape = agreedRatio([
    saidAtTop.ratio(request),
    size === null || sides === null ? null : { ...size, value: ratioOfSides(sides) },
    ...saidIn(parts, "ratio", saidText),
    ...saidIn(parts, "aspect_ratio", saidText),
  ]);
  const seconds = secondsFor(duration, model);
  const resolution = resolutionFor(said, model);
  const ratio = shape?.value ?? DEFAULT_RATIO;
  checkRatio(shape, model);
  checkSize(size, resolution, ratio, model);

  const listed = model.rules !== null;
  const reference = referenceOf(source, model.id);
  const rest = restOf(parts, USED);
  const billed = {
    ...(listed || duration !== null ? { seconds: String(seconds) } : {}),
    ...(size !== null ? { size: size.value } : {}),
    ...(size === null && (listed || said !== null || shape !== null)
      ? { size: likelySides(resolution, ratio).join("x") }
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

const namesFor = ({ rules }: OrderedModel): readonly string[] | undefined =>
  rules === null || !rules.resolutions.includes("1024p") ? undefined : ["480p", "720p", "1024p"];

/** A listed model makes the sizes of the table and no others. */
function checkSize(size: Said<string> | null, resolution: string, ratio: string, { id, rules }: OrderedModel): void {
  if (rules === null) return;
  const made = rules.resolutions.flatMap((name) => ["9:16", "16:9"].map((shape) => sidesFor(name, shape)?.join("x")));
  if (size !== null && !made.includes(size.value.toLowerCase())) {
    throw unsupported(size.place, size.written, id, `makes ${made.join(", ")}`);
  }
  if (sidesFor(resolution, ratio) === null) throw unsupported("aspect_ratio", ratio, id, `makes ${made.join(", ")}`);
}

/** OpenAI's `seconds` is a text; a number is taken too. */
function secondsInText(fields: Fields, name: string, within: string): Said<number> | null {
  const written = fields[name];
  if (typeof written !== "string") return saidSeconds(fields, name, within);
  const place = placeOf(within, name);
  if (!/^\d{1,3}$/.test(written.trim())) throw wrongType(place, "expected a whole number of seconds", written);
  return { value: Number(written), place, written };
}

/** An inline picture as it is (it becomes a file on the wire), an address as OpenAI's JSON names it; null: none. */
function referenceOf(source: Part, model: string): unknown {
  const { fields } = source;
  const own = fields["input_reference"];
  if (isRecord(own)) {
    const url = own["image_url"];
    return typeof url === "string" && url.startsWith("data:") ? url : own;
  }
  const urls = ["input_reference", "image", "img_url", "first_frame"].map((name) => pictureUrl(source, name));
  const place = at(source, "media");
  const media = mediaOf(fields, ["first_frame", "reference_image"], model, place).map(({ url }) => url);
  const url = onlyOne([...urls.filter((one) => one !== null), ...media], place, "one picture", model);
  if (url === undefined) return null;
  return url.startsWith("data:") ? url : { image_url: url };
}
