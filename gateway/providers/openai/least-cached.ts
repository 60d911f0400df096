/**
 * Returns the min prompt tokens that OpenAI caches (https://developers.openai.com/api/docs/guides/prompt-caching.md,
 * 2026-11-30).
 */
export const getLeastCached = (): number => 1_024;
