import type { ModelsAdapter } from "../provider.ts";
import { models as compatible } from "../openai-compatible/models.ts";

/** `GET /models` (docs/providers/openai.md#models): the common shape, without extras. */
export const models: ModelsAdapter = compatible;
