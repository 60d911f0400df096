/** The path of a base URL as it was pasted, without doubled slashes and without one at its end. */
export function getBasePath(url: URL): string {
  return url.pathname.replace(/\/{2,}/g, "/").replace(/(?<!\/)\/+$/, "");
}

/** The path in front of every operation, also of a whole endpoint. */
export const cutOperation = (path: string): string =>
  path.replace(/(?<!\/)\/+$/, "").replace(/\/(chat\/completions|completions|models|embeddings|responses)$/, "");
