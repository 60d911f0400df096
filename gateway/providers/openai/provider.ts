import { normalizeBaseUrl } from "../openai-compatible/base-url.ts";
import type { Provider } from "../provider.ts";
import { catalog } from "./catalog.ts";
import { chat } from "./chat.ts";
import { embeddings } from "./embeddings.ts";
import { edits } from "./edits.ts";
import { errors } from "./errors.ts";
import { images } from "./images.ts";
import { models } from "./models.ts";
import { profile } from "./profile.ts";
import { responses } from "./responses.ts";
import { speech } from "./speech.ts";
import { videos } from "./videos.ts";

/** OpenAI itself (docs/providers/openai.md). */
export const provider: Provider = {
  ...profile,
  catalog,
  normalizeBaseUrl,
  models,
  errors,
  rateScope: "model",
  chat,
  messages: null,
  responses,
  embeddings,
  speech,
  images,
  edits,
  videos,
};
