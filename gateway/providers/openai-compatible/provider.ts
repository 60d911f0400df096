import type { Provider } from "../provider.ts";
import { responses as openaisResponses } from "../openai/responses.ts";
import { wantsResponses } from "../openai/responses-models.ts";
import { normalizeBaseUrl } from "./base-url.ts";
import { catalog } from "./catalog.ts";
import { chat } from "./chat.ts";
import { completions } from "./completions.ts";
import { CREDITS } from "./credit.ts";
import { embeddings } from "./embeddings.ts";
import { edits } from "./edits.ts";
import { errors } from "./errors.ts";
import { images } from "./images.ts";
import { moderations } from "./moderations.ts";
import { models } from "./models.ts";
import { profile } from "./profile.ts";
import { speech } from "./speech.ts";
import { transcriptions } from "./transcriptions.ts";
import { videos } from "./videos.ts";

/**
 * OpenAI's own models at OpenAI and at Azure, whose named deployments have no `/responses` path
 * (https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle, read 2026-11-28).
 */
const SERVES_OPENAIS =
  /^https?:\/\/(?:(?:[a-z]+\.)?api\.openai|[^/]+\.(?:openai|services\.ai|cognitiveservices)\.azure)\.com(?=[:/]|$)(?!.*\/deployments\/)/;

/** Any server that speaks the common chat API: OpenRouter, Groq, Moonshot, Ollama, LM Studio, llama.cpp, vLLM, … */
export const provider: Provider = {
  ...profile,
  catalog,
  normalizeBaseUrl,
  models,
  errors,
  findCredit: (host) => (Object.hasOwn(CREDITS, host) ? CREDITS[host] : undefined),
  // The limits of an unknown server are unknown, so the next model may be refused too.
  rateScope: "key",
  chat,
  messages: null,
  responses: null,
  completions,
  responsesForChat: {
    adapter: openaisResponses,
    isNeeded: (body, model, baseUrl) => SERVES_OPENAIS.test(baseUrl) && wantsResponses(body, model),
  },
  embeddings,
  speech,
  images,
  edits,
  videos,
  transcriptions,
  moderations,
};
