import { isRecord } from "../../lib/records.ts";
import type { OrderedModel, VideoFamily, VideoKind } from "../../core/videos/video-order.ts";
import { createUnsupported } from "../../core/videos/video-refusal.ts";
import type { VideoArguments } from "./video-arguments.ts";

/**
 * Converts common arguments to the body of `POST /v1/videos/generations` for a model family. The endpoint and the
 * provider validate it; only arguments that the family's format lacks are refused here, because a video without them
 * would be paid for.
 */

/** Arguments that are addresses, in the form that the endpoint takes. */
export type VideoAddresses = Pick<
  VideoArguments,
  "first_frame_image" | "last_frame_image" | "reference_images" | "reference_videos" | "source_video" | "audio_url"
>;

/** A family's differences. */
interface Words {
  /** Setting for "with sound". */
  readonly audio: string;
  /** Kind of an item of `media`: a source video, and an audio track. */
  readonly film: string;
  readonly sound: string;
  /** Separator of a size's numbers; null: listed models of the family have no such setting. */
  readonly times: string | null;
}

/** Names used by most families. */
const USUAL: Words = { audio: "audio", film: "video", sound: "reference_audio", times: null };

const WORDS: Readonly<Record<VideoFamily, Words>> = {
  "alpha-legacy": { audio: "audio", film: "", sound: "", times: "*" },
  alpha: { audio: "audio", film: "first_clip", sound: "driving_audio", times: null },
  beta: { audio: "audio", film: "video", sound: "driving_audio", times: null },
  seedance: { audio: "generate_audio", film: "video", sound: "reference_audio", times: null },
  sora: { audio: "audio", film: "video", sound: "reference_audio", times: "x" },
};

/**
 * @param args with `addresses` in place of its own.
 * @param model null: the endpoint reports why.
 * @throws GatewayError unsupported_value
 */
export function getVideoBody(args: VideoArguments, addresses: VideoAddresses, model: OrderedModel | null): object {
  const { prompt, negative_prompt, webhook_url } = args;
  const { id, family, kind } = getModel(args, model);
  const made = findAddresses(family)(addresses, kind, id);
  const parameters = getParameters(args, family, model);
  return given({
    model: id,
    duration: args.duration_seconds,
    resolution: args.resolution,
    aspect_ratio: args.aspect_ratio,
    input: given({ prompt, negative_prompt, ...made }),
    parameters: Object.keys(parameters).length === 0 ? undefined : parameters,
    webhook_url,
  });
}

/** Text to video that is to begin with a picture or a film is its family's other model, as at OpenAI's endpoint. */
function getModel({ model: requested, ...args }: VideoArguments, model: OrderedModel | null) {
  const rules = model?.rules ?? null;
  const family = rules?.family ?? model?.providerFamily ?? "sora";
  const begins = args.first_frame_image !== undefined || args.source_video !== undefined;
  const sibling = begins && rules?.kind === "t2v" ? rules.withImage : undefined;
  if (sibling !== undefined) return { id: sibling, family, kind: "i2v" as const };
  return { id: requested, family, kind: rules?.kind ?? ("any" as const) };
}

function getParameters(args: VideoArguments, family: VideoFamily, model: OrderedModel | null): Record<string, unknown> {
  const { audio, times } = WORDS[family] ?? USUAL;
  const { size, seed, watermark, parameters } = args;
  if (size !== undefined && times === null && model !== null && model.rules !== null) {
    throw createUnsupported("size", size, model.id, "takes resolution and aspect_ratio instead");
  }
  return {
    ...(isRecord(parameters) ? parameters : {}),
    ...given({ size: size?.trim().replace(/[x*×]/i, times ?? "*"), seed, watermark, [audio]: args.audio }),
  };
}

type Places = (addresses: VideoAddresses, kind: VideoKind, model: string) => Record<string, unknown>;

const findAddresses = (family: VideoFamily): Places =>
  family === "alpha-legacy" ? legacyPlaces : (addresses, kind) => createMediaPlaces(addresses, kind, family);

/** Every family but one reads `media`, and refuses by its own rules the kinds that it does not know. */
function createMediaPlaces(addresses: VideoAddresses, kind: VideoKind, family: VideoFamily): Record<string, unknown> {
  const { film, sound } = WORDS[family] ?? USUAL;
  const { first_frame_image, last_frame_image, reference_images, reference_videos, source_video, audio_url } =
    addresses;
  const seen = [
    ...listItems("first_frame", first_frame_image),
    ...listItems(film, source_video),
    ...listItems("last_frame", last_frame_image),
    ...listItems("reference_image", ...(reference_images ?? [])),
    ...listItems("reference_video", ...(reference_videos ?? [])),
  ];
  // Alpha's text-to-video takes no media, and has a field for audio only.
  if (family === "alpha" && kind !== "i2v" && kind !== "r2v" && seen.length === 0) return given({ audio_url });
  const media = [...seen, ...listItems(sound, audio_url)];
  return media.length === 0 ? {} : { media };
}

/** Alpha up to 2.6 has a field for each thing, and its provider passes over those of other kinds in silence. */
function legacyPlaces(addresses: VideoAddresses, kind: VideoKind, model: string): Record<string, unknown> {
  const { first_frame_image, reference_images, reference_videos, audio_url } = addresses;
  const references = [...(reference_images ?? []), ...(reference_videos ?? [])];
  const refuse = (name: keyof VideoAddresses, wrong: boolean, does: string): void => {
    if (wrong && addresses[name] !== undefined) throw createUnsupported(name, addresses[name], model, does);
  };
  const fromReferences = kind === "r2v" || kind === "any";
  refuse("first_frame_image", kind === "r2v", "takes reference_images and reference_videos");
  refuse("last_frame_image", true, "takes no last frame");
  refuse("source_video", true, "takes no film to begin from");
  refuse("reference_images", !fromReferences, "takes no references; the r2v models of its family do");
  refuse("reference_videos", !fromReferences, "takes no references; the r2v models of its family do");
  return given({
    img_url: first_frame_image,
    reference_urls: references.length === 0 ? undefined : references,
    audio_url,
  });
}

const listItems = (type: string, ...urls: readonly (string | undefined)[]) =>
  urls.flatMap((url) => (url === undefined ? [] : [{ type, url }]));

/** Removes absent arguments, so that the same arguments give the same text, by which a repeated order is detected. */
const given = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
