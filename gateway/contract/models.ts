import * as z from "zod";

const usd = z.number().nonnegative();

/** USD per single unit (token, character, image, search, request). */
export const tierPricingSchema = z.object({
  input: usd.optional(),
  output: usd.optional(),
  cached_input: usd.optional(),
  cache_write: usd.optional(),
  /** Written for one hour (Anthropic). */
  cache_write_1h: usd.optional(),
  reasoning: usd.optional(),
  audio_input: usd.optional(),
  cached_audio_input: usd.optional(),
  audio_output: usd.optional(),
  per_character: usd.optional(),
  per_image: usd.optional(),
  image_input: usd.optional(),
  image_output: usd.optional(),
  per_web_search: usd.optional(),
  per_file_search: usd.optional(),
  per_container: usd.optional(),
  /** A fee for each request, in addition to its tokens. */
  per_request: usd.optional(),
});
export type TierPricing = z.infer<typeof tierPricingSchema>;

/** Multipliers of all rates if a call is served otherwise than usual, by fact and value. */
export const factorsSchema = z.record(z.string(), z.record(z.string(), usd));

/**
 * `pricing` of a model. `tiers` lists prices of longer prompts: they apply to the whole request if its prompt exceeds
 * `above` tokens.
 */
export const modelPricingSchema = tierPricingSchema.extend({
  currency: z.literal("USD"),
  tiers: z.array(tierPricingSchema.extend({ above: z.number().int().positive() })).optional(),
  /** Prices that depend on the request, such as the size of an image. */
  variants: z.array(tierPricingSchema.extend({ when: z.record(z.string(), z.string()) })).optional(),
  /** USD per second of video, by resolution; of sound, `any`. */
  per_second: z.record(z.string(), usd).optional(),
  /** Source of the price, and the day it was true. */
  source: z.string(),
  as_of: z.string(),
  /** First UTC day of a different price, `YYYY-MM-DD`; absent if no end is known. */
  until: z.string().optional(),
  /** E.g. `{service_tier: {flex: 0.5}}`. Other service tiers have no known price. */
  factors: factorsSchema.optional(),
});
export type ModelPricing = z.infer<typeof modelPricingSchema>;

export const capabilitySchema = z.enum([
  "chat",
  "messages",
  "embedding",
  "speech",
  "transcription",
  "translation",
  "image",
  "image_edit",
  "video",
  "moderation",
]);

/** An item of `GET /v1/models`, and the response of `GET /v1/models/{id}`. */
export const modelSchema = z.object({
  id: z.string(),
  object: z.literal("model"),
  /** Unix seconds. */
  created: z.number().int(),
  owned_by: z.string(),
  capabilities: z.array(capabilitySchema),
  /** Paths that take this model, as `/v1/chat/completions`. */
  endpoints: z.array(z.string()),
  context_length: z.number().int().nullable(),
  pricing: modelPricingSchema.nullable(),
  /** Provider of the first candidate connection. */
  provider: z.string(),
});
export type Model = z.infer<typeof modelSchema>;

export const modelListSchema = z.object({ object: z.literal("list"), data: z.array(modelSchema) });
export type ModelList = z.infer<typeof modelListSchema>;

/** A model for a request with an `anthropic-version` header. */
export const anthropicModelSchema = z.object({
  type: z.literal("model"),
  id: z.string(),
  display_name: z.string(),
  /** RFC 3339. */
  created_at: z.string(),
  /** Deprecated: its owner has ended it or will, though its provider still lists it. */
  lifecycle: z.enum(["active", "deprecated"]),
  /** Max tokens of the prompt and of the response; null if unknown. */
  max_input_tokens: z.number().int().nullable(),
  max_tokens: z.number().int().nullable(),
});
export type AnthropicModel = z.infer<typeof anthropicModelSchema>;

export const anthropicModelListSchema = z.object({
  data: z.array(anthropicModelSchema),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});
export type AnthropicModelList = z.infer<typeof anthropicModelListSchema>;

/** A model of `GET /v1beta/models`, in Google's shape. */
export const googleModelSchema = z.object({
  /** `models/` and the id. */
  name: z.string(),
  baseModelId: z.string(),
  version: z.string(),
  displayName: z.string(),
  description: z.string(),
  /** Max tokens of the prompt and of the response; absent if unknown. */
  inputTokenLimit: z.number().int().optional(),
  outputTokenLimit: z.number().int().optional(),
  /** Operations below `/v1beta/models/{id}` that take this model. */
  supportedGenerationMethods: z.array(z.string()),
  thinking: z.boolean().optional(),
});
export type GoogleModel = z.infer<typeof googleModelSchema>;

export const googleModelListSchema = z.object({
  models: z.array(googleModelSchema),
  nextPageToken: z.string().optional(),
});
export type GoogleModelList = z.infer<typeof googleModelListSchema>;
