import { withMembers } from "../lib/json-splice.ts";
import type { DialectCall } from "./provider.ts";

/**
 * The body for a provider that is asked in its client's own dialect: the client's bytes, with the model's id put in the
 * place of another name for it, and what else has to change; a new text where the call was translated or changed by rules.
 */
export function renamedBody(
  { raw, body, changed, upstreamModel }: DialectCall,
  changes: Readonly<Record<string, unknown>> = UNCHANGED,
): Buffer | string {
  const wanted = body["model"] === upstreamModel ? changes : { ...changes, model: upstreamModel };
  if (raw === null || changed) return JSON.stringify({ ...body, ...wanted });
  for (const _ in wanted) return withMembers(raw, body, wanted);
  return raw;
}

const UNCHANGED = {};
