import * as z from "zod";

/**
 * Responses of conversations, as far as clients can rely on them with any provider. Providers send more, and it is passed
 * on; nothing is checked by these: they document.
 */

const count = z.int().nonnegative();

/** `POST /v1/chat/completions` without `stream`. */
export const chatCompletionSchema = z.looseObject({
  id: z.string(),
  object: z.literal("chat.completion"),
  /** Unix seconds. */
  created: z.int(),
  /** The model that answered. */
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: count,
      message: z.looseObject({ role: z.string(), content: z.string().nullable() }),
      finish_reason: z.string(),
    }),
  ),
  usage: z.looseObject({ prompt_tokens: count, completion_tokens: count, total_tokens: count }),
});

/** `POST /v1/messages` without `stream`: Anthropic's message. */
export const messageSchema = z.looseObject({
  id: z.string(),
  type: z.literal("message"),
  role: z.literal("assistant"),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullable(),
  stop_sequence: z.string().nullable(),
  usage: z.looseObject({ input_tokens: count, output_tokens: count }),
});

/** `POST /v1/messages/count_tokens`. */
export const tokenCountSchema = z.looseObject({ input_tokens: count });

/** `POST /v1/responses/input_tokens`. */
export const responsesCountSchema = z.looseObject({
  object: z.literal("response.input_tokens"),
  input_tokens: count,
});

/** `POST /v1/responses` without `stream`. */
export const responseSchema = z.looseObject({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.int(),
  status: z.enum(["completed", "incomplete", "failed", "in_progress"]),
  model: z.string(),
  output: z.array(z.looseObject({ type: z.string() })),
  usage: z.looseObject({ input_tokens: count, output_tokens: count, total_tokens: count }).nullable(),
});
