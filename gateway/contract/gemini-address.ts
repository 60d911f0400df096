/**
 * Paths of Google's dialect, which contain the model and the operation. Google's Python SDK uses `/v1`, the others
 * `/v1beta` (google-genai 3.6.1 of PyPI, 3.3.0 of npm, 2026-11-29). Ids may contain slashes and colons.
 */
const OPERATION = /^\/v1(?:beta)?\/models\/(.+):([A-Za-z]+)(?:\?alt=sse)?$/;

/** The model and the operation of an address; null for any other address. */
export function readGeminiAddress(path: string): { readonly model: string; readonly operation: string } | null {
  const [, encoded, operation] = OPERATION.exec(path) ?? [];
  return encoded === undefined || operation === undefined ? null : { model: decodeModelId(encoded), operation };
}

const OPERATIONS: ReadonlySet<string | undefined> = new Set([
  "generateContent",
  "streamGenerateContent",
  "countTokens",
  "embedContent",
  "batchEmbedContents",
]);

/** Tells whether a path is that of an operation served here. */
export const isGeminiOperation = (path: string): boolean => OPERATIONS.has(readGeminiAddress(path)?.operation);

/** The address of a conversation with a model. */
export function writeGeminiAddress(model: string, stream: boolean): string {
  return `/v1beta/models/${encodeURIComponent(model)}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
}

/** Ids may hold slashes, encoded or not (`deepseek%2Fdeepseek-chat`): decoded after the path was split. */
export function decodeModelId(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
