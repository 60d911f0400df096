import type { Provider, ModelsAdapter } from "../provider.ts";
import { catalog } from "./catalog.ts";
import { chat } from "./chat.ts";
import { errors } from "./errors.ts";
import { profile } from "./profile.ts";
import { videos } from "./videos.ts";
import { getBasePath } from "../base-path.ts";
import { FieldRules } from "../../core/keys/key-reach.ts";
import type { Units } from "../../core/models/model.ts";
import { tokenCount } from "../../core/chat/chat-usage.ts";
import { isRecord } from "../../lib/records.ts";
import type { ImagesAdapter } from "../images.ts";
import { findImages, buildImagesRequest } from "../openai-compatible/images.ts";
import { buildSeedreamRequest } from "./image-request.ts";
import { models as compatible } from "../openai-compatible/models.ts";

const models: ModelsAdapter = compatible;

const reaches = new FieldRules({ hosted_tool: ["tools[].type"] });

/**
 * Seedream in Ark's own format, which its clients send (docs/providers/ark.md#images). One response may have images and
 * errors of others; it is forwarded unchanged, and the images are billed.
 */
export const images: ImagesAdapter = {
  families: { seedream: buildSeedreamRequest },
  reaches,
  toRequest: (call, secret) => buildImagesRequest(call, secret, {}),
  fromResponse: (body) => {
    if (!isRecord(body) || !Array.isArray(body["data"])) return null;
    const found = findImages(body["data"]);
    if (found.length === 0) return null;
    const usage = isRecord(body["usage"]) ? body["usage"] : {};
    const made = tokenCount(usage["generated_images"]) ?? found.length;
    return { body, images: found, units: { image: made, ...toUnits(usage) } };
  },
  toUnits,
};

/** All tokens of a response are its images'. */
function toUnits(usage: unknown): Units | null {
  const output = isRecord(usage) ? tokenCount(usage["output_tokens"]) : null;
  return output === null || output === 0 ? null : { image_output: output };
}

/** Volcengine Ark and BytePlus ModelArk (docs/providers/ark.md). */
export const provider: Provider = {
  ...profile,
  catalog,
  normalizeBaseUrl,
  models,
  errors,
  rateScope: "model",
  chat,
  messages: null,
  responses: null,
  embeddings: null,
  speech: null,
  images,
  edits: null,
  videos,
  transcriptions: null,
  moderations: null,
};

/** Ends with `/api/v3`, once, whatever of it was pasted. */
function normalizeBaseUrl(url: URL): string {
  const path = getBasePath(url).replace(/(\/api)?\/v3(\/.*)?$|\/api$/, "");
  return `${url.origin}${path}/api/v3`;
}
