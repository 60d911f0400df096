import { findEnding } from "../../catalog/endings.ts";
import { findModel } from "../../catalog/lookup.ts";
import { GatewayError } from "../../core/errors.ts";
import { findNearName } from "../../core/models/near-name.ts";
import { redact } from "../../lib/redact.ts";
import type { Discovery } from "./discovery.ts";
import type { ModelIndex } from "./model-index.ts";
import { getSpec } from "./served-by.ts";

/** Seconds after which a list that is late may be there. */
const RETRY_AFTER = 5;

/**
 * Creates the error for a model that no connection serves, according to the loaded lists.
 * @param listNames the names that the key may use, of which a similar one is suggested
 */
export function createUnservedError(
  id: string,
  index: Pick<ModelIndex, "find" | "getTarget">,
  discovery: Pick<Discovery, "awaited">,
  listNames: () => readonly string[],
): GatewayError {
  const { awaited } = discovery;
  if (awaited.length > 0 && index.find(id) === undefined)
    return listPending(`No list has the model "${redact(id.slice(0, 200))}" so far`, awaited);
  const target = index.getTarget(id);
  return target === undefined ? createModelNotFound(id, listNames) : unservedAlias(id, target);
}

/** @param so the unknown fact, as the start of a sentence @param awaited connections that may have it, at least one */
export function listPending(so: string, awaited: readonly string[]): GatewayError {
  const lists =
    awaited.length === 1 ? `the first list of ${awaited[0]} is` : `the first lists of ${awaited.join(", ")} are`;
  const message = `${so}, and ${lists} still being fetched. Send the request again in a few seconds.`;
  return new GatewayError("model_list_pending", message, { param: "model", retryAfter: RETRY_AFTER });
}

/** Creates the error for an unknown model. @param listNames names that may be suggested instead */
export function createModelNotFound(id: string, listNames: () => readonly string[] = () => []): GatewayError {
  const spec = getSpec(id);
  if (spec?.retired !== undefined) {
    const { on, successor } = spec.retired;
    const vectors = spec.capabilities.includes("embedding")
      ? "; vectors of the two do not compare, so embed earlier texts anew"
      : "";
    return new GatewayError(
      "model_not_found",
      `No connected provider serves the model "${redact(id.slice(0, 200))}", which its owner shut down on ${on}. Use its successor "${successor}" instead${vectors}.`,
      { param: "model" },
    );
  }
  const ending = spec === undefined ? null : findEnding(spec);
  if (ending !== null) {
    const instead = ending.successor === null ? "another model" : `"${ending.successor}"`;
    return new GatewayError(
      "model_not_found",
      `No connected provider serves the model "${redact(id.slice(0, 200))}", whose owner set its end for ${ending.on}. Use ${instead} instead, or connect a provider that still has it on the Providers page.`,
      { param: "model" },
    );
  }
  const known = findModel(id) !== undefined;
  const near = known ? null : findNearName(id, listNames());
  const question = near === null ? "" : ` Did you mean "${near}"?`;
  return new GatewayError(
    "model_not_found",
    known
      ? `No connected provider serves the model "${id}". Connect one on the Providers page, or choose a model from GET /v1/models.`
      : `The model "${redact(id.slice(0, 200))}" does not exist here.${question} GET /v1/models lists the models that your key can use.`,
    { param: "model" },
  );
}

/** Creates the error for an alias whose model is not served now. */
function unservedAlias(name: string, model: string): GatewayError {
  return new GatewayError(
    "model_not_found",
    `"${name}" stands for the model "${redact(model)}", which no connected provider serves now. Connect one, or let the name stand for another model on the Models page.`,
    { param: "model" },
  );
}
