import { requireReading } from "../method-not-allowed.ts";
import type { Context, Next } from "../state.ts";

/** Version of the interface: strangers do not learn the program's version (docs/specification.md#versioning). */
const INTERFACE_VERSION = "1.0.0";

/**
 * Path of the JSON schema of configuration files. It needs no key, because it contains nothing of the user's set-up.
 */
export const SCHEMA_PATH = "/config.schema.json";

interface Page {
  readonly type: string;
  readonly body: Buffer;
}

/**
 * `/openapi.json`, and `/openapi` as a page. Needs no key, as it contains nothing about this machine. Loaded on the
 * first request, because creating the schemas of all operations takes longer than the rest of a start.
 */
export function openApiRoute() {
  let made: Promise<Readonly<Record<string, Page>>> | null = null;
  return async function serveOpenApi(context: Context, next: Next): Promise<void> {
    if (!context.path.startsWith("/openapi")) return next();
    made ??= makePages();
    const pages = await made;
    const page = Object.hasOwn(pages, context.path) ? pages[context.path] : undefined;
    if (page === undefined) return next();
    requireReading(context);
    if (page.type === "text/html")
      context.set("content-security-policy", "default-src 'none'; style-src 'self'; frame-ancestors 'none'");
    context.type = page.type;
    context.body = page.body;
  };
}

/** Serialized once: clients that repeat the request without reading share the same bytes. */
async function makePages(): Promise<Readonly<Record<string, Page>>> {
  const [{ OPENAPI_STYLE, openApiPage }, { openApiDocument }] = await Promise.all([
    import("../openapi/page.ts"),
    import("../openapi/document.ts"),
  ]);
  const document = openApiDocument(INTERFACE_VERSION);
  return {
    "/openapi.json": { type: "application/json", body: Buffer.from(JSON.stringify(document)) },
    "/openapi.css": { type: "text/css", body: Buffer.from(OPENAPI_STYLE) },
    "/openapi": { type: "text/html", body: Buffer.from(openApiPage(document)) },
  };
}

/** The JSON schema of configuration files, for editors on this machine. Made with the first question. */
export function createConfigSchemaRoute() {
  let made: Promise<Buffer> | null = null;
  return async function serveConfigSchema(context: Context, next: Next): Promise<void> {
    if (context.path !== SCHEMA_PATH) return next();
    requireReading(context);
    made ??= import("../../services/setup/setup-schema.ts").then(({ setupJsonSchema }) =>
      Buffer.from(JSON.stringify(setupJsonSchema())),
    );
    context.type = "application/json";
    context.body = await made;
  };
}

/** `GET /health`: only liveness; strangers see no version, name or path. */
export function createHealth(context: Context, next: Next): Promise<void> | void {
  if (context.path !== "/health") return next();
  requireReading(context);
  context.set("cache-control", "no-store");
  context.body = { status: "ok" };
}
