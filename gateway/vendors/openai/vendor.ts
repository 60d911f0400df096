import { normalizeBaseUrl } from "../openai-compatible/base-url.ts";
import type { Vendor } from "../vendor.ts";
import { chat } from "./chat.ts";
import { errors } from "./errors.ts";
import { models } from "./models.ts";

/** OpenAI itself (upstreams reference 1). */
export const vendor: Vendor = {
  id: "openai",
  label: "OpenAI",
  defaultBaseUrl: "https://api.openai.com/v1",
  normalizeBaseUrl,
  chat,
  models,
  errors,
};
