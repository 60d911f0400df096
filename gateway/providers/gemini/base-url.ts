import { basePath } from "../base-path.ts";

/** The bare origin (and the path of a proxy in front of it): the version segment that people paste with it is cut off. */
export function normalizeBaseUrl(url: URL): string {
  const path = basePath(url).replace(/\/v1(beta|alpha)?(\/|$).*$/, "");
  return `${url.origin}${path}`;
}
