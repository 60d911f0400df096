import * as z from "zod";
import {
  batchEmbedContentsRequestSchema,
  embedContentRequestSchema,
  geminiCountRequestSchema,
  generateContentRequestSchema,
} from "./gemini.ts";
import { googleModelListSchema, googleModelSchema } from "./models.ts";
import type { PublicOperation } from "./operation.ts";

const JSON_TYPE = "application/json";
const count = z.int().nonnegative();

/** Fields that Google's clients can rely on with any provider; providers send more. */
const generateContentResponseSchema = z.looseObject({
  candidates: z.array(
    z.looseObject({
      content: z.looseObject({ role: z.string(), parts: z.array(z.looseObject({})) }),
      finishReason: z.string().optional(),
      index: count,
    }),
  ),
  usageMetadata: z
    .looseObject({ promptTokenCount: count, candidatesTokenCount: count, totalTokenCount: count })
    .optional(),
  modelVersion: z.string(),
});

const vectorSchema = z.object({ values: z.array(z.number()) });

/** Google's dialect. All paths also exist below `/v1`, which Google's Python SDK uses. */
export const geminiOperations: readonly PublicOperation[] = [
  {
    method: "post",
    path: "/v1beta/models/{id}:generateContent",
    id: "generateContent",
    group: "Gemini",
    summary: "Google's Gemini API with any chat model",
    description:
      "Gemini models untouched, others by translation. Takes `x-goog-api-key` and `?key=` as well as a bearer.",
    request: { [JSON_TYPE]: generateContentRequestSchema },
    responses: { [JSON_TYPE]: [generateContentResponseSchema] },
    errors: ["google"],
  },
  {
    method: "post",
    path: "/v1beta/models/{id}:streamGenerateContent",
    id: "streamGenerateContent",
    group: "Gemini",
    summary: "The same as a stream",
    description: "Server-sent events with `?alt=sse`, else one JSON array that grows.",
    request: { [JSON_TYPE]: generateContentRequestSchema },
    responses: { [JSON_TYPE]: [z.array(generateContentResponseSchema)], "text/event-stream": null },
    errors: ["google"],
  },
  {
    method: "post",
    path: "/v1beta/models/{id}:countTokens",
    id: "countGeminiTokens",
    group: "Gemini",
    summary: "Count the tokens of contents, free of charge and of limits",
    request: { [JSON_TYPE]: geminiCountRequestSchema },
    responses: { [JSON_TYPE]: [z.looseObject({ totalTokens: count })] },
    errors: ["google"],
  },
  {
    method: "post",
    path: "/v1beta/models/{id}:embedContent",
    id: "embedContent",
    group: "Gemini",
    summary: "Embed one text",
    request: { [JSON_TYPE]: embedContentRequestSchema },
    responses: { [JSON_TYPE]: [z.object({ embedding: vectorSchema })] },
    errors: ["google"],
  },
  {
    method: "post",
    path: "/v1beta/models/{id}:batchEmbedContents",
    id: "batchEmbedContents",
    group: "Gemini",
    summary: "Embed up to a hundred texts",
    request: { [JSON_TYPE]: batchEmbedContentsRequestSchema },
    responses: { [JSON_TYPE]: [z.object({ embeddings: z.array(vectorSchema) })] },
    errors: ["google"],
  },
  {
    method: "get",
    path: "/v1beta/models",
    id: "listGeminiModels",
    group: "Gemini",
    summary: "The models that this key may use, in Google's shape",
    query: z.object({
      pageSize: z.coerce.number().int().min(1).max(1000).optional(),
      pageToken: z.string().optional(),
    }),
    responses: { [JSON_TYPE]: [googleModelListSchema] },
    errors: ["google"],
  },
  {
    method: "get",
    path: "/v1beta/models/{id}",
    id: "retrieveGeminiModel",
    group: "Gemini",
    summary: "One model, in Google's shape",
    responses: { [JSON_TYPE]: [googleModelSchema] },
    errors: ["google"],
  },
];
