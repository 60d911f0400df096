import {
  chatCompletionSchema,
  messageSchema,
  responseSchema,
  responsesCountSchema,
  tokenCountSchema,
} from "./conversation-responses.ts";
import { billingUsageSchema, subscriptionSchema, usageQuerySchema } from "./billing.ts";
import { chatRequestSchema } from "./chat.ts";
import { completionRequestSchema, completionSchema } from "./completions.ts";
import { embeddingListSchema, embeddingsRequestSchema } from "./embeddings.ts";
import { imageEditFormSchema, imageEditRequestSchema, imageEditResponseSchema } from "./image-edits.ts";
import { gammaImageResultSchema, geminiImageResultSchema, imageRequestSchema, imageResultSchema } from "./images.ts";
import { geminiOperations } from "./gemini-operations.ts";
import { countTokensRequestSchema, messagesRequestSchema } from "./messages.ts";
import { ollamaOperations } from "./ollama-operations.ts";
import { modelListSchema, modelSchema } from "./models.ts";
import { moderationRequestSchema, moderationResponseSchema } from "./moderations.ts";
import type { PublicOperation } from "./operation.ts";
import { responsesCountRequestSchema, responsesRequestSchema } from "./responses.ts";
import { videoOperations } from "./video-operations.ts";
import { speechRequestSchema } from "./speech.ts";
import { transcriptSchema, transcriptionFormSchema, translationFormSchema } from "./transcription.ts";

const JSON_TYPE = "application/json";
const EVENTS = "text/event-stream";

/** Every operation of the public API, in the order in which the document lists them. */
export const publicOperations: readonly PublicOperation[] = [
  {
    method: "post",
    path: "/v1/chat/completions",
    id: "createChatCompletion",
    group: "Conversations",
    summary: "Chat with any model",
    description:
      "With `stream`, chunks as server-sent events and `data: [DONE]`. Claude models are reached by translation.",
    request: { [JSON_TYPE]: chatRequestSchema },
    responses: { [JSON_TYPE]: [chatCompletionSchema], [EVENTS]: null },
    errors: ["nested"],
  },
  {
    method: "post",
    path: "/v1/messages",
    id: "createMessage",
    group: "Conversations",
    summary: "Anthropic's Messages API with any chat model",
    description: "Claude models untouched, others by translation. Takes `x-api-key` as well as a bearer.",
    request: { [JSON_TYPE]: messagesRequestSchema },
    responses: { [JSON_TYPE]: [messageSchema], [EVENTS]: null },
    errors: ["anthropic"],
  },
  {
    method: "post",
    path: "/v1/messages/count_tokens",
    id: "countTokens",
    group: "Conversations",
    summary: "Count the tokens of a message, free of charge and of limits",
    request: { [JSON_TYPE]: countTokensRequestSchema },
    responses: { [JSON_TYPE]: [tokenCountSchema] },
    errors: ["anthropic"],
  },
  {
    method: "post",
    path: "/v1/responses",
    id: "createResponse",
    group: "Conversations",
    summary: "OpenAI's Responses API with any chat model",
    description:
      "OpenAI's models untouched, others by translation, whose responses can be continued by `previous_response_id` for an hour.",
    request: { [JSON_TYPE]: responsesRequestSchema },
    responses: { [JSON_TYPE]: [responseSchema], [EVENTS]: null },
    errors: ["nested"],
  },
  {
    method: "post",
    path: "/v1/responses/input_tokens",
    id: "countResponseTokens",
    group: "Conversations",
    summary: "Count the tokens of a response's input, free of charge and of limits",
    request: { [JSON_TYPE]: responsesCountRequestSchema },
    responses: { [JSON_TYPE]: [responsesCountSchema] },
    errors: ["nested"],
  },
  {
    method: "post",
    path: "/v1/completions",
    id: "createCompletion",
    group: "Conversations",
    summary: "Complete a text, as before chat",
    description:
      "Untouched to servers that have this endpoint; one prompt to other models by chat. With `stream`, chunks as server-sent events and `data: [DONE]`.",
    request: { [JSON_TYPE]: completionRequestSchema },
    responses: { [JSON_TYPE]: [completionSchema], [EVENTS]: null },
    errors: ["nested"],
  },
  ...geminiOperations,
  ...ollamaOperations,
  {
    method: "post",
    path: "/v1/embeddings",
    id: "createEmbeddings",
    group: "Embeddings",
    summary: "Embed one text or many",
    description: "Long lists are split by the provider's own limit and put back in order.",
    request: { [JSON_TYPE]: embeddingsRequestSchema },
    responses: { [JSON_TYPE]: [embeddingListSchema] },
    errors: ["nested"],
  },
  {
    method: "post",
    path: "/v1/audio/speech",
    id: "createSpeech",
    group: "Speech",
    summary: "Speak a text",
    request: { [JSON_TYPE]: speechRequestSchema },
    responses: {
      "audio/mpeg": null,
      "audio/wav": null,
      "audio/opus": null,
      "audio/aac": null,
      "audio/flac": null,
      "audio/pcm": null,
      [EVENTS]: null,
    },
    errors: ["nested"],
  },
  {
    method: "post",
    path: "/v1/audio/transcriptions",
    id: "createTranscription",
    group: "Transcription",
    summary: "Write down what is said",
    description:
      "Formats `json`, `verbose_json` and `diarized_json` are JSON; `text`, `srt` and `vtt` are text. With `stream`, events as server-sent events.",
    request: { "multipart/form-data": transcriptionFormSchema },
    responses: { [JSON_TYPE]: [transcriptSchema], "text/plain": null, [EVENTS]: null },
    errors: ["nested"],
  },
  {
    method: "post",
    path: "/v1/audio/translations",
    id: "createTranslation",
    group: "Transcription",
    summary: "Write down in English what is said in another language",
    request: { "multipart/form-data": translationFormSchema },
    responses: { [JSON_TYPE]: [transcriptSchema], "text/plain": null },
    errors: ["nested"],
  },
  {
    method: "post",
    path: "/v1/images/generations",
    id: "createImage",
    group: "Images",
    summary: "Make images",
    description: "The shape of the body is that of the model's family; errors of the gamma-image family are flat.",
    request: { [JSON_TYPE]: imageRequestSchema() },
    responses: {
      [JSON_TYPE]: [gammaImageResultSchema(), imageResultSchema(), geminiImageResultSchema()],
      [EVENTS]: null,
    },
    errors: ["nested", "flat"],
  },
  {
    method: "post",
    path: "/v1/images/edits",
    id: "editImage",
    group: "Images",
    summary: "Edit images",
    request: { "multipart/form-data": imageEditFormSchema(), [JSON_TYPE]: imageEditRequestSchema() },
    responses: { [JSON_TYPE]: [imageEditResponseSchema()], [EVENTS]: null },
    errors: ["nested"],
  },
  ...videoOperations,
  {
    method: "post",
    path: "/v1/moderations",
    id: "createModeration",
    group: "Moderation",
    summary: "Judge texts and pictures, free at OpenAI",
    description: "Goes to the provider as it is, and its response comes back as it is.",
    request: { [JSON_TYPE]: moderationRequestSchema },
    responses: { [JSON_TYPE]: [moderationResponseSchema] },
    errors: ["nested"],
  },
  {
    method: "get",
    path: "/v1/models",
    id: "listModels",
    group: "Models",
    summary: "The models that this key may use",
    description: "In Anthropic's shape for requests with an `anthropic-version` header.",
    responses: { [JSON_TYPE]: [modelListSchema] },
    errors: ["nested"],
  },
  {
    method: "get",
    path: "/v1/models/{id}",
    id: "retrieveModel",
    group: "Models",
    summary: "One model",
    responses: { [JSON_TYPE]: [modelSchema] },
    errors: ["nested", "anthropic"],
  },
  {
    method: "get",
    path: "/v1/dashboard/billing/subscription",
    id: "getSubscription",
    group: "Quota",
    summary: "The limits of this key",
    responses: { [JSON_TYPE]: [subscriptionSchema] },
    errors: ["nested"],
  },
  {
    method: "get",
    path: "/v1/dashboard/billing/usage",
    id: "getUsage",
    group: "Quota",
    summary: "What this key has spent, in US cents",
    query: usageQuerySchema,
    responses: { [JSON_TYPE]: [billingUsageSchema] },
    errors: ["nested"],
  },
];
