import * as z from "zod";

/**
 * The body of `POST /v1/audio/speech`: every field of the specification's table, and what the common dialect adds.
 *
 * Deliberately tolerant like contract/chat.ts: unknown fields are forwarded or dropped, and `null` means absent.
 * Model-specific limits (voices, formats, lengths) are in core/speech-rules.ts.
 */

const text = z.string();

/** White space and invisible characters cannot be spoken. */
const SPEAKABLE = /[^\s\p{Cc}\p{Cf}]/u;

export const speechRequestSchema = z.looseObject({
  model: text.min(1, { error: "expected the id of a model, as GET /v1/models lists it" }),
  input: text
    .refine((value) => SPEAKABLE.test(value), { error: "expected a text that is not empty" })
    .meta({
      minLength: 1,
      pattern: String.raw`\S`,
    }),
  /** A name, or a custom voice of OpenAI's as `{id}` (docs/providers/openai.md#speech). */
  voice: z.union([text, z.looseObject({ id: text })]).nullish(),
  response_format: text.nullish(),
  instructions: text.nullish(),
  speed: z.number().nullish(),
  stream_format: z.enum(["audio", "sse"]).nullish(),
  /** Qwen-TTS (docs/providers/dashscope.md#speech): `Auto`, `English`, `Chinese`, … */
  language_type: text.nullish(),
  /** gamma3-tts-instruct-flash: whether the provider rewrites the instructions first. */
  optimize_instructions: z.boolean().nullish(),
});
export type SpeechRequest = z.infer<typeof speechRequestSchema>;
