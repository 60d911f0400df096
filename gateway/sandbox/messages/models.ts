import type { ModelSpec } from "../../core/models/model.ts";
import { sendJson, type Exchange, type Route } from "../exchange.ts";
import { Failure } from "../failure.ts";
import { canAny, decoded, findModel } from "../models.ts";
import { invalid } from "./failure.ts";

const DEFAULT_LIMIT = 20;
const HIGHEST_LIMIT = 1_000;

/** `GET /v1/models` and `GET /v1/models/{id}` in Anthropic's shape (docs/providers/anthropic.md#models). */
export function anthropicModelRoutes(models: () => readonly ModelSpec[]): Route[] {
  return [
    {
      method: "GET",
      path: "/v1/models",
      handle: (exchange) => {
        const served = models().filter((model) => canAny(model, ["chat"]));
        sendJson(exchange.response, 200, JSON.stringify(pageOf(served, exchange)));
      },
    },
    {
      method: "GET",
      path: /^\/v1\/models\/.+$/,
      handle: (exchange) => {
        const model = conversationModel(models, decoded(exchange.path.slice("/v1/models/".length)));
        sendJson(exchange.response, 200, JSON.stringify(modelBody(model)));
      },
    },
  ];
}

/** @throws Failure (404) in Anthropic's words */
export function conversationModel(models: () => readonly ModelSpec[], id: string): ModelSpec {
  const known = models().filter((model) => canAny(model, ["chat"]));
  try {
    return findModel(known, id);
  } catch {
    throw new Failure(404, `model: ${id.slice(0, 200)}`);
  }
}

function pageOf(models: readonly ModelSpec[], exchange: Exchange): object {
  const query = new URLSearchParams(exchange.request.url?.split("?")[1] ?? "");
  const limit = Number(query.get("limit") ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1) throw invalid("limit", "Input should be greater than or equal to 1");
  if (limit > HIGHEST_LIMIT) throw invalid("limit", `Input should be less than or equal to ${HIGHEST_LIMIT}`);
  const after = query.get("after_id");
  const start = after === null ? 0 : models.findIndex((model) => model.id === after) + 1;
  const data = models.slice(start, start + limit).map(modelBody);
  return {
    data,
    has_more: start + limit < models.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

function modelBody(model: ModelSpec) {
  return {
    type: "model",
    id: model.id,
    display_name: model.displayName,
    created_at: new Date(model.created * 1_000).toISOString().replace(".000Z", "Z"),
    max_input_tokens: model.contextLength,
    max_tokens: model.maxOutput,
  };
}
