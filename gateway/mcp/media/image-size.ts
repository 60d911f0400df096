import { findNearestRatio } from "../../core/images/aspect-ratio.ts";
import { GatewayError } from "../../core/errors.ts";
import { readSides } from "../../core/images/image-rules.ts";
import type { ImageRules, ImageSizes } from "../../core/images/image-rules.ts";

/** Sides in pixels of a square of each resolution. */
const SIDES = { "512": 512, "1k": 1_024, "2k": 2_048, "4k": 4_096 } as const;
export type Resolution = keyof typeof SIDES;
export const RESOLUTIONS = ["512", "1k", "2k", "4k"] as const satisfies readonly Resolution[];

/** Ratio and resolution, for a call without a size. */
export interface Shape {
  /** As `16:9`. */
  readonly ratio: string | undefined;
  readonly resolution: Resolution | undefined;
}

/**
 * Converts ratio and resolution to the `size` of a model without such fields: the nearest of a list, else the
 * resolution's pixels in this ratio. The model's rules validate it.
 * @param model its name in messages
 * @returns undefined if nothing is requested
 * @throws GatewayError unsupported_value for a resolution if the model only has fixed sizes
 */
export function getSize(
  { ratio, resolution }: Shape,
  { sizes, defaultSize }: ImageRules,
  model: string,
): string | undefined {
  if (ratio === undefined && resolution === undefined) return undefined;
  if (sizes.kind === "list" || sizes.kind === "fixed")
    return findNearest(sizes.values, defaultSize, ratio, resolution, model);
  if (ratio === undefined && resolution !== undefined && (sizes.kind === "any" || sizes.kind === "pixels"))
    return resolution.toUpperCase();
  const [wide = 1, high = 1] = (ratio ?? "1:1").split(":").map(Number);
  const side = SIDES[resolution ?? (sizes.kind === "pixels" ? "2k" : "1k")];
  // The largest multiple of the ratio within the resolution's pixels.
  const scale = Math.max(1, Math.floor(side / Math.sqrt(wide * high)));
  return fitSize(wide * scale, high * scale, sizes);
}

function findNearest(
  values: readonly string[],
  usual: string | null,
  ratio: string | undefined,
  resolution: Resolution | undefined,
  model: string,
): string | undefined {
  if (resolution !== undefined) {
    throw new GatewayError(
      "unsupported_value",
      `Unsupported value for 'resolution': "${resolution}"; the model "${model}" makes the sizes ${values.join(", ")}. Name one as 'size', or leave it out.`,
      { param: "resolution" },
    );
  }
  const [wide = 1, high = 1] = (ratio ?? "1:1").split(":").map(Number);
  // Prefers for each ratio the model's usual size, then the largest: the first one found is taken.
  const likely = [...(usual === null ? [] : [usual]), ...values.toSorted((a, b) => getPixels(b) - getPixels(a))];
  const byRatio = new Map<string, string>();
  for (const size of likely) {
    const sides = readSides(size);
    if (sides !== null && !byRatio.has(sides.join(":"))) byRatio.set(sides.join(":"), size);
  }
  return byRatio.get(findNearestRatio(wide, high, [...byRatio.keys()]));
}

function getPixels(size: string): number {
  const [width, height] = readSides(size) ?? [0, 0];
  return width * height;
}

function fitSize(width: number, height: number, sizes: ImageSizes): string {
  if (sizes.kind !== "free") return `${Math.round(width)}x${Math.round(height)}`;
  const shrink = Math.min(1, sizes.longest / Math.max(width, height));
  const stepped = (side: number): number => Math.max(1, Math.floor((side * shrink) / sizes.step)) * sizes.step;
  return `${stepped(width)}x${stepped(height)}`;
}
