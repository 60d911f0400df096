/** What several rows of servers have in common. */

export const ANY = /^/;
export const MAX_TOKENS = ["max_tokens"] as const;
export const MAX_COMPLETION_TOKENS = ["max_completion_tokens"] as const;

/** OpenAI's own house, which says nothing to other models: storage, caches, safety. */
export const OPENAIS_HOUSE = [
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "safety_identifier",
  "store",
  "metadata",
  "moderation",
  "verbosity",
  "prediction",
  "web_search_options",
] as const;

/** What models said beside their answers, which clients give back as they got it. */
export const BESIDE_ANSWERS = ["refusal", "annotations"] as const;
