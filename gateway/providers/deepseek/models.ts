import { models as compatible } from "../openai-compatible/models.ts";
import type { ModelsAdapter } from "../provider.ts";

export const models: ModelsAdapter = compatible;
