import * as z from "zod";
import { between } from "./bounds.ts";

/**
 * `POST /v1/audio/transcriptions` and `/v1/audio/translations`: OpenAI's fields, which come in a form with the file.
 *
 * Tolerant by intent: fields that are not named here pass to the provider, and an empty one means "not given". What a
 * model accepts is in core/transcription/transcription-rules.ts.
 */

const text = z.string();

/** Transcript formats; the first is the default. */
export const transcriptFormats = ["json", "text", "srt", "verbose_json", "vtt", "diarized_json"] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

/** Formats of a translation, which names no speakers. */
const translationFormats = ["json", "text", "srt", "verbose_json", "vtt"] as const;

const model = text.min(1, { error: "expected the id of a model, as GET /v1/models lists them" });
const flag = z.boolean({ error: "expected true or false" });
const MOST_SPEAKERS = 4;
const speakers = { error: `expected at most ${MOST_SPEAKERS} of them` };

/** Pauses in the sound at which it may be cut. */
const pausesSchema = z.looseObject({
  type: z.enum(["server_vad"]),
  prefix_padding_ms: z.number().nullish(),
  silence_duration_ms: z.number().nullish(),
  threshold: between(0, 1).nullish(),
});

/** The fields next to the file, in the types of JSON; forms send them as texts. */
export const transcriptionFieldsSchema = z.looseObject({
  model,
  /** Language of the sound, as `en`. */
  language: text.nullish(),
  /** gpt-transcribe: languages that may occur. */
  languages: z.array(text).nullish(),
  prompt: text.nullish(),
  /** gpt-transcribe: expected words. */
  keywords: z.array(text).nullish(),
  response_format: z.enum(transcriptFormats).nullish(),
  temperature: between(0, 1).nullish(),
  timestamp_granularities: z.array(z.enum(["word", "segment"])).nullish(),
  include: z.array(z.enum(["logprobs"])).nullish(),
  stream: flag.nullish(),
  chunking_strategy: z.union([text.regex(/^auto$/, { error: "expected auto, or an object" }), pausesSchema]).nullish(),
  known_speaker_names: z.array(text).max(MOST_SPEAKERS, speakers).nullish(),
  /** Data URLs of sounds of 2 to 10 seconds. */
  known_speaker_references: z
    .array(text.regex(/^data:/i, { error: "expected data:audio/wav;base64,…" }))
    .max(MOST_SPEAKERS, speakers)
    .nullish(),
});
export type TranscriptionFields = z.infer<typeof transcriptionFieldsSchema>;

export const translationFieldsSchema = z.looseObject({
  model,
  prompt: text.nullish(),
  response_format: z.enum(translationFormats).nullish(),
  temperature: between(0, 1).nullish(),
});

const file = text.meta({
  format: "binary",
  description: "FLAC, MP3, MP4, M4A, AAC, Ogg, WAV or WebM, up to 64 MiB; OpenAI's models take 25 MiB.",
});

/** The multipart bodies as descriptions. */
export const transcriptionFormSchema = transcriptionFieldsSchema.extend({ file });
export const translationFormSchema = translationFieldsSchema.extend({ file });

const segment = z.looseObject({ start: z.number(), end: z.number(), text });

/** `json`, `verbose_json` and `diarized_json`; the other formats are text. */
export const transcriptSchema = z.looseObject({
  text,
  /** Seconds of sound; `verbose_json` and `diarized_json`. */
  duration: z.number().optional(),
  language: text.nullish(),
  segments: z.array(segment).nullish(),
  words: z.array(z.looseObject({ word: text, start: z.number(), end: z.number() })).nullish(),
  /** Seconds or tokens, depending on the model's billing unit. */
  usage: z.looseObject({ type: z.enum(["duration", "tokens"]) }).nullish(),
});
