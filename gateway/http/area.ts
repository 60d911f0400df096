/**
 * What of Postern an address asks for. `v1` and `mcp`: what local keys protect. `shared`: what is for everybody, or what
 * signed links and the key of the metrics protect. `own`: all else, the pages and the control API among it, which is for this machine.
 */
export type Area = "v1" | "mcp" | "shared" | "own";

/** For every router: an address in another spelling (`/V1`) is another one, at which there is nothing. */
export const TO_THE_LETTER = { sensitive: true, strict: true } as const;

/** For Prometheus. */
export const METRICS_PATH = "/metrics";

/** Whether it lives, its interface, its metrics, and results of the library. */
const SHARED = /^\/(?:health|metrics|openapi|openapi\.json|openapi\.css|media\/(?!export\/).*)$/;

/** Guides of Python clients write the second (langchain-ai/langchain-mcp-adapters#206, open-webui/mcpo#209, read 2026-11-28). */
export const MCP_PATHS = ["/mcp", "/mcp/"];

/** The one place that tells addresses apart, before any decision is made by them. */
export function areaOf(given: string): Area {
  const path = correctPath(given);
  if (path.startsWith("/v1/") || path === "/v1") return "v1";
  if (path === "/mcp") return "mcp";
  return SHARED.test(path) ? "shared" : "own";
}

/** The address that is meant by one with a slash at its end, doubled slashes or `/v1` twice, as base URLs make them. */
export function correctPath(path: string): string {
  const single = path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
  const open = single.endsWith("/") && single.length > 1 ? single.slice(0, -1) : single;
  return open.startsWith("/v1/v1/") ? open.replace(/^(\/v1)+/, "/v1") : open;
}
