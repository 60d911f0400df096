import type { Provider, ModelsAdapter } from "../provider.ts";
import { normalizeVersioned } from "../openai-compatible/base-url.ts";
import { catalog, grokEdits } from "./catalog.ts";
import { chat } from "./chat.ts";
import { errors } from "./errors.ts";
import { images, readImages } from "./images.ts";
import { profile } from "./profile.ts";
import { transcriptions } from "./transcriptions.ts";
import { videos } from "./videos.ts";
import { GROK_RATIOS } from "../../contract/images.ts";
import { findNearestRatio } from "../../core/images/aspect-ratio.ts";
import { readSides } from "../../core/images/image-rules.ts";
import { JSON_EDIT } from "../edits.ts";
import type { EditPicture, EditsAdapter, EditsCall } from "../edits.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import { models as compatible } from "../openai-compatible/models.ts";

/** Voices and transcripts have no models in the list (docs/providers/xai.md). */
const models: ModelsAdapter = { ...compatible, whole: ["chat", "image"] };

/**
 * Grok Imagine edits by JSON (docs/providers/xai.md#images): one picture as `image`, several as `images`, inline or by
 * URL. There is no `size`: the nearest ratio is requested.
 */
const edits: EditsAdapter = {
  fetches: { addresses: true, files: false },
  unlisted: grokEdits,
  encode: (call) => ({ path: "/images/edits", headers: JSON_EDIT, body: JSON.stringify(readBody(call)) }),
  toRequest: ({ path, body }, secret) => ({ method: "POST", path, headers: buildBearerHeaders(secret), body }),
  fromResponse: readImages,
  toUnits: null,
};

function readBody({ fields, images, upstreamModel }: EditsCall): Readonly<Record<string, unknown>> {
  const { size, ...rest } = fields;
  const sides = typeof size === "string" ? readSides(size) : null;
  const [only, ...others] = images.map(referenceTo);
  return {
    ...rest,
    model: upstreamModel,
    ...(sides === null ? {} : { aspect_ratio: rest["aspect_ratio"] ?? findNearestRatio(...sides, GROK_RATIOS) }),
    ...(others.length === 0 ? { image: only } : { images: [only, ...others] }),
  };
}

function referenceTo(picture: EditPicture): object {
  if (picture.kind === "reference") return { url: picture.value.image_url, type: "image_url" };
  return { url: `data:${picture.mediaType};base64,${picture.bytes.toString("base64")}`, type: "image_url" };
}

/** xAI (docs/providers/xai.md). */
export const provider: Provider = {
  ...profile,
  catalog,
  normalizeBaseUrl: normalizeVersioned,
  models,
  errors,
  rateScope: "model",
  chat,
  messages: null,
  responses: null,
  embeddings: null,
  speech: null,
  images,
  edits,
  videos,
  transcriptions,
  moderations: null,
};
