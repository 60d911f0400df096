import type { Fields } from "../fields.ts";
import type { WanInput } from "./dashscope-input.ts";
import type { WanRules } from "./dashscope-models.ts";
import { oneOf, refused, requiredText, wholeNumber } from "./dashscope-refusals.ts";
import { FILM_SIZES, sizeByPixels, sizeByRatio } from "./sizes.ts";

/** What of `parameters` matters for the task. */
export interface WanParameters {
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
