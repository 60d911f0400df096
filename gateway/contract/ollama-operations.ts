import * as z from "zod";
import {
  ollamaChatResponseSchema,
  ollamaChatSchema,
  ollamaEmbedResponseSchema,
  ollamaEmbedSchema,
  ollamaEmbeddingsResponseSchema,
  ollamaEmbeddingsSchema,
  ollamaGenerateResponseSchema,
  ollamaGenerateSchema,
  ollamaModelSchema,
  ollamaShowResponseSchema,
  ollamaShowSchema,
  ollamaTagsSchema,
} from "./ollama.ts";
import type { PublicOperation } from "./operation.ts";

const JSON_TYPE = "application/json";
const LINES = "application/x-ndjson";

const OF_OLLAMA = { group: "Ollama", errors: ["ollama"] } as const;

/** Ollama's API. */
export const ollamaOperations: readonly PublicOperation[] = [
  {
    ...OF_OLLAMA,
    method: "post",
    path: "/api/chat",
    id: "ollamaChat",
    summary: "Ollama's chat with any chat model",
    description: "A stream of lines of JSON unless `stream` is false. The key may be in the path: `/sk-…/api/chat`.",
    request: { [JSON_TYPE]: ollamaChatSchema },
    responses: { [JSON_TYPE]: [ollamaChatResponseSchema], [LINES]: [ollamaChatResponseSchema] },
  },
  {
    ...OF_OLLAMA,
    method: "post",
    path: "/api/generate",
    id: "ollamaGenerate",
    summary: "The same with one prompt",
    request: { [JSON_TYPE]: ollamaGenerateSchema },
    responses: { [JSON_TYPE]: [ollamaGenerateResponseSchema], [LINES]: [ollamaGenerateResponseSchema] },
  },
  {
    ...OF_OLLAMA,
    method: "post",
    path: "/api/embed",
    id: "ollamaEmbed",
    summary: "Embed one text or many",
    request: { [JSON_TYPE]: ollamaEmbedSchema },
    responses: { [JSON_TYPE]: [ollamaEmbedResponseSchema] },
  },
  {
    ...OF_OLLAMA,
    method: "post",
    path: "/api/embeddings",
    id: "ollamaEmbeddings",
    summary: "Embed one text, for older clients",
    request: { [JSON_TYPE]: ollamaEmbeddingsSchema },
    responses: { [JSON_TYPE]: [ollamaEmbeddingsResponseSchema] },
  },
  {
    ...OF_OLLAMA,
    method: "get",
    path: "/api/tags",
    id: "listOllamaModels",
    summary: "The chat and embedding models that this key may use",
    responses: { [JSON_TYPE]: [ollamaTagsSchema] },
  },
  {
    ...OF_OLLAMA,
    method: "post",
    path: "/api/show",
    id: "showOllamaModel",
    summary: "One model with its context and capabilities",
    request: { [JSON_TYPE]: ollamaShowSchema },
    responses: { [JSON_TYPE]: [ollamaShowResponseSchema] },
  },
  {
    ...OF_OLLAMA,
    method: "get",
    path: "/api/ps",
    id: "listRunningOllamaModels",
    summary: "An empty list: Postern loads no models",
    responses: { [JSON_TYPE]: [z.object({ models: z.array(ollamaModelSchema) })] },
  },
  {
    ...OF_OLLAMA,
    method: "get",
    path: "/api/version",
    id: "getOllamaVersion",
    summary: "The version of Ollama whose API this is",
    responses: { [JSON_TYPE]: [z.object({ version: z.string() })] },
  },
];
