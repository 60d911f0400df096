import * as z from "zod";
import { between, getWholeBetween, wholeFrom } from "./bounds.ts";

/**
 * The body of `POST /v1/completions`, OpenAI's API before chat, which servers such as vLLM, llama.cpp and LM Studio have
 * (docs.vllm.ai, OpenAI-Compatible Server; ggml-org/llama.cpp tools/server/README.md, 2026-11-30). Unknown fields pass,
 * and `null` means absent.
 */

const text = z.string();
const tokens = z.array(z.int().nonnegative()).min(1);
const somePrompt = { error: "expected a text, an array of texts, or tokens" };

export const completionRequestSchema = z.looseObject({
  model: text.min(1, { error: "expected the id of a model, as GET /v1/models lists it" }),
  prompt: z.union([text, z.array(text).min(1), tokens, z.array(tokens).min(1)], somePrompt),
  suffix: text.nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({}).nullish(),
  /** 0 scores a prompt with `echo` and `logprobs`. */
  max_tokens: wholeFrom(0).nullish(),
  temperature: between(0, 2).nullish(),
  top_p: between(0, 1).nullish(),
  n: getWholeBetween(1, 128).nullish(),
  best_of: getWholeBetween(1, 128).nullish(),
  stop: z.union([text, z.array(text)]).nullish(),
  echo: z.boolean().nullish(),
  logprobs: z.union([z.int().nonnegative(), z.boolean()]).nullish(),
  presence_penalty: between(-2, 2).nullish(),
  frequency_penalty: between(-2, 2).nullish(),
});

const count = z.int().nonnegative();

export const completionSchema = z.looseObject({
  id: text,
  object: z.literal("text_completion"),
  /** Unix seconds. */
  created: z.int(),
  model: text,
  choices: z.array(z.looseObject({ index: count, text, finish_reason: text })),
  usage: z.looseObject({ prompt_tokens: count, completion_tokens: count, total_tokens: count }),
});
