/** The bare origin (and the path of a proxy in front of it): its version segments that people paste with it are cut off. */
export function normalizeBaseUrl(url: URL): string {
  const path = url.pathname
    .replace(/\/{2,}/g, "/")
    .replace(/\/+$/, "")
    .replace(/\/v1(beta|alpha)?(\/|$).*$/, "");
  return `${url.origin}${path}`;
}
