import type { OrderedModel, VideoKind } from "./video-order.ts";
import type { Fields } from "./video-terms.ts";

/**
 * What a video begins from at OpenAI is one field; each family has its own place for it
 * (docs/providers/README.md#video-requests).
 */

const isVideo = (url: string): boolean => /^data:video\/|\.(mp4|mov|webm)(\?|#|$)/i.test(url);

/** `input` with a picture, or a video, to begin from or to look at. */
export function withReference(input: Fields, url: string, { rules, providerFamily }: OrderedModel): Fields {
  const kind = rules?.withImage === undefined ? (rules?.kind ?? "any") : "i2v";
  switch (rules?.family ?? providerFamily) {
    case "alpha-legacy":
      if (kind !== "r2v") return { ...input, img_url: url };
      return { ...input, reference_urls: [url, ...listIn(input, "reference_urls")] };
    case "alpha":
      return withMedia(input, { type: alphaType(url, kind), url });
    case "beta":
      return withMedia(input, { type: betaType(url, kind), url });
    case "grok":
      return { ...input, [isVideo(url) ? "video" : "image"]: { url } };
    case "sora":
      return { ...input, input_reference: url };
    default:
      return withMedia(input, { type: isVideo(url) ? "reference_video" : "first_frame", url });
  }
}

function alphaType(url: string, kind: VideoKind): string {
  if (kind === "r2v") return isVideo(url) ? "reference_video" : "reference_image";
  return isVideo(url) ? "first_clip" : "first_frame";
}

function betaType(url: string, kind: VideoKind): string {
  if (isVideo(url)) return "video";
  return kind === "r2v" || kind === "edit" ? "reference_image" : "first_frame";
}

/** In front of what the client lists itself. */
function withMedia(input: Fields, item: Fields): Fields {
  return { ...input, media: [item, ...listIn(input, "media")] };
}

function listIn(input: Fields, name: string): readonly unknown[] {
  const list = input[name];
  return Array.isArray(list) ? list : [];
}
