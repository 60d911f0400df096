import { GatewayError } from "../../core/errors.ts";
import type { AppSettings } from "../../services/settings.ts";
import { isAllowedOrigin, isServedHost } from "../address.ts";
import type { Address } from "../address.ts";
import type { Check, Context } from "../state.ts";

/** Response headers that scripts of an allowed origin may read; older WebKit does not support `*`. */
const EXPOSED =
  "*, content-disposition, mcp-protocol-version, mcp-session-id, request-id, retry-after, x-postern-dropped-tools, " +
  "x-postern-provider, x-ratelimit-remaining-requests, x-ratelimit-remaining-tokens, x-request-id, x-should-retry";

/**
 * Keeps web pages out (DNS rebinding, cross-site requests): on every route, before anything of the body is read. Works
 * on the raw headers, because parsed ones hide a second Host and Koa's `hostname` can be fooled (CVE-2026-27959).
 */
export function hostOrigin(address: () => Address, settings: Pick<AppSettings, "get">): Check {
  return function checkHostAndOrigin(context: Context): void {
    const { rawHeaders, url } = context.req;
    const { hosts, origins, port } = address();
    const isOwn = context.state.area === "own" && !(context.path === "/" && context.method === "HEAD");
    let host: string | null = null;
    let hostCount = 0;
    let foreign: string | null = null;
    let originCount = 0;
    let isForeign = false;
    let credentials = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? "";
      if (name.length === 4 && name.toLowerCase() === "host") {
        hostCount += 1;
        host = rawHeaders[index + 1] ?? "";
      } else if (name.length === 6 && name.toLowerCase() === "origin") {
        originCount += 1;
        const origin = rawHeaders[index + 1] ?? "";
        if (!origins.has(origin.toLowerCase())) foreign = origin;
      } else if (name.length === 14 && name.toLowerCase() === "sec-fetch-site") {
        if (isForeignSite(context, rawHeaders[index + 1] ?? "")) isForeign = true;
      } else if (name.length === 13 && name.toLowerCase() === "authorization") {
        credentials += 1;
      }
    }
    if (hostCount !== 1 || host === null || url === undefined || url[0] !== "/") throw wrongHost("", isOwn);
    const name = host.toLowerCase();
    if (!hosts.has(name) && (isOwn || !isServedHost(name, port, settings.get("allowed_hosts"))))
      throw wrongHost(host, isOwn);
    if (foreign !== null) {
      const isAllowed = !isOwn && originCount === 1 && isAllowedOrigin(foreign, settings.get("allowed_origins"));
      if (!isAllowed) throw foreignOrigin(foreign, isOwn);
      context.state.isCrossOrigin = true;
      context.res.tell("access-control-allow-origin", foreign);
      context.res.tell("access-control-expose-headers", EXPOSED);
      context.res.tell("vary", "Origin");
    } else if (isForeign) {
      throw foreignOrigin("another site", isOwn);
    } else if (!isOwn && context.method === "GET" && settings.get("allowed_origins").length > 0) {
      // A cache must not give this response to a page, which needs the headers above.
      context.res.tell("vary", "Origin");
    }
    if (credentials > 1) throw twoKeys();
  };
}

/**
 * Browsers state the origin of a request. Another site may only navigate to the pages: an embedded image or a no-cors
 * fetch has no Origin, but has this header.
 */
function isForeignSite(context: Context, site: string): boolean {
  if (site === "same-origin" || site === "none") return false;
  return !(context.method === "GET" && context.req.headers["sec-fetch-mode"] === "navigate" && context.path === "/");
}

function twoKeys(): GatewayError {
  return new GatewayError("conflicting_credentials", "Authorization was sent more than once. Send it once.");
}

function wrongHost(host: string, isOwn: boolean): GatewayError {
  const name = host.slice(0, 100) || "that is missing, doubled or in the target";
  const way = isOwn ? AT_ITS_ADDRESS : explainAllowing("it", "hosts");
  return new GatewayError(
    "forbidden_host",
    `The host name ${name} is not one of this Postern${isOwn ? "'s pages" : ""}. ${way}`,
  );
}

function foreignOrigin(origin: string, isOwn: boolean): GatewayError {
  const way = isOwn ? AT_ITS_ADDRESS : explainAllowing("the origin", "origins");
  return new GatewayError("forbidden_origin", `Requests of ${origin.slice(0, 100) || "no origin"} are refused. ${way}`);
}

const AT_ITS_ADDRESS = "Open the pages at the address that Postern prints at its start; the API is below /v1.";

function explainAllowing(what: string, list: "hosts" | "origins"): string {
  return `If that is yours, allow ${what} in Settings, Network, by postern settings set --allowed-${list} or in POSTERN_ALLOWED_${list.toUpperCase()}.`;
}
