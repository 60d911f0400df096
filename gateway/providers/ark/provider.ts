import type { Provider } from "../provider.ts";
import { normalizeBaseUrl } from "./base-url.ts";
import { catalog } from "./catalog.ts";
import { chat } from "./chat.ts";
import { errors } from "./errors.ts";
import { images } from "./images.ts";
import { models } from "./models.ts";
import { profile } from "./profile.ts";
import { videos } from "./videos.ts";

/** Volcengine Ark and BytePlus ModelArk (docs/providers/ark.md). */
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
  edits: null,
  videos,
};
