import { findModel } from "../../catalog/lookup.ts";
import { GatewayError } from "../../core/errors.ts";
import { redact } from "../../lib/redact.ts";
import { specOf } from "./served-by.ts";

/** The error for a model that nobody serves. */
export function modelNotFound(id: string): GatewayError {
  const spec = specOf(id);
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
  const known = findModel(id) !== undefined;
  return new GatewayError(
    "model_not_found",
    known
      ? `No connected provider serves the model "${id}". Connect one on the Providers page, or choose a model from GET /v1/models.`
      : `The model "${redact(id.slice(0, 200))}" does not exist here. GET /v1/models lists the models that your key can use.`,
    { param: "model" },
  );
}

/** The error for a name of the owner's own whose model nobody serves now. */
export function unservedAlias(name: string, model: string): GatewayError {
  return new GatewayError(
    "model_not_found",
    `"${name}" stands for the model "${redact(model)}", which no connected provider serves now. Connect one, or let the name stand for another model on the Models page.`,
    { param: "model" },
  );
}
