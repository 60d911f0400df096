import { normalizeBaseUrl } from "../openai-compatible/base-url.ts";
import type { Vendor } from "../vendor.ts";
import { chat } from "./chat.ts";
import { errors } from "./errors.ts";
import { models } from "./models.ts";

/** OpenAI itself (upstreams reference 1). */
export const vendor: Vendor = {
  id: "openai",
  label: "OpenAI",
  owners: ["openai"],
  defaultBaseUrl: "https://api.openai.com/v1",
  normalizeBaseUrl,
  models,
  errors,
  chat,
  messages: null,
  responses: null,
  embeddings: null,
  speech: null,
  images: null,
  edits: null,
};
