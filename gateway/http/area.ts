/**
 * What of Postern an address asks for. `v1` and `mcp`: what local keys protect. `shared`: what is for everybody, or what
 * signed links and the key of the metrics protect. `own`: all else, the pages and the control API among it, which is for this machine.
 */
export type Area = "v1" | "mcp" | "shared" | "own";

/** For every router: an address in another spelling (`/V1`, `/mcp/`) is another one, at which there is nothing. */
export const TO_THE_LETTER = { sensitive: true, strict: true } as const;

/** For Prometheus. */
export const METRICS_PATH = "/metrics";

/** Whether it lives, its interface, its metrics, and results of the library. */
const SHARED = /^\/(?:health|metrics|openapi|openapi\.json|openapi\.css|media\/(?!export\/).*)$/;

/** The one place that tells addresses apart, before any decision is made by them. */
export function areaOf(path: string): Area {
  if (path.startsWith("/v1/") || path === "/v1") return "v1";
  if (path === "/mcp") return "mcp";
  return SHARED.test(path) ? "shared" : "own";
}
