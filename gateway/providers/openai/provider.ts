import { normalizeBaseUrl } from "../openai-compatible/base-url.ts";
import type { Provider, ModelsAdapter } from "../provider.ts";
import { catalog } from "./catalog.ts";
import { chat } from "./chat.ts";
import { errors } from "./errors.ts";
import { profile } from "./profile.ts";
import { responses } from "./responses.ts";
import { wantsResponses } from "./responses-models.ts";
import { speech } from "./speech.ts";
import { moderations as commonModerations } from "../openai-compatible/moderations.ts";
import { transcriptions as commonTranscriptions } from "../openai-compatible/transcriptions.ts";
import type { ModerationsAdapter } from "../moderations.ts";
import type { TranscriptionsAdapter } from "../transcriptions.ts";
import { videos } from "./videos.ts";
import { edits as common } from "../openai-compatible/edits.ts";
import type { EditsAdapter } from "../edits.ts";
import type { EmbeddingsAdapter } from "../embeddings.ts";
import { getEmbeddingsBody, readEmbeddings } from "../openai-compatible/embeddings.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import { imageTokenUnits } from "../../core/images/image-usage.ts";
import { buildImagesRequest, readImages } from "../openai-compatible/images.ts";
import type { ImagesAdapter } from "../images.ts";
import { buildPromptRequest } from "./image-request.ts";
import { ALL_KINDS, models as compatible } from "../openai-compatible/models.ts";

/** `GET /models` (docs/providers/openai.md#models): the common shape, without extras. */
const models: ModelsAdapter = { ...compatible, whole: ALL_KINDS };

/** `gpt-image-…` and `chatgpt-image-latest`, including models newer than the catalog. */
const GPT_IMAGE = /^(chat)?gpt-/;

/**
 * OpenAI's own images (docs/providers/openai.md#images): gpt-image refuses `response_format` and always answers in
 * base64.
 */
export const images: ImagesAdapter = {
  families: { delta: buildPromptRequest, epsilon: buildPromptRequest },
  toRequest: (call, secret) => {
    const refused = call.body["response_format"] !== undefined && GPT_IMAGE.test(call.upstreamModel);
    return buildImagesRequest(call, secret, refused ? { response_format: undefined } : {});
  },
  fromResponse: readImages,
  toUnits: imageTokenUnits,
};

/** docs/providers/openai.md#embeddings */
const LIMITS = { inputs: 2_048, tokens: 300_000 };

/**
 * OpenAI's own (docs/providers/openai.md#embeddings). It supports both encodings and gets the client's: numbers stay
 * exactly as OpenAI wrote them, and base64 is unchanged at a quarter of the size.
 */
const embeddings: EmbeddingsAdapter = {
  takesTokens: true,
  readLimits: () => LIMITS,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/embeddings",
    headers: buildBearerHeaders(secret),
    body: getEmbeddingsBody(call, { encoding_format: call.encoding, ...call.extra }),
  }),
  fromResponse: readEmbeddings,
};

/**
 * OpenAI's own edits (docs/providers/openai.md#image-edits): only dall-e accepts `response_format`, and a model newer
 * than the catalog is a gpt-image.
 */
const edits: EditsAdapter = {
  ...common,
  encode: (call) => {
    const { response_format: _refused, ...fields } = call.fields;
    return common.encode(call.upstreamModel.startsWith("dall-e") ? call : { ...call, fields });
  },
};

/** docs/providers/openai.md#transcriptions: the common dialect is OpenAI's own. */
const transcriptions: TranscriptionsAdapter = commonTranscriptions;

/** docs/providers/openai.md#moderations */
const moderations: ModerationsAdapter = commonModerations;

/** OpenAI itself (docs/providers/openai.md). */
export const provider: Provider = {
  ...profile,
  catalog,
  normalizeBaseUrl,
  models,
  errors,
  rateScope: "model",
  chat,
  messages: null,
  responses,
  responsesForChat: { adapter: responses, isNeeded: wantsResponses },
  embeddings,
  speech,
  images,
  edits,
  videos,
  transcriptions,
  moderations,
};
