/**
 * Returns the min prompt tokens that Google caches by itself: 2,048 for Gemini 2.5, 4,096 for later models
 * (https://ai.google.dev/gemini-api/docs/caching, a copy of 23 October 2026).
 */
export const findLeastCached = (model: string): number => (model.includes("gemini-2.") ? 2_048 : 4_096);
