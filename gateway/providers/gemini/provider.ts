import type { Provider, ModelsAdapter } from "../provider.ts";
import { catalog } from "./catalog.ts";
import { chat } from "./chat.ts";
import { edits } from "./edits.ts";
import { errors } from "./errors.ts";
import { images } from "./images.ts";
import { profile } from "./profile.ts";
import { getBasePath } from "../base-path.ts";
import type { EmbeddingsAdapter } from "../embeddings.ts";
import { getEmbeddingsBody, readEmbeddings } from "../openai-compatible/embeddings.ts";
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

/** A hundred texts to a call (docs/providers/gemini.md#embeddings). */
const LIMITS = { inputs: 100, tokens: Infinity };

/**
 * Google's layer for OpenAI clients (docs/providers/gemini.md#layer-for-openai-clients). Other fields of the client are
 * dropped: Google refuses whole requests for a name that it does not know.
 */
const embeddings: EmbeddingsAdapter = {
  takesTokens: false,
  readLimits: () => LIMITS,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/v1beta/openai/embeddings",
    headers: buildBearerHeaders(secret),
    body: getEmbeddingsBody(call, { encoding_format: "float" }),
  }),
  fromResponse: readEmbeddings,
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
  embeddings,
  speech: null,
  images,
  edits,
  videos: null,
  transcriptions: null,
  moderations: null,
};

/** The bare origin (and the path of a proxy in front of it): the version and the operation that people paste at its end are cut off. */
function normalizeBaseUrl(url: URL): string {
  const path = getBasePath(url).replace(/\/v1(beta|alpha)?(\/(models(\/[^/]*)?|openai))?$/, "");
  return `${url.origin}${path}`;
}
