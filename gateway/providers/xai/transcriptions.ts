import { groupWords, transcriptDocument } from "../../core/transcription/transcript.ts";
import type { HeardWord } from "../../core/transcription/transcript.ts";
import { parseSeconds } from "../../core/transcription/transcription-units.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { encodeMultipart } from "../openai-compatible/form.ts";
import type { ProviderTranscript, TranscriptionCall, TranscriptionsAdapter } from "../transcriptions.ts";
import { buildBearerHeaders } from "../wire-request.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * xAI's `POST /stt` (docs/providers/xai.md#transcription): one document with a time per word, from which every format
 * is derived here. It does not stream, and the file must follow the fields.
 */
export const transcriptions: TranscriptionsAdapter = {
  formats: ["json", "verbose_json", "diarized_json"],
  translates: false,
  encode: (call) => ({
    path: "/stt",
    ...encodeMultipart({ ...buildOwnFields(call), ...call.extra }, [{ ...call.file, name: "file" }]),
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

/** Omits fields that only guide the model and do not exist at xAI (`prompt`, `temperature`). */
function buildOwnFields({ fields, format, upstreamModel }: TranscriptionCall): Fields {
  const { language, keywords } = fields;
  return {
    model: upstreamModel,
    ...(language == null || language === "" ? {} : { language }),
    ...(keywords == null ? {} : { keyterm: keywords }),
    ...(format === "diarized_json" ? { diarize: true } : {}),
  };
}

function readTranscript(body: unknown, { format, fields }: TranscriptionCall): ProviderTranscript | null {
  if (!isRecord(body) || typeof body["text"] !== "string") return null;
  const words = findWords(body["words"]);
  const seconds = parseSeconds(body["duration"]);
  const speech = {
    text: body["text"],
    language: typeof body["language"] === "string" ? body["language"] : "",
    seconds: seconds ?? words.at(-1)?.end ?? 0,
    segments: groupWords(words),
    words: fields.timestamp_granularities?.includes("word") === true ? words : null,
  };
  const document = transcriptDocument(speech, format === "srt" || format === "vtt" ? "verbose_json" : format, {
    type: "duration",
    seconds: speech.seconds,
  });
  return { document, reported: seconds === null ? null : { second: seconds } };
}

function findWords(list: unknown): readonly HeardWord[] {
  return asList(list).flatMap((item: unknown): HeardWord[] => {
    if (!isRecord(item) || typeof item["text"] !== "string") return [];
    const start = parseSeconds(item["start"]);
    const end = parseSeconds(item["end"]);
    if (start === null || end === null) return [];
    const { speaker } = item;
    const named = typeof speaker === "string" || typeof speaker === "number" ? { speaker: String(speaker) } : {};
    return [{ word: item["text"], start, end, ...named }];
  });
}
