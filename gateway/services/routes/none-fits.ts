import type { PassedModel } from "../../contract/routed.ts";
import { GatewayError } from "../../core/errors.ts";
import { listPending } from "../models/unserved.ts";

const IN_WORDS: Readonly<Record<PassedModel["reason"], string>> = {
  capability: "not for this endpoint",
  context: "the prompt is longer than its context",
  pictures: "does not see pictures",
  files: "does not take files",
  tools: "has no tools",
  json_schema: "has no JSON schema",
  web_search: "does not search the web",
  output: "its longest response is shorter than asked for",
  price: "costs more than the key has left",
  not_allowed: "the key may not use it",
  not_served: "no connected provider serves it",
  no_credit: "its provider says that the credit is used up",
  unavailable: "its provider fails",
  failed: "failed",
};

/**
 * Creates the error if no model of a route can take a request; it lists the reason per model.
 * @param passed all of the chain @param awaited connections whose first list may still add unserved models
 */
export function createNoModelError(
  route: string,
  passed: readonly PassedModel[],
  awaited: readonly string[] = [],
): GatewayError {
  if (awaited.length > 0 && passed.some(({ reason }) => reason === "not_served"))
    return listPending(`Not all models of the route "${route}" are known so far`, awaited);
  const why = passed.map(({ model, reason }) => `${model} (${IN_WORDS[reason]})`).join(", ");
  const every = (...those: readonly PassedModel["reason"][]): boolean =>
    passed.every(({ reason }) => those.includes(reason));
  const code = every("not_allowed")
    ? "model_not_allowed"
    : every("not_allowed", "not_served")
      ? "model_not_found"
      : "unsupported_value";
  return new GatewayError(
    code,
    `None of the models of the route "${route}" can take this request: ${why}. Change the route on the Routes page, or connect a provider.`,
    { param: "model" },
  );
}
