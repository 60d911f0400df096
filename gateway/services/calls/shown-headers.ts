import type { Opened } from "./attempts.ts";

/** Provider headers that a client may see (docs/providers/README.md#headers: by allow-list). */
const SHOWN = ["openai-processing-ms", "x-ratelimit-remaining-requests", "x-ratelimit-remaining-tokens"] as const;
/** Anthropic's, by which its clients pace themselves. */
const SHOWN_PREFIX = "anthropic-ratelimit-";

/** Headers of our answer that come from the provider. */
export function shownHeaders({ exchange, candidate }: Opened): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of SHOWN) {
    const value = exchange.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  if (candidate.connection.provider.messages === null) return headers;
  for (const [name, value] of Object.entries(exchange.headers)) {
    if (name.startsWith(SHOWN_PREFIX)) headers[name] = value;
  }
  return headers;
}
