import type { ModelsAdapter } from "../provider.ts";
import { models as compatible } from "../openai-compatible/models.ts";

/** `GET /models` (upstreams reference 1.6): the common shape, without extras. */
export const models: ModelsAdapter = compatible;
