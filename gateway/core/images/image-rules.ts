import { GatewayError } from "../errors.ts";
import type { ImageQuality } from "./image-quality.ts";

/** Which request shape an image model takes (docs/specification.md#images), as its provider's adapter names it. */
export type ImageFamily = string;

/** The sizes that a model makes. */
export type ImageSizes =
  /** Exactly these. `made`: sizes that the provider makes if it does not make each; the nearest one is requested. */
  | { readonly kind: "list"; readonly values: readonly string[]; readonly made?: readonly string[] }
  /**
   * `auto`, or any `WxH` whose sides are multiples of `step`, at most `longest` pixels, with an aspect ratio of at most
   * `ratio`.
   */
  | { readonly kind: "free"; readonly step: number; readonly longest: number; readonly ratio: number }
  /** Any of `words`, or any `WxH` within these pixel counts, with an aspect ratio of at most `ratio`. */
  | {
      readonly kind: "pixels";
      readonly words: readonly string[];
      readonly least: number;
      readonly most: number;
      readonly ratio: number;
    }
  /** The model decides by itself. What a client may name all the same is not sent. */
  | { readonly kind: "fixed"; readonly values: readonly string[] }
  /** Not known here: the provider decides. */
  | { readonly kind: "any" };

/** The rules of an image model on `/v1/images/generations`. */
export interface ImageRules {
  readonly family: ImageFamily;
  readonly sizes: ImageSizes;
  /** Sent if the client gives none; null: left to the provider. */
  readonly defaultSize: string | null;
  /** Most images of one call. */
  readonly most: number;
  /** Accepted values of `quality`; empty if the provider has none. */
  readonly qualities: readonly ImageQuality[];
  /** Most characters of a prompt; null: left to the provider. */
  readonly promptLimit: number | null;
  /** Range of the number of reference images of a call. */
  readonly references: { readonly least: number; readonly most: number };
  /** Whether a response can be streamed. */
  readonly streams: boolean;
}

const WIDTH_HEIGHT = /^([1-9]\d{0,4})[x*]([1-9]\d{0,4})$/;

/** Width and height of `1024x1024` or `1024*1024`; null for anything else. */
export function readSides(size: string): readonly [width: number, height: number] | null {
  const match = WIDTH_HEIGHT.exec(size);
  return match === null ? null : [Number(match[1]), Number(match[2])];
}

/**
 * Checks a size against a model's sizes.
 * @param model id for the error message. @param param the field, e.g. `parameters.size`.
 * @throws GatewayError unsupported_value with the accepted sizes.
 */
export function checkSize(size: string, sizes: ImageSizes, model: string, param: string): void {
  const accepted = describeSizes(size, sizes);
  if (accepted === null) return;
  throw new GatewayError(
    "unsupported_value",
    `Unsupported value for '${param}': ${JSON.stringify(size.slice(0, 40))}; the model "${model}" ${accepted}.`,
    { param },
  );
}

/** Describes the accepted sizes for a refused size; null if it is accepted. */
function describeSizes(size: string, sizes: ImageSizes): string | null {
  switch (sizes.kind) {
    case "any":
      return null;
    case "fixed":
    case "list":
      return sizes.values.includes(size) ? null : `accepts ${sizes.values.join(", ")}`;
    case "free":
      return size === "auto" || isFree(size, sizes)
        ? null
        : `accepts auto, or WIDTHxHEIGHT with both sides multiples of ${sizes.step} and at most ${sizes.longest}, ` +
            `the long side at most ${sizes.ratio} times the short one`;
    case "pixels":
      return sizes.words.includes(size) || isWithin(size, sizes)
        ? null
        : `accepts ${sizes.words.join(", ")}, or WIDTHxHEIGHT with ${sizes.least} to ${sizes.most} pixels, ` +
            `the long side at most ${sizes.ratio} times the short one`;
  }
}

function isFree(size: string, { step, longest, ratio }: Extract<ImageSizes, { kind: "free" }>): boolean {
  const sides = size.includes("*") ? null : readSides(size);
  if (sides === null) return false;
  const long = Math.max(...sides);
  const short = Math.min(...sides);
  return long <= longest && long <= ratio * short && sides.every((side) => side % step === 0);
}

function isWithin(size: string, { least, most, ratio }: Extract<ImageSizes, { kind: "pixels" }>): boolean {
  const sides = size.includes("*") ? null : readSides(size);
  if (sides === null) return false;
  const [width, height] = sides;
  const pixels = width * height;
  return pixels >= least && pixels <= most && Math.max(...sides) <= ratio * Math.min(...sides);
}

/** Returns the size with the nearest shape, and among sizes with one shape the nearest in pixels. */
export function findNearestSize(size: string, others: readonly string[]): string {
  if (others.includes(size)) return size;
  const [width, height] = readSides(size) ?? [1, 1];
  const farness = (other: string): readonly [shape: number, area: number] => {
    const [w, h] = readSides(other) ?? [1, 1];
    return [Math.abs(Math.log((w * height) / (h * width))), Math.abs(Math.log((w * h) / (width * height)))];
  };
  const [nearest = size] = others.toSorted((a, b) => {
    const [one, other] = [farness(a), farness(b)];
    return one[0] - other[0] || one[1] - other[1];
  });
  return nearest;
}
