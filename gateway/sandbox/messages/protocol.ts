import type { IncomingHttpHeaders } from "node:http";
import type { ModelSpec } from "../../core/models/model.ts";
import { bearerKey, type Protocol } from "../protocol.ts";
import { anthropicFailureBody } from "./failure.ts";
import { anthropicModelRoutes } from "./models.ts";
import { messagesRoutes } from "./routes.ts";

/** Anthropic's own protocol (docs/providers/anthropic.md). */
export function anthropicProtocol(models: () => readonly ModelSpec[]): Protocol {
  return {
    provider: "anthropic",
    keyOf,
    routes: [...anthropicModelRoutes(models), ...messagesRoutes(models)],
    failureBody: anthropicFailureBody,
  };
}

/** `x-api-key`, or a bearer. */
function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["x-api-key"];
  return typeof key === "string" ? key : bearerKey(headers);
}
