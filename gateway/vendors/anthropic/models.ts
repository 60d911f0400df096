import { bearerHeaders } from "../openai-compatible/headers.ts";
import { readModels } from "../openai-compatible/models.ts";
import type { ModelsAdapter } from "../vendor.ts";

export const models: ModelsAdapter = {
  toRequest: (secret) => ({ method: "GET", path: "/v1/models", headers: bearerHeaders(secret), body: null }),
  fromResponse: readModels,
};
