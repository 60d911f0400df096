import { withTextField } from "../lib/json-splice.ts";
import type { DialectCall } from "./vendor.ts";

/**
 * The body for a vendor that is asked in its client's own dialect: the client's bytes, with only the model's id put in
 * the place of another name for it; a new text where the call was translated or changed by rules.
 */
export function renamedBody({ raw, body, changed, upstreamModel }: DialectCall): Buffer | string {
  if (raw !== null && !changed) {
    if (body["model"] === upstreamModel) return raw;
    const renamed = withTextField(raw, "model", upstreamModel);
    if (renamed !== null) return renamed;
  }
  return JSON.stringify({ ...body, model: upstreamModel });
}
