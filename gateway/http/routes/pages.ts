import { GatewayError } from "../../core/errors.ts";
import type { Asset } from "../../store/assets.ts";
import { requireReading } from "../method-not-allowed.ts";
import type { Context } from "../state.ts";

/** No inline code or style, nothing from elsewhere, in no frame. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(self), geolocation=()",
};

const YEAR_SECONDS = 31_536_000;

/**
 * Serves the built pages from memory: a request is a lookup by exact name, never a disk path.
 * @param pages null without a build.
 */
export function createPagesRoute(pages: () => Promise<ReadonlyMap<string, Asset> | null>) {
  return async function servePages(context: Context): Promise<void> {
    // Clients probe the address with HEAD before their first call (docs/clients.md#all-of-them).
    if (context.path === "/" && context.method === "HEAD") {
      context.status = 200;
      return;
    }
    const name = context.path === "/" ? "index.html" : context.path.slice(1);
    const assets = await pages();
    const asset = assets?.get(name);
    if (asset !== undefined || context.path === "/") requireReading(context);
    if (asset === undefined) throw notThere(context.path, assets === null);
    context.set(SECURITY_HEADERS);
    context.set("content-type", asset.type);
    context.set("etag", asset.etag);
    // Built files have a hash in their names; the page itself is revalidated each time.
    context.set(
      "cache-control",
      name.startsWith("assets/") ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache",
    );
    context.status = 200;
    if (context.fresh) context.status = 304;
    else context.body = asset.body;
  };
}

function notThere(path: string, unbuilt: boolean): GatewayError {
  if (path === "/" && unbuilt) {
    return new GatewayError(
      "not_found",
      "The pages are not built. Run `npm run build`, or `npm start`, which builds them.",
    );
  }
  return new GatewayError("unknown_url", `There is nothing at ${path.slice(0, 200)}. The API is below /v1.`);
}
