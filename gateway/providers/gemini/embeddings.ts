import { isVector } from "../../core/embeddings/embedding-vectors.ts";
import { asList, asRecord, isRecord } from "../../lib/records.ts";
import type { EmbeddingsAdapter, EmbeddingsCall } from "../embeddings.ts";
import { getEmbeddingsBody, readEmbeddings } from "../openai-compatible/embeddings.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import type { WireRequest } from "../wire-request.ts";
import { buildGoogleHeaders } from "./images.ts";

/** Max 100 texts per call (docs/providers/gemini.md#embeddings). */
const LIMITS = { inputs: 100, tokens: Infinity };

/**
 * Google's OpenAI compatibility layer (docs/providers/gemini.md#layer-for-openai-clients), whose other fields are
 * dropped: Google refuses requests with unknown fields. The task type exists only natively.
 */
export const embeddings: EmbeddingsAdapter = {
  takesTokens: false,
  readLimits: () => LIMITS,
  toRequest: (call, secret) =>
    isNative(call)
      ? buildNativeRequest(call, secret)
      : {
          method: "POST",
          path: "/v1beta/openai/embeddings",
          headers: buildBearerHeaders(secret),
          body: getEmbeddingsBody(call, { encoding_format: "float" }),
        },
  fromResponse: (body, call) => (isNative(call) ? readNative(body, call) : readEmbeddings(body, call)),
};

const isNative = ({ extra }: EmbeddingsCall): boolean => extra["task_type"] != null || extra["title"] != null;

function buildNativeRequest(
  { upstreamModel, inputs, extra, dimensions }: EmbeddingsCall,
  secret: string | null,
): WireRequest {
  const requests = inputs.map((text) => ({
    model: `models/${upstreamModel}`,
    content: { parts: [{ text }] },
    taskType: extra["task_type"] ?? undefined,
    title: extra["title"] ?? undefined,
    outputDimensionality: dimensions ?? undefined,
  }));
  return {
    method: "POST",
    path: `/v1beta/models/${encodeURIComponent(upstreamModel)}:batchEmbedContents`,
    headers: buildGoogleHeaders(secret),
    body: JSON.stringify({ requests }),
  };
}

function readNative(body: unknown, { inputs }: EmbeddingsCall): ReturnType<EmbeddingsAdapter["fromResponse"]> {
  if (!isRecord(body)) return null;
  const vectors = asList(body["embeddings"]).map((one) => asRecord(one)["values"]);
  return vectors.length === inputs.length && vectors.every(isVector) ? { vectors, units: null } : null;
}
