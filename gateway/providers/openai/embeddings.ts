import type { EmbeddingsAdapter } from "../embeddings.ts";
import { embeddingsBody, readEmbeddings } from "../openai-compatible/embeddings.ts";
import { bearerHeaders } from "../openai-compatible/headers.ts";

/** docs/providers/openai.md#embeddings */
const LIMITS = { inputs: 2_048, tokens: 300_000 };

/**
 * OpenAI's own (docs/providers/openai.md#embeddings). It has both encodings and is asked for the client's: numbers
 * reach the client as OpenAI wrote them, base64 reaches it to the byte and is a quarter of the size.
 */
export const embeddings: EmbeddingsAdapter = {
  takesTokens: true,
  limitsOf: () => LIMITS,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/embeddings",
    headers: bearerHeaders(secret),
    body: embeddingsBody(call, { encoding_format: call.encoding, ...call.extra }),
  }),
  fromResponse: readEmbeddings,
};
