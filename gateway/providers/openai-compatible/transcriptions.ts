import { chooseProviderFormat } from "../../core/transcription/transcription-rules.ts";
import { reportedUnits, parseSeconds } from "../../core/transcription/transcription-units.ts";
import { isRecord } from "../../lib/records.ts";
import type { ProviderTranscript, TranscriptionCall, TranscriptionsAdapter } from "../transcriptions.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import { encodeMultipart } from "./form.ts";
import { routedReaches } from "./reaches.ts";

/**
 * `POST /audio/transcriptions` and `/audio/translations` (docs/providers/openai.md#transcriptions), as OpenAI, Groq and
 * local whisper servers have them.
 */
export const transcriptions: TranscriptionsAdapter = {
  reaches: routedReaches,
  formats: null,
  translates: true,
  encode: (call) => ({
    path: call.task === "translate" ? "/audio/translations" : "/audio/transcriptions",
    ...encodeMultipart({ ...buildFormFields(buildCommonFields(call)), ...call.extra }, [
      { ...call.file, name: "file" },
    ]),
  }),
  toRequest: ({ path, headers, body }, secret) => ({
    method: "POST",
    path,
    headers: { ...buildBearerHeaders(secret), ...headers },
    body,
  }),
  fromResponse: readTranscript,
  toEvent: (data) => data,
};

function buildCommonFields({
  fields,
  format,
  stream,
  upstreamModel,
}: TranscriptionCall): Readonly<Record<string, unknown>> {
  const { model: _model, response_format: requestedFormat, stream: _stream, ...others } = fields;
  // A missing format is the provider's default, as it is the client's.
  const named = requestedFormat == null ? {} : { response_format: chooseProviderFormat(format) };
  return { model: upstreamModel, ...others, ...named, ...(stream ? { stream: true } : {}) };
}

/** Names lists and objects in a form like OpenAI's SDKs: `include[]`, `chunking_strategy[type]`. */
export function buildFormFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
      if (Array.isArray(value)) return [[`${name}[]`, value]];
      return isRecord(value)
        ? Object.entries(value).map(([inner, one]) => [`${name}[${inner}]`, one])
        : [[name, value]];
    }),
  );
}

/** Billing comes from `usage` if present; in older formats from `duration`. */
export function readTranscript(body: unknown): ProviderTranscript | null {
  if (!isRecord(body) || typeof body["text"] !== "string") return null;
  const seconds = parseSeconds(body["duration"]);
  return { document: body, reported: reportedUnits(body["usage"]) ?? (seconds === null ? null : { second: seconds }) };
}
