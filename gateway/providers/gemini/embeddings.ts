import type { EmbeddingsAdapter } from "../embeddings.ts";
import { embeddingsBody, readEmbeddings } from "../openai-compatible/embeddings.ts";
import { bearerHeaders } from "../openai-compatible/headers.ts";

/** A hundred texts to a call (docs/providers/gemini.md#embeddings). */
const LIMITS = { inputs: 100, tokens: Infinity };

/**
 * Google's layer for OpenAI clients (docs/providers/gemini.md#layer-for-openai-clients). Other fields of the client are
 * dropped: Google refuses whole requests for a name that it does not know.
 */
export const embeddings: EmbeddingsAdapter = {
  takesTokens: false,
  limitsOf: () => LIMITS,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/v1beta/openai/embeddings",
    headers: bearerHeaders(secret),
    body: embeddingsBody(call, { encoding_format: "float" }),
  }),
  fromResponse: readEmbeddings,
};
