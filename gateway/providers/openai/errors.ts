import { readError } from "../openai-compatible/errors.ts";
import type { ErrorsAdapter } from "../provider.ts";

/**
 * OpenAI's own errors (docs/providers/openai.md#errors). A 403 with `model_not_found` is an organisation that is not
 * verified for the model: the key is fine, the model is not there for it.
 */
export const errors: ErrorsAdapter = {
  fromResponse: (status, headers, body) => {
    const error = readError(status, headers, body);
    return status === 403 && error.code === "model_not_found"
      ? { ...error, kind: "model_not_found", status: 404 }
      : error;
  },
};
