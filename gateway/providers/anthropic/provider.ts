import type { Provider } from "../provider.ts";
import { normalizeBaseUrl } from "./base-url.ts";
import { catalog } from "./catalog.ts";
import { errors } from "./errors.ts";
import { messages } from "./messages.ts";
import { models } from "./models.ts";
import { profile } from "./profile.ts";

/** Anthropic itself (docs/providers/anthropic.md). */
export const provider: Provider = {
  ...profile,
  catalog,
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
