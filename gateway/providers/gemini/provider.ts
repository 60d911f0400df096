import type { Provider } from "../provider.ts";
import { normalizeBaseUrl } from "./base-url.ts";
import { catalog } from "./catalog.ts";
import { chat } from "./chat.ts";
import { embeddings } from "./embeddings.ts";
import { edits } from "./edits.ts";
import { errors } from "./errors.ts";
import { images } from "./images.ts";
import { models } from "./models.ts";
import { profile } from "./profile.ts";

/** Google Gemini, by its layer for OpenAI clients and natively (docs/providers/gemini.md). */
export const provider: Provider = {
  ...profile,
  catalog,
  normalizeBaseUrl,
  models,
  errors,
  rateScope: "model",
  chat,
  messages: null,
  responses: null,
  embeddings,
  speech: null,
  images,
  edits,
  videos: null,
};
