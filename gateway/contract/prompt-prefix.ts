import * as z from "zod";

const count = z.number().int().nonnegative();

/** Parts besides messages in which a request can differ from an earlier one, in the order of a prompt. */
export const prefixParts = ["model", "provider", "settings", "tools", "system"] as const;
export type PrefixPart = (typeof prefixParts)[number];

/**
 * Comparison of a session's request with an earlier one, as far as the provider's cache can see it, and what was read again.
 * Absent for the first request since the start of Postern, and without usage by the provider.
 */
export const promptPrefixSchema = z.object({
  /** Id of the earlier request of the session whose beginning it shares most of. */
  after: z.string(),
  /** Milliseconds since that was sent. */
  idle_ms: count,
  /** Parts in which it differs from that. */
  changed: z.array(z.enum(prefixParts)),
  /** Number of messages of the earlier request, after its instructions, and how many of them lead this one unchanged. */
  of: count,
  kept: count,
  /** Fate of the message after those; absent if all are kept. */
  message: z.enum(["changed", "removed"]).optional(),
  /** Lifetime of the marked cache; `none` if a request has no mark. Absent if the provider caches without marks. */
  marks: z.enum(["none", "5m", "1h"]).optional(),
  /** Min prompt tokens that the provider caches; absent if the earlier prompt was long enough, or it is unknown. */
  least: count.optional(),
  /** Tokens of the earlier prompt that were read again, not from the cache; null if the provider reports no cache. */
  missed: count.nullable(),
  /** Cost of those beyond cache reads, nano USD; null if a price is unknown. */
  missed_nano: count.nullable(),
});
export type PromptPrefix = z.infer<typeof promptPrefixSchema>;
