/**
 * Every value of `quality` that an image endpoint takes (docs/specification.md#post-v1imagesedits-multipartform-data:
 * "standard and hd are legacy aliases").
 */
export const IMAGE_QUALITIES = ["auto", "low", "medium", "high", "standard", "hd"] as const;
export type ImageQuality = (typeof IMAGE_QUALITIES)[number];

/** The equivalent of a value in the other generation of models: gpt-image has levels, dall-e-3 has two kinds. */
const SAME_AS: Readonly<Record<ImageQuality, ImageQuality | null>> = {
  auto: null,
  low: "standard",
  medium: "standard",
  high: "hd",
  standard: "medium",
  hd: "high",
};

/**
 * Returns the quality to send to a model's provider.
 * @param accepted the model's own values (`ImageRules.qualities`); empty if it has none (dall-e-2).
 * @returns null if none is sent, so that the model uses its default.
 */
export function chooseQuality(quality: ImageQuality, accepted: readonly string[]): ImageQuality | null {
  if (accepted.includes(quality)) return quality;
  const same = SAME_AS[quality];
  return same !== null && accepted.includes(same) ? same : null;
}
