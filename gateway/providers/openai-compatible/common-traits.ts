/** Traits that several rows of servers have in common. */

export const ANY = /^/;
export const MAX_TOKENS = ["max_tokens"] as const;
export const MAX_COMPLETION_TOKENS = ["max_completion_tokens"] as const;

/** Fields specific to OpenAI's platform, meaningless to other models: storage, caches, safety. */
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

/** Returns the fields of OpenAI's that a server does not take. @param removed it is known to take these */
export function houseWithout(...removed: readonly HouseField[]): readonly HouseField[] {
  return OPENAIS_HOUSE.filter((field) => !removed.includes(field));
}

/** Fields that models add next to their text, which clients send back unchanged. */
export const BESIDE_ANSWERS = ["refusal", "annotations"] as const;

/**
 * Fields that servers other than OpenAI's do not get unless their row allows them: strict ones refuse unknown fields.
 */
export const STRICT = { refused: OPENAIS_HOUSE, refusedInMessages: BESIDE_ANSWERS } as const;
