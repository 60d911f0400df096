import * as z from "zod";
import { searchProviders } from "./settings.ts";
import { getSecretSchema } from "./secret.ts";

/** Postern's web search, for models whose providers have none (docs/guide/web-search.md). */

export const searchProviderSchema = z.enum(searchProviders);

/** State of the configured web search. */
export const searchViewSchema = z.object({
  provider: searchProviderSchema,
  /** End of its key; null without a key. Some providers never have one. */
  key_hint: z.string().nullable(),
  needs_key: z.boolean(),
  /** Page on which its keys are made; null if it needs no key. */
  keys_url: z.string().nullable(),
  /** Current price of a search, USD; null: unpriced. */
  price_usd: z.number().nullable(),
  /** The provider's published price, USD; null if it is unknown. */
  published_usd: z.number().nullable(),
  /** Why it cannot search now, as a sentence with the remedy; null if it can. */
  problem: z.string().nullable(),
});
export type SearchView = z.infer<typeof searchViewSchema>;

/** Null removes the key. It is never shown again. */
export const setSearchKeySchema = z
  .object({
    provider: searchProviderSchema.exclude(["none", "searxng"]),
    key: getSecretSchema(500).nullable(),
  })
  .strict();

/** The result of one real search. */
export const searchTestSchema = z.object({
  ok: z.boolean(),
  ms: z.number(),
  /** Number of results returned. */
  results: z.number().int().nonnegative(),
  /** The first result, or the problem with its remedy. */
  message: z.string(),
});
export type SearchTest = z.infer<typeof searchTestSchema>;
