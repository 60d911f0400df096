import type { Capability, ModelSpec } from "../core/models/model.ts";
import { sendJson, type Route } from "./exchange.ts";
import { Failure, modelNotFound } from "./failure.ts";

/**
 * `GET …/models` and `GET …/models/{id}` below `base`, in OpenAI's shape (docs/providers/openai.md#models).
 * @param served what the protocol has routes for: models that can do none of it are not listed.
 */
export function modelRoutes(base: string, models: () => readonly ModelSpec[], served: readonly Capability[]): Route[] {
  const isServed = (model: ModelSpec): boolean => canAny(model, served);
  return [
    {
      method: "GET",
      path: `${base}/models`,
      handle: (exchange) => {
        const data = models().filter(isServed).map(modelBody);
        sendJson(exchange.response, 200, JSON.stringify({ object: "list", data }));
      },
    },
    {
      method: "GET",
      path: new RegExp(`^${base}/models/.+$`),
      handle: (exchange) => {
        const model = findModel(models(), decoded(exchange.path.slice(`${base}/models/`.length)));
        if (!isServed(model)) throw modelNotFound(model.id);
        sendJson(exchange.response, 200, JSON.stringify(modelBody(model)));
      },
    },
  ];
}

/**
 * The model with this id, provider's id or alias.
 * @throws Failure (404) in OpenAI's words
 */
export function findModel(models: readonly ModelSpec[], id: string): ModelSpec {
  const found =
    models.find((model) => model.id === id || model.upstreamId === id) ??
    models.find((model) => model.aliases.includes(id));
  if (!found) throw modelNotFound(id.slice(0, 200));
  return found;
}

/** Whether the model can do any of these. */
export function canAny(model: ModelSpec, capabilities: readonly Capability[]): boolean {
  return model.capabilities.some((capability) => capabilities.includes(capability));
}

function modelBody(model: ModelSpec): object {
  return { id: model.id, object: "model", created: model.created, owned_by: model.owner };
}

/** @throws Failure (400) for what is no percent-encoding */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Failure(400, "The model id in the path is not valid percent-encoding.", { param: "model" });
  }
}
