import { buildBearerHeaders } from "../wire-request.ts";

/**
 * Headers of a request to a native endpoint. `accept` names event streams only where one is wanted: these endpoints may
 * take it for a wish, as their own SDK sends it with the header that is one
 * (docs/providers/dashscope.md#hosts-and-headers).
 */
export function buildNativeHeaders(secret: string | null, events: boolean): Readonly<Record<string, string>> {
  const headers = { ...buildBearerHeaders(secret), accept: events ? "text/event-stream" : "application/json" };
  return events ? { ...headers, "x-dashscope-sse": "enable" } : headers;
}
