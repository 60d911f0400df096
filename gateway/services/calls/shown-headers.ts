import type { Opened } from "./attempts.ts";

/** Provider headers that a client may see (docs/providers/README.md#headers: by allow-list). */
const SHOWN = ["openai-processing-ms", "x-ratelimit-remaining-requests", "x-ratelimit-remaining-tokens"] as const;
/** Anthropic's, by which its clients pace themselves. */
const SHOWN_PREFIX = "anthropic-ratelimit-";

/** Headers of our response that come from the provider. @param more of our own, to which they are added */
export function shownHeaders(
  { exchange, candidate }: Opened,
  more: Readonly<Record<string, string>> = NO_MORE,
): Record<string, string> {
  const headers = { ...more };
  for (const name of SHOWN) {
    const value = exchange.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  if (candidate.connection.provider.messages === null) return headers;
  for (const name in exchange.headers) {
    const value = exchange.headers[name];
    if (value !== undefined && name.startsWith(SHOWN_PREFIX)) headers[name] = value;
  }
  return headers;
}

const NO_MORE: Readonly<Record<string, string>> = {};
