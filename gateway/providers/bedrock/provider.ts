import { getBasePath } from "../base-path.ts";
import { models as compatible } from "../openai-compatible/models.ts";
import type { ModelsAdapter, Provider } from "../provider.ts";
import { catalog } from "./catalog.ts";
import { chat } from "./chat.ts";
import { errors } from "./errors.ts";
import { messages } from "./messages.ts";
import { profile } from "./profile.ts";
import { responses } from "./responses.ts";
import { findSurface } from "./surface.ts";

/** `GET /v1/models` lists the models of all surfaces. */
const models: ModelsAdapter = {
  ...compatible,
  toRequest: (secret) => ({ ...compatible.toRequest(secret), path: "/v1/models" }),
};

/** Amazon Bedrock's endpoint for the APIs of OpenAI and Anthropic, by API key (docs/providers/bedrock.md). */
export const provider: Provider = {
  ...profile,
  catalog,
  normalizeBaseUrl,
  models,
  errors,
  // Each model has quotas of its own (https://docs.aws.amazon.com/bedrock/latest/userguide/endpoints.html, read 2026-11-30).
  rateScope: "model",
  speaks: (dialect, model) => findSurface(model).dialect === dialect,
  chat,
  messages,
  responses,
  responsesForChat: { adapter: responses, isNeeded: (_body, model) => findSurface(model).dialect === "responses" },
  embeddings: null,
  speech: null,
  images: null,
  edits: null,
  videos: null,
  transcriptions: null,
  moderations: null,
};

/** Returns the bare origin (and the path of a proxy): the pasted base URL of one surface is removed. */
function normalizeBaseUrl(url: URL): string {
  const path = getBasePath(url).replace(/\/(?:(?:openai\/)?v1|anthropic(?:\/v1)?)(?:\/.*)?$/, "");
  return `${url.origin}${path}`;
}
