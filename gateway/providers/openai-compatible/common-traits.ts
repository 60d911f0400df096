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
  "service_tier",
  "user",
] as const;

type HouseField = (typeof OPENAIS_HOUSE)[number];

/** Those of them that a server does not take. @param taken it is known to take these */
export function houseWithout(...taken: readonly HouseField[]): readonly HouseField[] {
  return OPENAIS_HOUSE.filter((field) => !taken.includes(field));
}

/** What models said next to their answers, which clients give back as they got it. */
export const BESIDE_ANSWERS = ["refusal", "annotations"] as const;

/** What servers that are not OpenAI's are not sent unless their row says otherwise: strict ones refuse what they do not know. */
export const STRICT = { refused: OPENAIS_HOUSE, refusedInMessages: BESIDE_ANSWERS } as const;
