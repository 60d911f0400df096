import type { ListModels } from "../../services/models/list-models.ts";
import { decodeModelId, isGeminiOperation } from "../../contract/gemini-address.ts";
import { getKey } from "../call-input.ts";
import { methodNotAllowed } from "../method-not-allowed.ts";
import type { Context } from "../state.ts";
import type { Quota } from "../../services/quota.ts";

/**
 * `GET /v1/models` and `/v1/models/{id}`, in OpenAI's shape, in Anthropic's for clients that name its version, or in Google's
 * for its clients, who ask below `/v1beta` too.
 */
export function createModelRoutes(listModels: ListModels) {
  const getShape = ({ state, req }: Context) =>
    state.family === "google" ? "google" : req.headers["anthropic-version"] === undefined ? "openai" : "anthropic";
  return {
    async list(context: Context): Promise<void> {
      context.body = await listModels[getShape(context)](getKey(context), context.query);
    },
    async retrieve(context: Context): Promise<void> {
      const shape = getShape(context);
      if (shape === "google" && isGeminiOperation(context.path)) throw methodNotAllowed(context, ["POST"]);
      const id = decodeModelId(context.path.replace(/^\/v1(?:beta)?\/models\//, ""));
      context.body = await listModels.one(getKey(context), id, shape);
    },
  };
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
