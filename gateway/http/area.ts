/**
 * Area of Postern that an address belongs to. `v1` (`/v1beta` and `/api` too) and `mcp` need a local key. `shared`: public, or
 * protected by signed links and the key of the metrics. `own`: everything else, including pages and the control API,
 * which is for this machine only.
 */
export type Area = "v1" | "mcp" | "shared" | "own";

/** Options of every router: an address in another spelling (`/V1`) is a different one and is not found. */
export const TO_THE_LETTER = { sensitive: true, strict: true } as const;

/** Path of the metrics for Prometheus. */
export const METRICS_PATH = "/metrics";

/** Whether it lives, its interface, its metrics, and results of the library. */
const SHARED = /^\/(?:health|metrics|openapi|openapi\.json|openapi\.css|media\/(?!export\/).*)$/;

/** Guides of Python clients write the second (langchain-ai/langchain-mcp-adapters#206, open-webui/mcpo#209, read 2026-11-28). */
export const MCP_PATHS = ["/mcp", "/mcp/"];

/** The only place that classifies paths, before any decision is based on them. */
export function getArea(given: string): Area {
  const path = correctPath(given);
  if (path.startsWith("/v1/") || path === "/v1" || isGooglePath(path) || isOllamaPath(path)) return "v1";
  if (path === "/mcp") return "mcp";
  return SHARED.test(path) ? "shared" : "own";
}

/** Whether an address is one of Google's dialect. */
export const isGooglePath = (path: string): boolean => path.startsWith("/v1beta/") || path === "/v1beta";

/** Whether an address is one of Ollama's API. */
export const isOllamaPath = (path: string): boolean => path.startsWith("/api/") || path === "/api";

const WITH_KEY = /^\/(sk-[^/]+)(\/.*)?$/;

/**
 * Splits a path that begins with a local key, for apps that only know Ollama and have no field for a key. The base URL
 * itself becomes `/api`; below a key are only `/api` and `/v1`.
 * @returns null for a path without a key
 */
export function splitKeyOfPath(path: string): { readonly key: string; readonly path: string } | null {
  const [, key, rest = ""] = WITH_KEY.exec(path) ?? [];
  if (key === undefined) return null;
  const isServed = isOllamaPath(rest) || rest.startsWith("/v1/");
  return { key, path: isServed ? rest : `/api${rest === "/" ? "" : rest}` };
}

/** Normalizes a path: no slash at the end, no doubled slashes, and one version where a base URL repeats it. */
export function correctPath(path: string): string {
  const single = path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
  const open = single.endsWith("/") && single.length > 1 ? single.slice(0, -1) : single;
  // Programs append a version to base URLs that end with one.
  if (!open.startsWith("/v1/v1") && !open.startsWith("/v1beta/v1")) return open;
  const doubled = /^(?:\/v1(?:beta)?)+(\/v1(?:beta)?\/.*)$/.exec(open);
  return doubled?.[1] ?? open;
}
