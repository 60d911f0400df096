import * as z from "zod";

/**
 * OpenAI's `/v1/videos` (docs/providers/openai.md#videos), over the tasks of `/v1/videos/generations`. Its clients send a
 * form even without a file, so numbers may be texts, and objects JSON in texts. Fields of our own API are accepted in
 * addition to OpenAI's.
 */

const text = z.string();
const record = z.record(text, z.unknown());

/** Source picture, if it is not a file of the form: inline, by URL, or stored at OpenAI. */
const reference = z.union(
  [
    text.min(1),
    z.looseObject({ image_url: z.union([text.min(1), z.looseObject({ url: text.min(1) })]) }),
    z.looseObject({ file_id: text }),
  ],
  { error: "expected data:image/png;base64,…, an https URL, or an object with image_url" },
);

const SIZE = "expected WIDTHxHEIGHT, as 1280x720";

/** `POST /v1/videos`, after the form's texts have got the types of JSON. */
export const openAiVideoRequestSchema = z.looseObject({
  /** Default: `sora-2`. */
  model: text.min(1, "expected a model id").nullish(),
  prompt: text.regex(/\S/, "expected a text that says what to film").nullish(),
  /** Default: `"4"`, or the model's nearest duration. */
  seconds: z.union([text, z.number()], { error: "expected a number of seconds" }).nullish(),
  /** Default: `720x1280`; models of other families use their nearest size. */
  size: text.regex(/^[1-9]\d{0,4}[x*]([1-9]\d{0,4})$/i, SIZE).nullish(),
  input_reference: reference.nullish(),
  duration: z.int({ error: "expected a whole number of seconds" }).nullish(),
  resolution: text.nullish(),
  aspect_ratio: text.nullish(),
  input: record.nullish(),
  parameters: record.nullish(),
});
export type OpenAiVideoRequest = z.input<typeof openAiVideoRequestSchema>;

export const openAiVideoSchema = z.object({
  /** The task's id as in `/v1/videos/generations`. */
  id: text,
  object: z.literal("video"),
  model: text,
  status: z.enum(["queued", "in_progress", "completed", "failed"]),
  /** Percent; 0 if the provider does not report it. */
  progress: z.number(),
  /** Unix seconds. */
  created_at: z.int(),
  completed_at: z.int().nullable(),
  /** The file is gone from then on; null without a file, and when it is in the library. */
  expires_at: z.int().nullable(),
  prompt: text,
  /** The requested length, as text. */
  seconds: text,
  size: text,
  remixed_from_video_id: z.null(),
  error: z.object({ code: text, message: text }).nullable(),
});
export type OpenAiVideo = z.infer<typeof openAiVideoSchema>;

/** Query of `GET /v1/videos`. */
export const listOpenAiVideosQuerySchema = z.looseObject({
  /** 1 to 100, default 20. */
  limit: text.optional(),
  /** Id of the last video of the previous page. */
  after: text.max(200).optional(),
  /** Default: newest first (`desc`). */
  order: z.enum(["asc", "desc"]).optional(),
});

export const openAiVideoListSchema = z.object({
  object: z.literal("list"),
  data: z.array(openAiVideoSchema),
  has_more: z.boolean(),
  first_id: text.nullable(),
  last_id: text.nullable(),
});
export type OpenAiVideoList = z.infer<typeof openAiVideoListSchema>;

/** `DELETE /v1/videos/{id}`. */
export const openAiVideoDeletedSchema = z.object({
  id: text,
  object: z.literal("video.deleted"),
  deleted: z.literal(true),
});
export type OpenAiVideoDeleted = z.infer<typeof openAiVideoDeletedSchema>;
