import { bearerHeaders } from "../openai-compatible/headers.ts";
import { readModels } from "../openai-compatible/models.ts";
import type { ModelsAdapter } from "../provider.ts";

/**
 * The list of the layer for OpenAI clients, whose ids are written `models/gemini-…`
 * (docs/providers/gemini.md#layer-for-openai-clients).
 */
export const models: ModelsAdapter = {
  toRequest: (secret) => ({ method: "GET", path: "/v1beta/openai/models", headers: bearerHeaders(secret), body: null }),
  fromResponse: (body) =>
    readModels(body)?.map((model) => ({ ...model, id: model.id.replace(/^models\//, "") })) ?? null,
};
