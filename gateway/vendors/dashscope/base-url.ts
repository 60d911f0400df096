/** The bare origin (and the path of a proxy in front of it): the prefixes of its two dialects that people paste with it are cut off. */
export function normalizeBaseUrl(url: URL): string {
  const path = url.pathname
    .replace(/\/{2,}/g, "/")
    .replace(/\/+$/, "")
    .replace(/\/(compatible-mode|api)\/v1.*$/, "");
  return `${url.origin}${path}`;
}
