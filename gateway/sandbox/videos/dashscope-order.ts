import { isRecord } from "../../lib/records.ts";
import { Failure, type Fields } from "../fields.ts";
import { FILM_SIZES, sizeByPixels, sizeByRatio } from "./sizes.ts";

/** What of `input` matters for the task. */
interface WanInput {
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

/** What a video model of DashScope takes (docs/providers/dashscope.md#videos). */
export interface WanRules {
  readonly kind: "t2v" | "i2v" | "r2v" | "edit";
  /** `input.media`, `resolution` and `ratio`; else `input.img_url` and its like, and `size`. */
  readonly media: boolean;
  /** HappyHorse has its own numbers of pictures. */
  readonly horse: boolean;
  /** Of Wan; 0 for HappyHorse. */
  readonly version: number;
  /** As `parameters.resolution` writes them. */
  readonly resolutions: readonly string[];
  /** Whole seconds from the first to the second, or these alone. */
  readonly seconds: readonly [from: number, to: number] | readonly number[];
  readonly fixedSeconds: boolean;
}

const NAME = /^(?:wanx?(\d+\.\d+)|(happyhorse)-\d+\.\d+)-(t2v|i2v|r2v|video-?edit)(-us)?/;
/** From here on Wan takes `input.media`. */
const FIRST_WITH_MEDIA = 2.7;

/** @param id the provider's own; what is not known here is taken for the newest that makes films of texts. */
export function wanRules(id: string): WanRules {
  const [, number, horse, word = "t2v", us] = NAME.exec(id) ?? [];
  const version = number === undefined ? (horse === undefined ? FIRST_WITH_MEDIA : 0) : Number(number);
  const media = horse !== undefined || version >= FIRST_WITH_MEDIA;
  const kind = word.startsWith("video") ? "edit" : (word as "t2v" | "i2v" | "r2v");
  const seconds = lengthsOf(version, kind, us !== undefined);
  return {
    kind,
    media,
    horse: horse !== undefined,
    version,
    resolutions: media || version >= 2.6 ? ["720P", "1080P"] : ["480P", "720P", "1080P"],
    ...seconds,
  };
}

function lengthsOf(version: number, kind: WanRules["kind"], us: boolean): Pick<WanRules, "seconds" | "fixedSeconds"> {
  if (us) return { seconds: [5, 10, 15], fixedSeconds: true };
  if (version === 0) return { seconds: [3, 15], fixedSeconds: false };
  if (version < 2.5) return { seconds: [5], fixedSeconds: true };
  if (version < 2.6) return { seconds: [5, 10], fixedSeconds: true };
  const short = kind === "edit" || (kind === "r2v" && version < FIRST_WITH_MEDIA);
  return { seconds: [2, short ? 10 : 15], fixedSeconds: false };
}

/** What of `parameters` matters for the task. */
interface WanParameters {
  /** Place in `FILM_SIZES`. */
  readonly size: number;
  readonly seconds: number;
  /** The size was told by its pixels, and is told so in `usage`. */
  readonly byPixels: boolean;
}

const MOST_SEED = 2_147_483_647;
const USUAL_SECONDS = 5;
const RATIOS = ["16:9", "9:16", "1:1", "4:3", "3:4"] as const;
/**
 * Wan 2.7 knows these no more (docs/providers/dashscope.md#wan-27). That they are refused, and not passed over, is a
 * guess.
 */
const GONE = ["size", "audio", "shot_type"];
const SWITCHES = ["prompt_extend", "watermark", "audio"];

/** @throws Failure (400) in DashScope's words for what the model does not take. */
export function wanParameters(parameters: Fields, rules: WanRules, input: WanInput): WanParameters {
  for (const name of rules.media ? GONE : []) {
    if (parameters[name] !== undefined) throw refused("Extra inputs are not permitted", `parameters.${name}`);
  }
  for (const name of SWITCHES) {
    const value = parameters[name];
    if (value != null && typeof value !== "boolean") {
      throw refused("Input should be a valid boolean", `parameters.${name}`);
    }
  }
  wholeNumber(parameters, "seed", "parameters.seed", 0, MOST_SEED);
  return { ...sizeFor(parameters, rules), seconds: secondsFor(parameters, rules, input) };
}

function secondsFor(parameters: Fields, rules: WanRules, { withVideo }: WanInput): number {
  const path = "parameters.duration";
  // A film that is edited keeps its length: a guess of it, since nobody here looks into it.
  if (rules.kind === "edit" && (rules.horse || (parameters["duration"] ?? 0) === 0)) return USUAL_SECONDS;
  const [from = 0, to = from] = rules.seconds;
  if (rules.fixedSeconds) return oneOf(parameters["duration"] ?? USUAL_SECONDS, rules.seconds, path);
  return wholeNumber(parameters, "duration", path, from, withVideo ? Math.min(to, 10) : to) ?? USUAL_SECONDS;
}

function sizeFor(parameters: Fields, rules: WanRules): Omit<WanParameters, "seconds"> {
  const { kind, media } = rules;
  const byPixels = !media && parameters["resolution"] == null && (kind !== "i2v" || parameters["size"] != null);
  if (byPixels) return { size: pixelsOf(parameters, rules), byPixels };
  const asked = parameters["resolution"] ?? "1080P";
  const resolution = oneOf(
    typeof asked === "string" ? asked.toUpperCase() : asked,
    rules.resolutions,
    "parameters.resolution",
  );
  // The picture that a film begins with decides of its ratio; nobody here looks at it.
  const asRatio = kind !== "i2v" && media && parameters["ratio"] != null;
  const ratio = asRatio ? oneOf(parameters["ratio"], RATIOS, "parameters.ratio") : "16:9";
  return { size: sizeByRatio(resolution, ratio), byPixels };
}

function pixelsOf(parameters: Fields, { resolutions }: WanRules): number {
  const path = "parameters.size";
  const pixels = parameters["size"] == null ? "1920*1080" : requiredText(parameters, "size", path);
  const size = pixels.includes("*") ? sizeByPixels(pixels) : -1;
  const resolution = FILM_SIZES[size]?.resolution.toUpperCase() ?? "";
  if (resolutions.includes(resolution)) return size;
  throw refused(`The size is not match ${pixels.slice(0, 40)}`, path);
}

/**
 * How DashScope refuses a field: what is wrong, and where (docs/providers/dashscope.md#wan-25-and-26 has "Field
 * required: input.img_url").
 */
export function refused(sentence: string, path: string): Failure {
  return new Failure(400, `${sentence}: ${path}`, { code: "InvalidParameter" });
}

/** A text that must be there and hold something. */
export function requiredText(fields: Fields, name: string, path: string): string {
  const value = fields[name];
  if (value === undefined || value === null || value === "") throw refused("Field required", path);
  if (typeof value !== "string") throw refused("Input should be a valid string", path);
  return value;
}

/** A text that may be left out. */
function optionalText(fields: Fields, name: string, path: string): string | undefined {
  return fields[name] === undefined || fields[name] === null ? undefined : requiredText(fields, name, path);
}

/** An address from which the provider could fetch something (docs/providers/dashscope.md#wan-27). */
function requiredAddress(fields: Fields, name: string, path: string): string {
  const address = requiredText(fields, name, path);
  if (/^(https?:\/\/[^/]|oss:\/\/[^/]|data:\w+\/[\w.+-]+;base64,)/i.test(address)) return address;
  throw new Failure(400, `The provided URL does not appear to be valid: ${path}`, { code: "InvalidURL" });
}

/** A whole number within its bounds. */
function wholeNumber(fields: Fields, name: string, path: string, from: number, to: number): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value)) throw refused("Input should be a valid integer", path);
  if (value < from) throw refused(`Input should be greater than or equal to ${from}`, path);
  if (value > to) throw refused(`Input should be less than or equal to ${to}`, path);
  return value;
}

/** One of some values, named in single quotes where they are texts. */
function oneOf<Value extends string | number>(value: unknown, values: readonly Value[], path: string): Value {
  const found = values.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  const names = values.map((candidate) => (typeof candidate === "string" ? `'${candidate}'` : String(candidate)));
  const last = names.at(-1) ?? "";
  throw refused(`Input should be ${names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${last}` : last}`, path);
}
