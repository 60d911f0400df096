import type { Provider } from "../provider.ts";
import { normalizeBaseUrl } from "../openai-compatible/base-url.ts";
import { catalog } from "./catalog.ts";
import { chat } from "./chat.ts";
import { edits } from "./edits.ts";
import { errors } from "./errors.ts";
import { images } from "./images.ts";
import { models } from "./models.ts";
import { profile } from "./profile.ts";
import { videos } from "./videos.ts";

/** xAI (docs/providers/xai.md). */
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
  embeddings: null,
  speech: null,
  images,
  edits,
  videos,
};
