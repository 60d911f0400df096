import type { Provider } from "../provider.ts";
import { normalizeBaseUrl } from "../openai-compatible/base-url.ts";
import { catalog } from "./catalog.ts";
import { chat } from "./chat.ts";
import { errors } from "./errors.ts";
import { models } from "./models.ts";
import { profile } from "./profile.ts";

/** DeepSeek's own API (https://api-docs.deepseek.com), in its OpenAI format. */
export const provider: Provider = {
  ...profile,
  catalog,
  normalizeBaseUrl,
  models,
  errors,
  // Calls at the same time are limited for each model (https://api-docs.deepseek.com/quick_start/pricing).
  rateScope: "model",
  chat,
  messages: null,
  responses: null,
  embeddings: null,
  speech: null,
  images: null,
  edits: null,
  videos: null,
};
