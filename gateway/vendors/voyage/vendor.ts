import type { Vendor } from "../vendor.ts";
import { normalizeBaseUrl } from "../openai-compatible/base-url.ts";

import { embeddings } from "./embeddings.ts";
import { errors } from "./errors.ts";
import { models } from "./models.ts";

/** Voyage AI (upstreams reference 5). */
export const vendor: Vendor = {
  id: "voyage",
  label: "Voyage AI",
  owners: ["voyage"],
  defaultBaseUrl: "https://api.voyageai.com/v1",
  normalizeBaseUrl,
  models,
  errors,
  chat: null,
  messages: null,
  responses: null,
  embeddings,
  speech: null,
  images: null,
  edits: null,
};
