import type { Units } from "../../core/models/model.ts";
import { groupWords, transcriptDocument } from "../../core/transcription/transcript.ts";
import type { RecognizedSpeech, HeardWord, Segment } from "../../core/transcription/transcript.ts";
import { parseSeconds } from "../../core/transcription/transcription-units.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { encodeMultipart } from "../openai-compatible/form.ts";
import { FieldRules } from "../../core/keys/key-reach.ts";
import type { ProviderTranscript, TranscriptionCall, TranscriptionsAdapter } from "../transcriptions.ts";
import { buildBearerHeaders } from "../wire-request.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Mistral's `POST /audio/transcriptions` (docs/providers/mistral.md#transcription): OpenAI's path, with its own fields,
 * responses and events. It has no `response_format`: times and speakers are requested by fields, and the client's
 * format is derived here.
 */
export const transcriptions: TranscriptionsAdapter = {
  reaches: new FieldRules({ stored_object: ["file_id"] }),
  formats: ["json", "verbose_json", "diarized_json"],
  translates: false,
  encode: (call) => ({
    path: "/audio/transcriptions",
    ...encodeMultipart({ ...buildOwnFields(call), ...call.extra }, [{ ...call.file, name: "file" }]),
  }),
  toRequest: ({ path, headers, body }, secret) => ({
    method: "POST",
    path,
    headers: { ...buildBearerHeaders(secret), ...headers },
    body,
  }),
  fromResponse: (body, call) => readTranscript(body, call),
  toEvent,
};

/** Mistral refuses unknown fields, so fields that only guide the model are omitted. */
function buildOwnFields({ fields, format, stream, upstreamModel }: TranscriptionCall): Fields {
  const { language, temperature, keywords } = fields;
  return {
    model: upstreamModel,
    ...(language == null || language === "" ? {} : { language }),
    ...(temperature == null ? {} : { temperature }),
    // "Items must not contain commas or whitespace": words are joined by underscores.
    ...(keywords == null ? {} : { context_bias: keywords.map((word) => word.trim().replaceAll(/[\s,]+/g, "_")) }),
    ...readTimes(format, fields.timestamp_granularities ?? []),
    ...(format === "diarized_json" ? { diarize: true } : {}),
    ...(stream ? { stream: true } : {}),
  };
}

/** Mistral returns words as one-word segments: if both are requested, segments are built from words. */
function readTimes(format: TranscriptionCall["format"], granularities: readonly string[]): Fields {
  if (format === "json" || format === "text") return {};
  return { timestamp_granularities: granularities.includes("word") ? "word" : "segment" };
}

function readTranscript(body: unknown, { format, fields }: TranscriptionCall): ProviderTranscript | null {
  if (!isRecord(body) || typeof body["text"] !== "string") return null;
  const reported = readUnits(body["usage"]);
  const parts = findSegments(body["segments"]);
  const isWords = fields.timestamp_granularities?.includes("word") === true;
  const words = isWords ? parts.map(readWord) : null;
  const speech: RecognizedSpeech = {
    text: body["text"],
    language: typeof body["language"] === "string" ? body["language"] : "",
    seconds: reported?.second ?? parts.at(-1)?.end ?? 0,
    segments: words === null ? parts : groupWords(words),
    words,
  };
  const document = transcriptDocument(speech, format === "srt" || format === "vtt" ? "verbose_json" : format, {
    type: "duration",
    seconds: speech.seconds,
  });
  return { document, reported };
}

/** `prompt_audio_seconds` is billed; the tokens are not. */
function readUnits(usage: unknown): Units | null {
  const seconds = isRecord(usage) ? parseSeconds(usage["prompt_audio_seconds"]) : null;
  return seconds === null ? null : { second: seconds };
}

function findSegments(list: unknown): readonly Segment[] {
  return asList(list).flatMap((item: unknown) => readSegment(item) ?? []);
}

function readSegment(item: unknown): Segment | null {
  if (!isRecord(item) || typeof item["text"] !== "string") return null;
  const start = parseSeconds(item["start"]);
  const end = parseSeconds(item["end"]);
  if (start === null || end === null) return null;
  const speaker = item["speaker_id"];
  return { start, end, text: item["text"], ...(typeof speaker === "string" ? { speaker } : {}) };
}

const readWord = ({ text, ...rest }: Segment): HeardWord => ({ ...rest, word: text.trim() });

/** `transcription.text.delta`, `.segment`, `.done`; the language event has no equivalent at OpenAI. */
function toEvent(data: Fields): Fields | null {
  switch (data["type"]) {
    case "transcription.text.delta":
      return { type: "transcript.text.delta", delta: data["text"] ?? "" };
    case "transcription.segment": {
      const segment = readSegment(data);
      if (segment === null) return null;
      const { start, end, text, speaker = "A" } = segment;
      return { type: "transcript.text.segment", id: `seg_${start}`, start, end, text, speaker };
    }
    case "transcription.done": {
      const seconds = readUnits(data["usage"])?.second;
      const usage = seconds === undefined ? {} : { usage: { type: "duration", seconds } };
      return { type: "transcript.text.done", text: data["text"] ?? "", ...usage };
    }
    case "transcription.language":
      return null;
    default:
      return data;
  }
}
