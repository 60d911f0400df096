import { OPENAPI_STYLE, openApiPage } from "../openapi/page.ts";
import { openApiDocument } from "../openapi/document.ts";
import type { OpenApiObject } from "../openapi/document.ts";
import type { Context, Next } from "../state.ts";

/** Of the interface, not of the program: strangers learn no version of ours (specification, "Versioning"). */
const INTERFACE_VERSION = "1.0.0";

/** `/openapi.json`, and `/openapi` for people. Without a key: it says nothing about this machine. */
export function openApiRoute() {
  let document: OpenApiObject | null = null;
  return function serveOpenApi(context: Context, next: Next): Promise<void> | void {
    if (!context.path.startsWith("/openapi") || (context.method !== "GET" && context.method !== "HEAD")) return next();
    document ??= openApiDocument(INTERFACE_VERSION);
    context.set("x-content-type-options", "nosniff");
    switch (context.path) {
      case "/openapi.json":
        context.body = document;
        return;
      case "/openapi.css":
        context.type = "text/css";
        context.body = OPENAPI_STYLE;
        return;
      case "/openapi":
        context.set("content-security-policy", "default-src 'none'; style-src 'self'; frame-ancestors 'none'");
        context.type = "text/html";
        context.body = openApiPage(document);
        return;
      default:
        return next();
    }
  };
}
