import type { VideoRequest } from "../../contract/videos.ts";
import { GatewayError } from "../errors.ts";
import { MOST_SECONDS } from "./video-cost.ts";
import { COMMON_RATIOS, formatResolutionName, sameRatio } from "./video-size.ts";
import { readPlace, shown, createUnsupported, wrongType } from "./video-refusal.ts";
import type { OrderedModel, VideoFamily, VideoRules } from "./video-order.ts";

/**
 * Reads the terms that a video is billed by. A client may say them in two places, at the top (ours) and among the provider's
 * own fields, and both must agree: the one is billed, the other rendered (docs/specification.md#video).
 */

export type Fields = Readonly<Record<string, unknown>>;

/** A value of a request with its path: `parameters.duration`. */
export interface Term<T> {
  readonly value: T;
  readonly place: string;
  /** The value as the client wrote it. */
  readonly written: unknown;
}

/** The specification's defaults. */
export const DEFAULT_SECONDS = 5;
export const DEFAULT_RESOLUTION = "720p";
export const DEFAULT_RATIO = "16:9";

/** Ratios that families make in addition to the common shapes, or without some of them. */
const RATIOS: Readonly<Record<VideoFamily, readonly string[]>> = {
  seedance: ["16:9", "4:3", "1:1", "3:4", "9:16", "21:9", "adaptive", "keep_ratio"],
  grok: ["16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3"],
  sora: ["16:9", "9:16"],
};

/** Returns a family's aspect ratios, without words such as `adaptive`. */
export const readRatios = (family: VideoFamily): readonly string[] =>
  (RATIOS[family] ?? COMMON_RATIOS).filter((ratio) => /^\d+:\d+$/.test(ratio));

export const topLevelTerms = {
  duration: ({ duration }: VideoRequest): Term<number> | null =>
    duration == null ? null : { value: duration, place: "duration", written: duration },
  resolution: ({ resolution }: VideoRequest): Term<string> | null =>
    resolution == null ? null : { value: formatResolutionName(resolution), place: "resolution", written: resolution },
  ratio: ({ aspect_ratio: ratio }: VideoRequest): Term<string> | null =>
    ratio == null ? null : { value: ratio.trim(), place: "aspect_ratio", written: ratio },
};

/** A whole number of the provider's own fields. @param within `parameters`. @throws GatewayError for another type */
export function readSecondsTerm(fields: Fields, name: string, within: string): Term<number> | null {
  const written = fields[name];
  if (written == null) return null;
  const place = readPlace(within, name);
  if (!Number.isSafeInteger(written)) throw wrongType(place, "expected a whole number of seconds", written);
  return { value: written as number, place, written };
}

export function readTextTerm(fields: Fields, name: string, within: string): Term<string> | null {
  const written = fields[name];
  if (written == null) return null;
  const place = readPlace(within, name);
  if (typeof written !== "string") throw wrongType(place, "expected a text", written);
  return { value: written.trim(), place, written };
}

export function readResolutionTerm(fields: Fields, name: string, within: string): Term<string> | null {
  const term = readTextTerm(fields, name, within);
  return term === null ? null : { ...term, value: formatResolutionName(term.value) };
}

/**
 * Returns the first of several equivalent values.
 * @throws GatewayError naming two fields that differ, with their values.
 */
export function findAgreed<T>(
  all: readonly (Term<T> | null)[],
  same: (one: T, other: T) => boolean = (one, other) => one === other,
): Term<T> | null {
  const [first, ...others] = all.filter((term) => term !== null);
  const other = others.find(({ value }) => first !== undefined && !same(first.value, value));
  if (first === undefined) return null;
  if (other === undefined) return first;
  throw new GatewayError(
    "invalid_value",
    `'${first.place}' is ${shown(first.written)} and '${other.place}' is ${shown(other.written)}: what is billed and ` +
      "what is rendered would differ. Send the same in both, or leave one of them out.",
    { param: first.place },
  );
}

export const agreedRatio = (all: readonly (Term<string> | null)[]): Term<string> | null => findAgreed(all, sameRatio);

/** @throws GatewayError naming the supported values */
export function chooseSeconds(term: Term<number> | null, { id, rules }: OrderedModel): number {
  if (rules === null) return unboundedSeconds(term);
  if (term === null) return findNearestDuration(DEFAULT_SECONDS, rules);
  if (takesDuration(term.value, rules)) return term.value;
  throw createUnsupported(term.place, term.written, id, `makes ${readDurations(rules)}`);
}

/** 0 and negative values mean "as long as the source" or "the model's choice" at providers. */
function unboundedSeconds(term: Term<number> | null): number {
  if (term === null) return DEFAULT_SECONDS;
  return term.value > 0 ? Math.min(term.value, MOST_SECONDS) : findLongestDuration(null);
}

export function takesDuration(seconds: number, { durations }: VideoRules): boolean {
  if ("oneOf" in durations) return durations.oneOf.includes(seconds);
  return Number.isSafeInteger(seconds) && seconds >= durations.from && seconds <= durations.to;
}

/** Returns the model's nearest duration; the shorter one of two. */
export function findNearestDuration(seconds: number, { durations }: VideoRules): number {
  if (!("oneOf" in durations)) return Math.min(Math.max(seconds, durations.from), durations.to);
  return durations.oneOf.reduce((near, one) => (Math.abs(one - seconds) < Math.abs(near - seconds) ? one : near));
}

/** Returns the max duration. Models that only a provider knows are assumed to have 15 s, like most. */
export function findLongestDuration(rules: VideoRules | null): number {
  if (rules === null) return 15;
  return "oneOf" in rules.durations ? Math.max(...rules.durations.oneOf) : rules.durations.to;
}

/** `2 to 15 seconds`, `5 or 10 seconds`. */
export function readDurations({ durations }: VideoRules): string {
  return "oneOf" in durations
    ? `${durations.oneOf.join(" or ")} seconds`
    : `${durations.from} to ${durations.to} seconds`;
}

/** @throws GatewayError naming the supported values */
export function chooseResolution(term: Term<string> | null, { id, rules }: OrderedModel): string {
  if (term === null) return DEFAULT_RESOLUTION;
  if (rules === null || rules.resolutions.includes(term.value)) return term.value;
  throw createUnsupported(term.place, term.written, id, `makes ${rules.resolutions.join(", ")}`);
}

/**
 * Checks a top-level ratio before it is sent. Values in the provider's own fields are left to the provider.
 * @throws GatewayError naming the family's ratios.
 */
export function checkRatio(term: Term<string> | null, { id, rules }: OrderedModel): void {
  if (term === null || rules === null || term.place !== "aspect_ratio") return;
  const known: readonly string[] = RATIOS[rules.family] ?? COMMON_RATIOS;
  if (!known.includes(term.value)) throw createUnsupported(term.place, term.written, id, `makes ${known.join(", ")}`);
}
