import type { Context, Next } from "../state.ts";

const ASKED = ["method", "headers", "private-network"].map((name) => `access-control-request-${name}`);

/** Header names, as requested by a browser. */
const NAMES = /^[\w!#$%&'*+.^`|~, \t-]*$/;

/**
 * Browsers send a preflight, without the key, before a cross-origin request. Older Chromium versions also ask for
 * private networks (github.com/expressjs/cors/pull/308); newer ones ask their user instead
 * (github.com/WICG/local-network-access, read 2026-11-28).
 */
export function respondToPreflight(context: Context, next: Next): Promise<void> | void {
  const { headers } = context.req;
  const isPreflight = headers["access-control-request-method"] !== undefined && context.method === "OPTIONS";
  if (!context.state.isCrossOrigin || !isPreflight) return next();
  const names = headers["access-control-request-headers"] ?? "";
  context.respond = false;
  context.res.tell("vary", ["Origin", ...ASKED].join(", "));
  context.res.writeHead(204, {
    "access-control-allow-methods": "GET, HEAD, POST, DELETE, OPTIONS",
    ...(names !== "" && NAMES.test(names) && { "access-control-allow-headers": names }),
    ...(headers["access-control-request-private-network"] && { "access-control-allow-private-network": "true" }),
    // Chromium's maximum is two hours.
    "access-control-max-age": "7200",
  });
  context.res.end();
}
