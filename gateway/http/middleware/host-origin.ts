import { GatewayError } from "../../core/errors.ts";
import type { Check, Context } from "../state.ts";

/** The names under which this server may be addressed, lower case, with port; known once it listens. */
export interface Address {
  readonly hosts: ReadonlySet<string>;
  /** The same as origins: `http://…`. */
  readonly origins: ReadonlySet<string>;
}

/**
 * Keeps web pages out (DNS rebinding, cross-site requests): on every route, before anything of the body is read. Works
 * on the raw headers, because parsed ones hide a second Host and Koa's `hostname` can be fooled (CVE-2026-27959).
 */
export function hostOrigin(address: () => Address): Check {
  return function checkHostAndOrigin(context: Context): void {
    const { rawHeaders, url } = context.req;
    const { hosts, origins } = address();
    let host: string | null = null;
    let hostCount = 0;
    let credentials = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? "";
      if (name.length === 4 && name.toLowerCase() === "host") {
        hostCount += 1;
        host = rawHeaders[index + 1] ?? "";
      } else if (name.length === 6 && name.toLowerCase() === "origin") {
        if (!origins.has((rawHeaders[index + 1] ?? "").toLowerCase())) throw foreignOrigin();
      } else if (name.length === 14 && name.toLowerCase() === "sec-fetch-site") {
        if (isForeignSite(context, rawHeaders[index + 1] ?? "")) throw foreignOrigin();
      } else if (name.length === 13 && name.toLowerCase() === "authorization") {
        credentials += 1;
      }
    }
    if (hostCount !== 1 || host === null || !hosts.has(host.toLowerCase())) throw wrongHost();
    if (url === undefined || url[0] !== "/") throw wrongHost();
    if (credentials > 1) throw twoKeys();
  };
}

/**
 * A browser says where a request comes from. Another site may link to the pages (a navigation), nothing else: an
 * embedded image or a no-cors fetch carries no Origin, but it carries this.
 */
function isForeignSite(context: Context, site: string): boolean {
  if (site === "same-origin" || site === "none") return false;
  return !(context.method === "GET" && context.req.headers["sec-fetch-mode"] === "navigate" && context.path === "/");
}

function twoKeys(): GatewayError {
  return new GatewayError("conflicting_credentials", "Authorization was sent more than once. Send it once.");
}

function wrongHost(): GatewayError {
  return new GatewayError(
    "forbidden_host",
    "This address is not served here. Use the base URL that Postern prints at its start.",
  );
}

function foreignOrigin(): GatewayError {
  return new GatewayError(
    "forbidden_origin",
    "Requests from web pages of other sites are refused. Call Postern from a program on this machine.",
  );
}
