import { grokEdits } from "./edit-rules.ts";
import { GROK_RATIOS } from "../../contract/images.ts";
import { nearestRatio } from "../../core/images/aspect-ratio.ts";
import { sidesOf } from "../../core/images/image-rules.ts";
import { JSON_EDIT } from "../edits.ts";
import type { EditPicture, EditsAdapter, EditsCall } from "../edits.ts";
import { bearerHeaders } from "../openai-compatible/headers.ts";
import { readImages } from "./images.ts";

/**
 * Grok Imagine edits by JSON (docs/providers/xai.md#images): one picture as `image`, several as `images`, inside the
 * text or at an address. There is no `size`: the nearest ratio is asked for.
 */
export const edits: EditsAdapter = {
  fetches: { addresses: true, files: false },
  unlisted: grokEdits,
  encode: (call) => ({ path: "/images/edits", headers: JSON_EDIT, body: JSON.stringify(bodyOf(call)) }),
  toRequest: ({ path, body }, secret) => ({ method: "POST", path, headers: bearerHeaders(secret), body }),
  fromResponse: readImages,
  toUnits: null,
};

function bodyOf({ fields, images, upstreamModel }: EditsCall): Readonly<Record<string, unknown>> {
  const { size, ...rest } = fields;
  const sides = typeof size === "string" ? sidesOf(size) : null;
  const [only, ...others] = images.map(referenceTo);
  return {
    ...rest,
    model: upstreamModel,
    ...(sides === null ? {} : { aspect_ratio: rest["aspect_ratio"] ?? nearestRatio(...sides, GROK_RATIOS) }),
    ...(others.length === 0 ? { image: only } : { images: [only, ...others] }),
  };
}

function referenceTo(picture: EditPicture): object {
  if (picture.kind === "reference") return { url: picture.value.image_url, type: "image_url" };
  return { url: `data:${picture.mediaType};base64,${picture.bytes.toString("base64")}`, type: "image_url" };
}
