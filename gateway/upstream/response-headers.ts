import type { IncomingHttpHeaders } from "node:http";

/** The headers of a response: lower-case names, one value each. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/**
 * A provider's headers as everybody reads them. Proxies send some of them twice, which undici tells as lists whatever its
 * types say: the first one counts, as in Node's own client; of codings each that is named, once.
 */
export function plainHeaders(headers: IncomingHttpHeaders): ResponseHeaders {
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
