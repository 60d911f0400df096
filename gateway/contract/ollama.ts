import * as z from "zod";
import { between, wholeFrom } from "./bounds.ts";

/**
 * The bodies of Ollama's API (github.com/ollama/ollama at fb307609, its API document and `api/types.go`, v0.33, 2026-11-30).
 *
 * Deliberately tolerant: unknown fields and options are allowed, and `null` means absent. Options of Ollama's own
 * runner (`num_ctx`, `top_k`, `mirostat`, …) and `keep_alive` have no effect.
 */

const text = z.string();
const record = z.looseObject({});
const whole = z.number().refine(Number.isInteger, { error: "expected a whole number" }).meta({ type: "integer" });
const model = text.min(1, { error: "expected the name of a model, as GET /api/tags lists it" });

const picture = text.min(1, { error: "expected a picture in base64" });

const options = z.looseObject({
  temperature: between(0, 2).nullish(),
  top_p: between(0, 1).nullish(),
  num_predict: whole.nullish(),
  seed: whole.nullish(),
  presence_penalty: between(-2, 2).nullish(),
  frequency_penalty: between(-2, 2).nullish(),
  stop: z.union([text, z.array(text)]).nullish(),
});

const format = z.union([z.literal(["json", ""], { error: 'expected "json" or a JSON schema' }), record]);

const request = {
  model,
  stream: z.boolean().nullish(),
  format: format.nullish(),
  options: options.nullish(),
  think: z.union([z.boolean(), z.enum(["low", "medium", "high", "max"])]).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
};

const role = { error: 'expected "system", "user", "assistant" or "tool"' };

const messageSchema = z.looseObject({
  role: text.regex(/^(?:system|user|assistant|tool)$/i, role),
  content: text.nullish(),
  thinking: text.nullish(),
  images: z.array(picture).nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        id: text.nullish(),
        function: z.looseObject({ name: text, arguments: z.union([record, text]).nullish() }),
      }),
    )
    .nullish(),
  tool_name: text.nullish(),
  tool_call_id: text.nullish(),
});

const toolSchema = z.looseObject({
  function: z.looseObject({
    name: text.min(1, { error: "expected a name" }),
    description: text.nullish(),
    parameters: record.nullish(),
  }),
});

/** `/api/chat`. Without messages nothing is asked of a model. */
export const ollamaChatSchema = z.looseObject({
  ...request,
  messages: z.array(messageSchema).nullish(),
  tools: z.array(toolSchema).nullish(),
});

/** `/api/generate`. Without a prompt nothing is asked of a model. */
export const ollamaGenerateSchema = z.looseObject({
  ...request,
  prompt: text.nullish(),
  system: text.nullish(),
  images: z.array(picture).nullish(),
  suffix: text.nullish(),
  template: text.nullish(),
  raw: z.boolean().nullish(),
  context: z.array(z.number()).nullish(),
});

/** `/api/embed`. */
export const ollamaEmbedSchema = z.looseObject({
  model,
  input: z.union([text, z.array(text)]),
  dimensions: wholeFrom(1).nullish(),
});

/** `/api/embeddings`, which `/api/embed` has replaced. */
export const ollamaEmbeddingsSchema = z.looseObject({ model, prompt: text });

/** `/api/show`; `name` is the field of earlier clients. */
export const ollamaShowSchema = z.looseObject({ model: text.nullish(), name: text.nullish() });

const count = z.int().nonnegative();

const figures = {
  model: text,
  created_at: text,
  done: z.boolean(),
  done_reason: text.optional(),
  /** Nanoseconds, as all durations. */
  total_duration: count.optional(),
  load_duration: count.optional(),
  prompt_eval_count: count.optional(),
  prompt_eval_duration: count.optional(),
  eval_count: count.optional(),
  eval_duration: count.optional(),
};

export const ollamaChatResponseSchema = z.looseObject({
  ...figures,
  message: z.looseObject({
    role: z.literal("assistant"),
    content: text,
    thinking: text.optional(),
    tool_calls: z
      .array(z.object({ id: text, function: z.object({ index: count, name: text, arguments: record }) }))
      .optional(),
  }),
});

export const ollamaGenerateResponseSchema = z.looseObject({
  ...figures,
  response: text,
  thinking: text.optional(),
});

const vector = z.array(z.number());

export const ollamaEmbedResponseSchema = z.object({
  model: text,
  embeddings: z.array(vector),
  total_duration: count,
  load_duration: count,
  prompt_eval_count: count,
});

export const ollamaEmbeddingsResponseSchema = z.object({ embedding: vector });

/** Abilities of a model in Ollama's words. */
const capabilities = z.array(z.enum(["completion", "tools", "vision", "thinking", "embedding"]));

const details = z.object({
  parent_model: text,
  format: text,
  /** The owner of the model. */
  family: text,
  families: z.array(text),
  parameter_size: text,
  quantization_level: text,
  /** Tokens; absent if unknown. */
  context_length: count.optional(),
});

/** A model of `/api/tags`. */
export const ollamaModelSchema = z.object({
  name: text,
  model: text,
  modified_at: text,
  size: count,
  digest: text,
  details,
  capabilities,
});
export type OllamaModel = z.infer<typeof ollamaModelSchema>;

export const ollamaTagsSchema = z.object({ models: z.array(ollamaModelSchema) });

/** The response of `/api/show`. `model_info` has the context as `{architecture}.context_length`. */
export const ollamaShowResponseSchema = z.object({
  modelfile: text,
  parameters: text,
  template: text,
  details,
  model_info: z.record(text, z.union([text, z.number()])),
  capabilities,
  modified_at: text,
});
export type OllamaShow = z.infer<typeof ollamaShowResponseSchema>;
