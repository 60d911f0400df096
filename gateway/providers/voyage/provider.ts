import type { Provider } from "../provider.ts";
import { normalizeBaseUrl } from "../openai-compatible/base-url.ts";
import { catalog } from "./catalog.ts";
import { embeddings } from "./embeddings.ts";
import { errors } from "./errors.ts";
import { profile } from "./profile.ts";

/** Voyage AI (docs/providers/voyage.md). */
export const provider: Provider = {
  ...profile,
  catalog,
  normalizeBaseUrl,
  // Its reference names no list of models, and a request that it does not know could only fail.
  models: null,
  errors,
  rateScope: "model",
  chat: null,
  messages: null,
  responses: null,
  embeddings,
  speech: null,
  images: null,
  edits: null,
  videos: null,
};
