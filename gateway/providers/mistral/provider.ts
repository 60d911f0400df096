import type { Provider, ModelsAdapter } from "../provider.ts";
import { normalizeVersioned } from "../openai-compatible/base-url.ts";
import { catalog } from "./catalog.ts";
import { chat } from "./chat.ts";
import { errors } from "./errors.ts";
import { profile } from "./profile.ts";
import { moderations as commonModerations } from "../openai-compatible/moderations.ts";
import type { ModerationsAdapter } from "../moderations.ts";
import { transcriptions } from "./transcriptions.ts";
import { ALL_KINDS, models as common } from "../openai-compatible/models.ts";

const models: ModelsAdapter = { ...common, whole: ALL_KINDS };

/** docs/providers/mistral.md#moderations */
const moderations: ModerationsAdapter = commonModerations;

/** Mistral's own API (https://docs.mistral.ai/api), for conversation, transcription and moderation. */
export const provider: Provider = {
  ...profile,
  catalog,
  normalizeBaseUrl: normalizeVersioned,
  models,
  errors,
  // Tokens a minute are limited for each model (https://docs.mistral.ai/deployment/ai-studio/tier).
  rateScope: "model",
  chat,
  messages: null,
  responses: null,
  embeddings: null,
  speech: null,
  images: null,
  edits: null,
  videos: null,
  transcriptions,
  moderations,
};
