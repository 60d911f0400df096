import type { ModelsAdapter } from "../provider.ts";
import { models as common } from "../openai-compatible/models.ts";

export const models: ModelsAdapter = common;
