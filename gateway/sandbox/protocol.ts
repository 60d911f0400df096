import type { IncomingHttpHeaders } from "node:http";
import type { ProviderId } from "../contract/connection.ts";
import type { Route } from "./exchange.ts";
import type { Failure } from "./failure.ts";

/** One provider's protocol, as the sandbox speaks it below `/PROVIDER`. */
export interface Protocol {
  readonly provider: ProviderId;
  /** Paths without the `/PROVIDER` in front. */
  readonly routes: readonly Route[];
  /** The key that a request gives; undefined when it gives none. */
  keyOf(headers: IncomingHttpHeaders): string | undefined;
  /** An error in the provider's envelope, as JSON. */
  failureBody(failure: Failure): string;
}

/** `Authorization: Bearer …`, as most providers take it. */
export function bearerKey(headers: IncomingHttpHeaders): string | undefined {
  return headers.authorization?.replace(/^Bearer /, "");
}

/** `x-goog-api-key`, as Google's native protocol has it; `Authorization` in its layer for OpenAI clients. */
export function googleKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["x-goog-api-key"];
  return typeof key === "string" ? key : bearerKey(headers);
}
