import type { Provider, ModelsAdapter } from "../provider.ts";
import { catalog } from "./catalog.ts";
import { chat } from "./chat.ts";
import { embeddings } from "./embeddings.ts";
import { edits } from "./edits.ts";
import { gemini } from "./gemini.ts";
import { errors } from "./errors.ts";
import { images } from "./images.ts";
import { profile } from "./profile.ts";
import { getBasePath } from "../base-path.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import { ALL_KINDS, readModels } from "../openai-compatible/models.ts";

/**
 * The list of the layer for OpenAI clients, whose ids are written `models/gemini-…`
 * (docs/providers/gemini.md#layer-for-openai-clients).
 */
const models: ModelsAdapter = {
  toRequest: (secret) => ({
    method: "GET",
    path: "/v1beta/openai/models",
    headers: buildBearerHeaders(secret),
    body: null,
  }),
  fromResponse: (body) =>
    readModels(body)?.map((model) => ({ ...model, id: model.id.replace(/^models\//, "") })) ?? null,
  whole: ALL_KINDS,
};

/** Google Gemini, by its layer for OpenAI clients and natively (docs/providers/gemini.md). */
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
  gemini,
  embeddings,
  speech: null,
  images,
  edits,
  videos: null,
  transcriptions: null,
  moderations: null,
};

/** Returns the bare origin (and the path of a proxy): a pasted version and operation are removed. */
function normalizeBaseUrl(url: URL): string {
  const path = getBasePath(url).replace(/\/v1(beta|alpha)?(\/(models(\/[^/]*)?|openai))?$/, "");
  return `${url.origin}${path}`;
}
