import { isRecord } from "../../lib/records.ts";
import type { ModerationsAdapter } from "../moderations.ts";
import { bearerHeaders } from "../wire-request.ts";

/** `POST /moderations` (docs/providers/openai.md#moderations), as OpenAI, Mistral and gateways have it. */
export const moderations: ModerationsAdapter = {
  toRequest: (body, secret) => ({ method: "POST", path: "/moderations", headers: bearerHeaders(secret), body }),
  isResponse: (body) => isRecord(body) && Array.isArray(body["results"]),
};
