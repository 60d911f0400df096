import { bearerHeaders } from "../openai-compatible/headers.ts";
import { readModels } from "../openai-compatible/models.ts";
import type { ModelsAdapter } from "../provider.ts";

export const models: ModelsAdapter = {
  toRequest: (secret) => ({
    method: "GET",
    path: "/compatible-mode/v1/models",
    headers: bearerHeaders(secret),
    body: null,
  }),
  fromResponse: readModels,
};
