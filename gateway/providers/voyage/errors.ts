import { isRecord } from "../../lib/records.ts";
import { readError } from "../openai-compatible/errors.ts";
import type { ErrorsAdapter } from "../provider.ts";

/**
 * Reads `{detail:"…"}` (docs/providers/voyage.md). Its framework (FastAPI) returns a list of issues for fields of a
 * wrong type: the first becomes the message, with its path.
 */
export const errors: ErrorsAdapter = {
  fromResponse: (status, headers, body) => readError(status, headers, withText(body)),
};

function withText(body: unknown): unknown {
  if (!isRecord(body) || !Array.isArray(body["detail"])) return body;
  const first: unknown = body["detail"][0];
  if (!isRecord(first) || typeof first["msg"] !== "string") return body;
  const place = Array.isArray(first["loc"]) ? first["loc"].filter((part) => part !== "body").join(".") : "";
  return { detail: place === "" ? first["msg"] : `${place}: ${first["msg"]}` };
}
