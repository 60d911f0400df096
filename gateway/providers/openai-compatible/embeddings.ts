import { isVector } from "../../core/embeddings/embedding-vectors.ts";
import type { Vector } from "../../core/embeddings/embedding-vectors.ts";
import type { Units } from "../../core/models/model.ts";
import { tokenCount } from "../../core/chat/chat-usage.ts";
import { isRecord } from "../../lib/records.ts";
import type { EmbeddingsAdapter, EmbeddingsResponse, EmbeddingsCall } from "../embeddings.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import { routedReaches } from "./reaches.ts";

/**
 * Local servers document no limit (docs/providers/README.md#embedding-batches). This guess keeps a response of long
 * vectors below some ten megabytes, and does not block a single GPU for long.
 */
const BATCH = 256;

/**
 * The common embeddings API. Floats are always requested, by omitting the encoding: not every server supports base64,
 * and the decoded float32 values are the same, because servers write enough digits.
 */
export const embeddings: EmbeddingsAdapter = {
  reaches: routedReaches,
  takesTokens: true,
  readLimits: () => ({ inputs: BATCH, tokens: Infinity }),
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/embeddings",
    headers: buildBearerHeaders(secret),
    body: getEmbeddingsBody(call, call.extra),
  }),
  fromResponse: readEmbeddings,
};

/** Returns the common body, with `fields` after the known ones. */
export function getEmbeddingsBody(call: EmbeddingsCall, fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    model: call.upstreamModel,
    input: call.inputs,
    ...(call.dimensions === null ? {} : { dimensions: call.dimensions }),
    ...fields,
  });
}

/**
 * `{data:[{index,embedding}],usage}`, numbers or base64. Usage of 0 tokens counts as missing: LM Studio and Gemini
 * write it if they did not count (docs/providers/openai-compatible.md#local-servers).
 */
export function readEmbeddings(body: unknown, call: EmbeddingsCall): EmbeddingsResponse | null {
  if (!isRecord(body) || !Array.isArray(body["data"])) return null;
  const items = body["data"] as readonly unknown[];
  const count = call.inputs.length;
  if (items.length !== count) return null;
  const vectors = items.flatMap((item) => (isRecord(item) && isVector(item["embedding"]) ? [item["embedding"]] : []));
  if (vectors.length !== count) return null;
  return { vectors: orderVectors(vectors, items), units: readUnits(body["usage"]) };
}

/**
 * Orders vectors by their items' indexes: numbers or digits, from 0 or from 1. Items without one keep their position,
 * or are the first (protocol buffers omit a 0); indexes that are not an order, such as 0 for each, are ignored.
 */
function orderVectors(vectors: readonly Vector[], items: readonly unknown[]): readonly Vector[] {
  const indices = items.map((item) => (isRecord(item) ? item["index"] : null));
  const readings = [
    indices.map((index, position) => Number(index ?? position)),
    indices.map((index) => Number(index ?? 0)),
    indices.map((index) => Number(index ?? Number.NaN) - 1),
  ];
  const places = readings.find((reading) => {
    const known = new Set(reading);
    return vectors.every((_, position) => known.has(position));
  });
  if (places === undefined) return vectors;
  const ordered = [...vectors];
  for (const [position, place] of places.entries()) ordered[place] = vectors[position] ?? [];
  return ordered;
}

/** Uses `total_tokens` if a provider has nothing else (Voyage), because embeddings only have input tokens. */
function readUnits(usage: unknown): Units | null {
  if (!isRecord(usage)) return null;
  const tokens = tokenCount(usage["prompt_tokens"]) || tokenCount(usage["total_tokens"]) || null;
  return tokens === null ? null : { input: tokens };
}
