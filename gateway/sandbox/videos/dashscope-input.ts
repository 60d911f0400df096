import { isRecord } from "../../lib/records.ts";
import type { Fields } from "../fields.ts";
import type { WanRules } from "./dashscope-models.ts";
import { oneOf, optionalText, refused, requiredAddress, requiredText } from "./dashscope-refusals.ts";

/** What of `input` matters for the task. */
export interface WanInput {
  readonly prompt: string;
  /** A film went in, whose seconds are billed too. */
  readonly withVideo: boolean;
}

const MOST_REFERENCES = 5;

/** @throws Failure (400) in DashScope's words for what the model does not take (docs/providers/dashscope.md#videos). */
export function wanInput(input: Fields, rules: WanRules): WanInput {
  optionalText(input, "negative_prompt", "input.negative_prompt");
  if (input["audio_url"] != null) requiredAddress(input, "audio_url", "input.audio_url");
  if (rules.kind === "i2v") {
    const prompt = optionalText(input, "prompt", "input.prompt") ?? "";
    if (rules.media) checkFirstFrame(mediaOf(input, rules), rules);
    else requiredAddress(input, "img_url", "input.img_url");
    return { prompt, withVideo: false };
  }
  const prompt = requiredText(input, "prompt", "input.prompt");
  if (rules.kind === "t2v") return { prompt, withVideo: false };
  if (!rules.media) return { prompt, withVideo: checkReferenceUrls(input) };
  const types = mediaOf(input, rules);
  if (rules.kind === "edit") checkEdit(types, rules);
  else checkReferences(types, rules);
  return { prompt, withVideo: types.includes("video") || types.includes("reference_video") };
}

const TYPES = {
  t2v: [],
  i2v: ["first_frame", "last_frame", "driving_audio", "first_clip"],
  r2v: ["reference_image", "reference_video", "first_frame", "driving_audio"],
  edit: ["video", "reference_image"],
} as const;
const HORSE_TYPES = { ...TYPES, i2v: ["first_frame"], r2v: ["reference_image"] } as const;

/** The types of `input.media`, in their order. */
function mediaOf(input: Fields, { kind, horse }: WanRules): readonly string[] {
  const media: unknown = input["media"];
  if (media === undefined || media === null) throw refused("Field required", "input.media");
  if (!Array.isArray(media)) throw refused("Input should be a valid list", "input.media");
  const known = (horse ? HORSE_TYPES : TYPES)[kind];
  return media.map((item: unknown, index) => {
    const path = `input.media.${index}`;
    if (!isRecord(item)) throw refused("Input should be a valid dictionary", path);
    const type = requiredText(item, "type", `${path}.type`);
    requiredAddress(item, "url", `${path}.url`);
    return oneOf(type, known, `${path}.type`);
  });
}

/** The sets that the provider lists. */
const BEGINNINGS = [
  "first_frame",
  "driving_audio+first_frame",
  "first_frame+last_frame",
  "driving_audio+first_frame+last_frame",
  "first_clip",
  "first_clip+last_frame",
];

function checkFirstFrame(types: readonly string[], { horse }: WanRules): void {
  const set = types.toSorted().join("+");
  if (horse ? set === "first_frame" : BEGINNINGS.includes(set)) return;
  const wanted = horse ? "exactly one first_frame" : "one first_frame or first_clip, and what may go with it";
  throw refused(`Value error, media must hold ${wanted}`, "input.media");
}

function checkReferences(types: readonly string[], { horse }: WanRules): void {
  const references = types.filter((type) => type.startsWith("reference_")).length;
  const most = horse ? 9 : MOST_REFERENCES;
  if (references < 1 || references > most) {
    throw refused(`Value error, media must hold 1 to ${most} references`, "input.media");
  }
  if (types.filter((type) => type === "first_frame").length > 1) {
    throw refused("Value error, media must hold at most one first_frame", "input.media");
  }
}

function checkEdit(types: readonly string[], { horse }: WanRules): void {
  const most = horse ? 5 : 4;
  const videos = types.filter((type) => type === "video").length;
  if (videos === 1 && types.length - videos <= most) return;
  throw refused(`Value error, media must hold exactly one video and at most ${most} reference_image`, "input.media");
}

/** @returns whether a film is among them, by its name: the provider looks into it. */
function checkReferenceUrls(input: Fields): boolean {
  const urls: unknown = input["reference_urls"] ?? input["reference_video_urls"];
  if (urls === undefined || urls === null) throw refused("Field required", "input.reference_urls");
  if (!Array.isArray(urls)) throw refused("Input should be a valid list", "input.reference_urls");
  if (urls.length < 1 || urls.length > MOST_REFERENCES) {
    throw refused(`Value error, reference_urls must hold 1 to ${MOST_REFERENCES} addresses`, "input.reference_urls");
  }
  const addresses = urls.map((url: unknown, index) => requiredAddress({ url }, "url", `input.reference_urls.${index}`));
  return addresses.some((address) => /\.(mp4|mov)(\?|$)/i.test(address));
}
