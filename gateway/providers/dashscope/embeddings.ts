import type { EmbeddingsAdapter } from "../embeddings.ts";
import { embeddingsBody, readEmbeddings } from "../openai-compatible/embeddings.ts";
import { bearerHeaders } from "../openai-compatible/headers.ts";

/**
 * Ten texts to a call; each may have 8,192 tokens, and no total is documented (docs/providers/dashscope.md#embeddings).
 */
const LIMITS = { inputs: 10, tokens: Infinity };

/**
 * The compatible mode (docs/providers/dashscope.md#embeddings), which documents `float` alone. `text_type` and the like
 * pass; `user` is OpenAI's.
 */
export const embeddings: EmbeddingsAdapter = {
  takesTokens: false,
  limitsOf: () => LIMITS,
  toRequest: (call, secret) => {
    const { user: _, ...extra } = call.extra;
    return {
      method: "POST",
      path: "/compatible-mode/v1/embeddings",
      headers: bearerHeaders(secret),
      body: embeddingsBody(call, { encoding_format: "float", ...extra }),
    };
  },
  fromResponse: readEmbeddings,
};
