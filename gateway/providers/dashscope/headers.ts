import { buildBearerHeaders } from "../wire-request.ts";

/**
 * Headers of a request to a native endpoint. `accept` includes event streams only if one is wanted: these endpoints may
 * read it as a request for streaming, as their own SDK sends it along with the streaming header
 * (docs/providers/dashscope.md#hosts-and-headers).
 */
export function buildNativeHeaders(secret: string | null, events: boolean): Readonly<Record<string, string>> {
  const headers = { ...buildBearerHeaders(secret), accept: events ? "text/event-stream" : "application/json" };
  return events ? { ...headers, "x-dashscope-sse": "enable" } : headers;
}
