import type { Provider, ModelsAdapter } from "../provider.ts";
import { catalog } from "./catalog.ts";
import { errors } from "./errors.ts";
import { messages } from "./messages.ts";
import { profile } from "./profile.ts";
import { getBasePath } from "../base-path.ts";
import type { DiscoveredModel } from "../../core/models/discovered-model.ts";
import { isRecord } from "../../lib/records.ts";
import { ALL_KINDS, readModels } from "../openai-compatible/models.ts";
import { buildAnthropicHeaders } from "./headers.ts";

/** Fetches `GET /v1/models` with the max page size (docs/providers/anthropic.md#models). */
const models: ModelsAdapter = {
  toRequest: (secret) => ({
    method: "GET",
    path: "/v1/models?limit=1000",
    headers: buildAnthropicHeaders(secret),
    body: null,
  }),
  fromResponse: (body) => {
    const found = readModels(body);
    if (found === null || !isRecord(body) || !Array.isArray(body["data"])) return found;
    const items = new Map(body["data"].filter(isRecord).map((item) => [item["id"], item]));
    return found.map((model) => withDetails(model, items.get(model.id) ?? {}));
  },
  whole: ALL_KINDS,
};

/** Adds details under Anthropic's own field names. */
function withDetails(model: DiscoveredModel, item: Readonly<Record<string, unknown>>): DiscoveredModel {
  const created = typeof item["created_at"] === "string" ? Date.parse(item["created_at"]) / 1_000 : Number.NaN;
  return {
    ...model,
    owned_by: model.owned_by ?? "anthropic",
    created: Number.isSafeInteger(created) ? created : model.created,
    context_length: getTokens(item["max_input_tokens"]) ?? model.context_length,
    max_output: getTokens(item["max_tokens"]) ?? model.max_output,
  };
}

function getTokens(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}

/** Anthropic itself (docs/providers/anthropic.md). */
export const provider: Provider = {
  ...profile,
  catalog,
  normalizeBaseUrl,
  models,
  errors,
  rateScope: "model",
  chat: null,
  messages,
  responses: null,
  embeddings: null,
  speech: null,
  images: null,
  edits: null,
  videos: null,
  transcriptions: null,
  moderations: null,
};

/** Returns the bare origin (and the path of a proxy): a pasted version and operation are removed. */
function normalizeBaseUrl(url: URL): string {
  const path = getBasePath(url).replace(/(\/v1)?\/(messages(\/count_tokens)?|complete)$|\/v1(\/models)?$/, "");
  return `${url.origin}${path}`;
}
