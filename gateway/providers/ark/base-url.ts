import { basePath } from "../base-path.ts";

/** Ends with `/api/v3`, once, whatever of it was pasted. */
export function normalizeBaseUrl(url: URL): string {
  const path = basePath(url).replace(/(\/api)?\/v3(\/.*)?$|\/api$/, "");
  return `${url.origin}${path}/api/v3`;
}
