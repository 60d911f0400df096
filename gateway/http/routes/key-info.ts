import type { ListModels } from "../../services/models/list-models.ts";
import { getKey } from "../call-input.ts";
import type { Context } from "../state.ts";
import type { Quota } from "../../services/quota.ts";

/** `GET /v1/models` and `/v1/models/{id}`, in OpenAI's shape, or in Anthropic's for clients that name its version. */
export function createModelRoutes(listModels: ListModels) {
  const anthropic = (context: Context): boolean => context.req.headers["anthropic-version"] !== undefined;
  return {
    async list(context: Context): Promise<void> {
      const key = getKey(context);
      context.body = anthropic(context) ? await listModels.anthropic(key, context.query) : await listModels.openai(key);
    },
    async retrieve(context: Context): Promise<void> {
      const id = getId(context.path);
      context.body = await listModels.one(getKey(context), id, anthropic(context));
    },
  };
}

/** Ids may hold slashes, encoded or not (`deepseek%2Fdeepseek-chat`): decoded after the path was split. */
function getId(path: string): string {
  const encoded = path.slice("/v1/models/".length);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** `GET /v1/dashboard/billing/subscription` and `/usage`: the calling key's own limit and spend. */
export function createBillingRoutes(quota: Quota) {
  return {
    async subscription(context: Context): Promise<void> {
      context.body = await quota.subscription(getKey(context));
    },
    async usage(context: Context): Promise<void> {
      context.body = await quota.usage(getKey(context), context.query["start_date"], context.query["end_date"]);
    },
  };
}
