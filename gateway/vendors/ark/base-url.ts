/** Ends with `/api/v3`, once, whatever of it was pasted. */
export function normalizeBaseUrl(url: URL): string {
  const path = url.pathname
    .replace(/\/{2,}/g, "/")
    .replace(/\/+$/, "")
    .replace(/(\/api)?\/v3(\/.*)?$|\/api$/, "");
  return `${url.origin}${path}/api/v3`;
}
