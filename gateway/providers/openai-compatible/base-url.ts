import { basePath } from "../base-path.ts";

/**
 * People paste base URLs with a trailing slash, with the whole path of an operation, or without the version. Put right:
 * `https://api.deepseek.com` and `https://api.deepseek.com/v1/chat/completions` both become `https://api.deepseek.com/v1`.
 * A path that already holds a version (`/api/v3`, `/v1beta/openai`) is the owner's word and stays.
 */
export function normalizeBaseUrl(url: URL): string {
  const path = basePath(url)
    .replace(/\/(chat\/completions|completions|models|embeddings)$/, "")
    .replace(/(\/v\d+)\1+$/, "$1");
  // https://api.perplexity.ai/chat/completions (https://github.com/vercel/ai/tree/ed857f50/packages/perplexity, 2026-08-22).
  if (url.hostname === "api.perplexity.ai") return `${url.origin}${path}`;
  const versioned = /\/v\d+[a-z0-9]*(\/|$)/.test(path) ? path : `${path}/v1`;
  return `${url.origin}${versioned}`;
}
