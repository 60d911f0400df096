import { FieldRules } from "../../core/keys/key-reach.ts";
import { isRecord } from "../../lib/records.ts";
import { finite, lower, readAllowed, readBound } from "../output-bound.ts";
import type { CountingAdapter } from "../provider.ts";
import { findLeastCached } from "./least-cached.ts";
import type { DialectCall, WireRequest } from "../wire-request.ts";
import { buildGoogleHeaders } from "./images.ts";
import { readNativeUnits } from "./usage.ts";

/** Tools that Google runs itself (ai.google.dev/api/caching#Tool and google-genai 3.3.0 `Tool`, 2026-11-29). */
const HOSTED = [
  "googleSearch",
  "googleSearchRetrieval",
  "enterpriseWebSearch",
  "googleMaps",
  "codeExecution",
  "urlContext",
  "fileSearch",
  "retrieval",
  "mcpServers",
  "parallelAiSearch",
] as const;

const reaches = new FieldRules({
  hosted_tool: HOSTED.map((name) => `tools[].${name}`),
  stored_object: [
    "cachedContent",
    "contents[].parts[].fileData.fileUri",
    "contents[].parts[].functionResponse.parts[].fileData.fileUri",
    "systemInstruction.parts[].fileData.fileUri",
    "tools[].fileSearch.fileSearchStoreNames",
  ],
});

/**
 * Google's own dialect (docs/providers/gemini.md#native-requests), for its own clients: requests are forwarded
 * unchanged, except for the bound of a key's limit.
 */
export const gemini: CountingAdapter = {
  reaches,
  toRequest: (call, secret) =>
    buildWire(call, call.stream ? "streamGenerateContent?alt=sse" : "generateContent", setBound(call), secret),
  toCountRequest: (call, secret) => buildWire(call, "countTokens", null, secret),
  allows: ({ body, bound }) => {
    const config = readConfig(body);
    const asked = readBound(config["maxOutputTokens"]);
    return readAllowed(lower(asked, finite(bound)), Math.max(1, readBound(config["candidateCount"]) ?? 1), asked);
  },
  cachesUnmarkedFrom: findLeastCached,
  toUnits: readNativeUnits,
};

type Fields = Readonly<Record<string, unknown>>;

const readConfig = (body: Fields): Fields => (isRecord(body["generationConfig"]) ? body["generationConfig"] : {});

/** Google counts thoughts within the bound (github.com/googleapis/python-genai/issues/2062). @returns null: as it is */
function setBound({ body, bound }: DialectCall): Fields | null {
  const config = readConfig(body);
  const asked = readBound(config["maxOutputTokens"]);
  const most = lower(asked, finite(bound));
  return most === asked ? null : { ...body, generationConfig: { ...config, maxOutputTokens: most } };
}

/** The model and whether it is streamed are in the address: Google refuses fields that it does not know. */
function buildWire(call: DialectCall, operation: string, bounded: Fields | null, secret: string | null): WireRequest {
  const { model: _model, stream: _stream, ...body } = bounded ?? call.body;
  return {
    method: "POST",
    path: `/v1beta/models/${encodeURIComponent(call.upstreamModel)}:${operation}`,
    headers: { ...buildGoogleHeaders(secret), accept: "application/json, text/event-stream" },
    body: bounded === null && call.raw !== null && !call.changed ? call.raw : JSON.stringify(body),
  };
}
