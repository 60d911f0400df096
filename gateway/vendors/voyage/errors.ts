import { readError } from "../openai-compatible/errors.ts";
import type { ErrorsAdapter } from "../vendor.ts";

export const errors: ErrorsAdapter = { fromResponse: readError };
