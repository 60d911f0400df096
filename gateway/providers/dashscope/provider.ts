import type { Provider } from "../provider.ts";
import { normalizeBaseUrl } from "./base-url.ts";
import { catalog } from "./catalog.ts";
import { chat } from "./chat.ts";
import { embeddings } from "./embeddings.ts";
import { errors } from "./errors.ts";
import { images } from "./images.ts";
import { models } from "./models.ts";
import { profile } from "./profile.ts";
import { speech } from "./speech.ts";
import { videos } from "./videos.ts";

/** Alibaba DashScope (Model Studio), native and in its compatible mode (docs/providers/dashscope.md). */
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
  speech,
  images,
  edits: null,
  videos,
};
