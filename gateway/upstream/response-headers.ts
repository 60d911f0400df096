import type { IncomingHttpHeaders } from "node:http";
import type { KnownSecrets } from "../lib/known-secrets.ts";

/** Only the headers that hold one are rewritten. */
export function withoutSecrets(headers: ResponseHeaders, secrets: KnownSecrets): ResponseHeaders {
  let clean = headers;
  for (const name in headers) {
    const value = headers[name] ?? "";
    const shown = secrets.cleanText(value);
    if (shown !== value) clean = { ...clean, [name]: shown };
  }
  return clean;
}

/** The headers of a response: lower-case names, one value each. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/**
 * Normalizes a provider's headers. Proxies send some twice, which undici returns as lists despite its types: the first
 * one is used, as in Node's own client; content codings are merged without duplicates.
 */
export function writePlainHeaders(headers: IncomingHttpHeaders): ResponseHeaders {
  for (const name in headers) if (typeof headers[name] !== "string") return single(headers);
  // Nearly always so: nothing to copy.
  return headers as ResponseHeaders;
}

function single(headers: IncomingHttpHeaders): ResponseHeaders {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === "string") plain[name] = value;
    else if (value !== undefined)
      plain[name] = name === "content-encoding" ? [...new Set(value)].join() : (value[0] ?? "");
  }
  return plain;
}
