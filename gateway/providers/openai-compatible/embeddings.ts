import { isVector } from "../../core/embeddings/embedding-vectors.ts";
import type { Vector } from "../../core/embeddings/embedding-vectors.ts";
import type { Units } from "../../core/models/model.ts";
import { tokenCount } from "../../core/chat/chat-usage.ts";
import { isRecord } from "../../lib/records.ts";
import type { EmbeddingsAdapter, EmbeddingsResponse, EmbeddingsCall } from "../embeddings.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import { routedReaches } from "./reaches.ts";

/**
 * Local servers name no limit (docs/providers/README.md#embedding-batches). A guess that keeps a response of long
 * vectors below some ten megabytes, and the one GPU of a machine from being held for long.
 */
const BATCH = 256;

/**
 * The common embeddings API. Floats are asked for whatever the client wants, by not naming an encoding: not every server
 * has base64, every one has floats, and the float32 that a client decodes in the end is the same, because servers write
 * enough digits of each.
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
 * `{data:[{index,embedding}],usage}`, numbers or base64. Usage of 0 tokens is no usage: LM Studio and Gemini write it where they did not count
 * (docs/providers/openai-compatible.md#local-servers).
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
 * The vectors by their items' indexes: numbers or digits, from 0 or from 1. Items without one stand where they are, or are
 * the first (protocol buffers leave out a 0); indexes that are no order at all, such as 0 for each, say nothing.
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

/** `total_tokens` where a provider has nothing else (Voyage): embeddings have no other tokens than those of the input. */
function readUnits(usage: unknown): Units | null {
  if (!isRecord(usage)) return null;
  const tokens = tokenCount(usage["prompt_tokens"]) || tokenCount(usage["total_tokens"]) || null;
  return tokens === null ? null : { input: tokens };
}
