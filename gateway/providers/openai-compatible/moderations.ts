import { isRecord } from "../../lib/records.ts";
import type { ModerationsAdapter } from "../moderations.ts";
import { buildBearerHeaders } from "../wire-request.ts";

/** `POST /moderations` (docs/providers/openai.md#moderations), as OpenAI, Mistral and gateways have it. */
export const moderations: ModerationsAdapter = {
  toRequest: (body, secret) => ({ method: "POST", path: "/moderations", headers: buildBearerHeaders(secret), body }),
  isResponse: (body) => isRecord(body) && Array.isArray(body["results"]),
};
