import type { Provider } from "../provider.ts";
import { normalizeBaseUrl } from "./base-url.ts";
import { errors } from "./errors.ts";
import { messages } from "./messages.ts";
import { models } from "./models.ts";

/** Anthropic itself (docs/providers/anthropic.md). */
export const provider: Provider = {
  id: "anthropic",
  label: "Anthropic",
  owners: ["anthropic"],
  defaultBaseUrl: "https://api.anthropic.com",
  normalizeBaseUrl,
  models,
  errors,
  rateScope: "model",
  chat: null,
  messages,
  responses: null,
  embeddings: null,
  speech: null,
  images: null,
  edits: null,
  videos: null,
};
