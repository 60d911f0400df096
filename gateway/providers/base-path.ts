/** Returns the path of a pasted base URL, without duplicate or trailing slashes. */
export function getBasePath(url: URL): string {
  return url.pathname.replace(/\/{2,}/g, "/").replace(/(?<!\/)\/+$/, "");
}

/** Returns the path before the operation, also of a full endpoint URL. */
export const cutOperation = (path: string): string =>
  path.replace(/(?<!\/)\/+$/, "").replace(/\/(chat\/completions|completions|models|embeddings|responses)$/, "");
