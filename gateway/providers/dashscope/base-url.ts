import { basePath } from "../base-path.ts";

/**
 * The bare origin, whatever the region or workspace is, and the path of a proxy in front of it: the prefixes of its two
 * dialects, `/compatible-mode/v1` and `/api/v1`, that people paste with it are cut off.
 */
export function normalizeBaseUrl(url: URL): string {
  const path = basePath(url).replace(/(\/(compatible-mode|api))?\/v1(\/.*)?$|\/(compatible-mode|api)$/, "");
  return `${url.origin}${path}`;
}
