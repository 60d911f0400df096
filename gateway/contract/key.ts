import * as z from "zod";
import { usdUpTo } from "./bounds.ts";
import { MOST_USD } from "./money.ts";

/** When a key's spend starts again from zero. Days and months are UTC. */
export const resetSchema = z.enum(["never", "daily", "monthly"]);
export type Reset = z.infer<typeof resetSchema>;

const name = z.string().trim().min(1).max(100);
const models = z.array(z.string().trim().min(1).max(200)).max(500);

/** Min and max characters of a word that is masked, and max words of a key. */
const WORD_LENGTHS = [4, 200] as const;
const MOST_WORDS = 100;

/** Returns the words of a text, one per line. */
export const splitWords = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const maskWords = z
  .string()
  .max(MOST_WORDS * WORD_LENGTHS[1])
  .refine((text) => splitWords(text).length <= MOST_WORDS, `expected at most ${MOST_WORDS} words`)
  .refine(
    (text) => splitWords(text).every(({ length }) => length >= WORD_LENGTHS[0] && length <= WORD_LENGTHS[1]),
    `expected words of ${WORD_LENGTHS[0]} to ${WORD_LENGTHS[1]} characters, one per line`,
  );

/** The limits that a key may carry; null means "no such limit". */
export const keyLimitsSchema = z.object({
  name,
  /** Model ids or globs (`gpt-*`); null allows every model. */
  models: models.nullable(),
  limit_usd: usdUpTo(MOST_USD).nullable(),
  reset: resetSchema,
  /** Unix milliseconds. */
  expires_at: z.number().int().positive().nullable(),
  /** Requests per minute. */
  rpm: z.number().int().min(1).max(1_000_000).nullable(),
  /** Max concurrent requests. */
  concurrency: z.number().int().min(1).max(100_000).nullable(),
  /** Whether requests may use provider features that cost more than tokens; null: only if models and spend are unlimited. */
  hosted_tools: z.boolean().nullable(),
  /** Whether requests may name or make what providers store (files, responses, containers); null: likewise. */
  stored_objects: z.boolean().nullable(),
  /** Whether keys of known forms and `mask_words` are replaced before a request leaves, and restored in its response. */
  mask_secrets: z.boolean().nullable(),
  /** The owner's own words to mask, one per line. */
  mask_words: maskWords.nullable(),
  /** Whether Ollama requests without a key from this machine use it; needs a spend limit, and only one key may. */
  ollama_default: z.boolean(),
});

/** Body of "create key": everything but the name is optional. */
export const createKeySchema = keyLimitsSchema.partial().extend({ name }).strict();
export type CreateKey = z.infer<typeof createKeySchema>;

/** Body of "change key". */
export const updateKeySchema = keyLimitsSchema.partial().extend({ disabled: z.boolean().optional() }).strict();
export type UpdateKey = z.infer<typeof updateKeySchema>;

/** A key for the pages: never the secret, only its ends. */
export const keyViewSchema = keyLimitsSchema.extend({
  id: z.string(),
  /** The stored value, also if it exceeds today's limits. */
  limit_usd: z.number().nonnegative().nullable(),
  /** `sk-ab…wxyz`. */
  hint: z.string(),
  created_at: z.number().int(),
  disabled: z.boolean(),
  /** `environment` keys come from POSTERN_API_KEY or POSTERN_KEYS and are restored at each start. */
  origin: z.enum(["created", "first", "environment"]),
  state: z.enum(["active", "disabled", "expired", "spent"]),
  /** 10⁻⁹ USD spent in the current period of `reset` (sandbox included, as the limit counts it). */
  spent_nano: z.number().int().nonnegative(),
  /** The part of it that the sandbox made up. */
  sandbox_nano: z.number().int().nonnegative(),
  /** 10⁻⁹ USD held by calls in flight. */
  held_nano: z.number().int().nonnegative(),
  in_flight: z.number().int().nonnegative(),
  last_used_at: z.number().int().nullable(),
  /**
   * When its limit is used up at the current pace; null without a resetting limit, or if it lasts, is used up, or too
   * little is known.
   */
  ends_at: z.number().int().nullable(),
});
export type KeyView = z.infer<typeof keyViewSchema>;

/** The only response that ever contains the whole key. */
export const createdKeySchema = z.object({ key: keyViewSchema, secret: z.string() });
export type CreatedKey = z.infer<typeof createdKeySchema>;
