import type { Provider, ModelsAdapter } from "../provider.ts";
import { catalog } from "./catalog.ts";
import { chat } from "./chat.ts";
import { errors } from "./errors.ts";
import { images } from "./images.ts";
import { profile } from "./profile.ts";
import { speech } from "./speech.ts";
import { videos } from "./videos.ts";
import { getBasePath } from "../base-path.ts";
import type { EmbeddingsAdapter } from "../embeddings.ts";
import { getEmbeddingsBody, readEmbeddings } from "../openai-compatible/embeddings.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import { readModels } from "../openai-compatible/models.ts";

const models: ModelsAdapter = {
  toRequest: (secret) => ({
    method: "GET",
    path: "/compatible-mode/v1/models",
    headers: buildBearerHeaders(secret),
    body: null,
  }),
  fromResponse: readModels,
};

/**
 * Ten texts to a call; each may have 8,192 tokens, and no total is documented (docs/providers/dashscope.md#embeddings).
 */
const LIMITS = { inputs: 10, tokens: Infinity };

/**
 * The compatible mode (docs/providers/dashscope.md#embeddings), which only documents `float`. `text_type` and the like
 * are forwarded; `user` is OpenAI's.
 */
const embeddings: EmbeddingsAdapter = {
  takesTokens: false,
  readLimits: () => LIMITS,
  toRequest: (call, secret) => {
    const { user: _, ...extra } = call.extra;
    return {
      method: "POST",
      path: "/compatible-mode/v1/embeddings",
      headers: buildBearerHeaders(secret),
      body: getEmbeddingsBody(call, { encoding_format: "float", ...extra }),
    };
  },
  fromResponse: readEmbeddings,
};

/** Alibaba DashScope (Model Studio), native and in its compatible mode (docs/providers/dashscope.md). */
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
  speech,
  images,
  edits: null,
  videos,
  transcriptions: null,
  moderations: null,
};

/**
 * Returns the bare origin, for any region or workspace, and the path of a proxy: pasted prefixes of its two dialects,
 * `/compatible-mode/v1` and `/api/v1`, are removed.
 */
function normalizeBaseUrl(url: URL): string {
  const path = getBasePath(url).replace(/(\/(compatible-mode|api))?\/v1(\/.*)?$|\/(compatible-mode|api)$/, "");
  return `${url.origin}${path}`;
}
