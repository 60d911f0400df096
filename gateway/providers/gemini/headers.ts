/** Headers of a native request: the key is `x-goog-api-key` there (docs/providers/gemini.md). */
export function googleHeaders(secret: string | null): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "identity",
    ...(secret === null ? {} : { "x-goog-api-key": secret }),
  };
}
