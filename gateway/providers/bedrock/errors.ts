import { isRecord } from "../../lib/records.ts";
import { errors as anthropics } from "../anthropic/errors.ts";
import { readError } from "../openai-compatible/errors.ts";
import type { ErrorsAdapter } from "../provider.ts";

/** A model at another surface than its own, or not in this region (docs/providers/bedrock.md#models). */
const NO_SUCH_MODEL = /isn't supported on this route|does not support the '[^']*' API|not available for this account/i;

/** Anthropic's envelope for Claude, OpenAI's for all others, and AWS's `{message}` from before either. */
export const errors: ErrorsAdapter = {
  fromResponse: (status, headers, body) => {
    const isAnthropics = isRecord(body) && body["type"] === "error";
    const error = isAnthropics ? anthropics.fromResponse(status, headers, body) : readError(status, headers, body);
    return NO_SUCH_MODEL.test(error.message) ? { ...error, kind: "model_not_found", status: 404 } : error;
  },
};
