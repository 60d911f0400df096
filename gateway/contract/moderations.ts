import * as z from "zod";

/** `POST /v1/moderations` is forwarded unchanged; only the fields needed for routing are checked. */

const text = z.string();

/** OpenAI's own default. */
export const USUAL_MODERATION = "omni-moderation-latest";

export const moderationRequestSchema = z.looseObject({
  model: text.min(1, { error: "expected the id of a model, as GET /v1/models lists them" }).nullish(),
  /** A text, a list of texts, or of `{type: "text"}` and `{type: "image_url"}`. */
  input: z.union([text, z.array(z.union([text, z.looseObject({ type: text })])).min(1)], {
    error: "expected a text, or an array of texts or of objects with a type",
  }),
});

export const moderationResponseSchema = z.looseObject({
  id: text,
  model: text,
  results: z.array(
    z.looseObject({
      flagged: z.boolean().optional(),
      categories: z.record(text, z.boolean().nullable()),
      category_scores: z.record(text, z.number()),
    }),
  ),
});
