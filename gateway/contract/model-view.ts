import * as z from "zod";
import { factorsSchema } from "./models.ts";
import { MOST_USD_PER_MILLION, MOST_USD_PER_PIECE } from "./money.ts";
import { unitClassSchema } from "./receipt.ts";
import { soldByPiece } from "./units.ts";

/** Facts of models for the pages and the `postern` command, and the owner's own settings of them. */

/** 10⁻⁹ USD per 10⁶ units. */
const rate = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** The same, by kind of unit; a kind that is missing has no price. */
const ratesSchema = z.partialRecord(unitClassSchema, rate);
export type Rates = z.infer<typeof ratesSchema>;

export const priceViewSchema = z.object({
  /** Ascending by `above`: prompt tokens above which a tier applies to the whole request; the first is 0. */
  tiers: z.array(z.object({ above: z.number().int().nonnegative(), rates: ratesSchema })),
  /** Rates that replace those of the first tier for a `size`, a `quality`, a `resolution`. */
  variants: z.array(z.object({ when: z.record(z.string(), z.string()), rates: ratesSchema })),
  /** Source of the figure; `owner` for the owner's own. */
  source: z.string(),
  /** The day it was true, `YYYY-MM-DD`. */
  as_of: z.string(),
  /** First UTC day of a different price; absent if no end is known. */
  until: z.string().optional(),
  /** Multipliers of all rates if a call is served otherwise: `{service_tier: {flex: 0.5}}`. */
  factors: factorsSchema.optional(),
});
export type PriceView = z.infer<typeof priceViewSchema>;

/** Known abilities of a model beyond text; an absent one is unknown, and is tried. */
export const abilitiesSchema = z.object({
  pictures: z.boolean().optional(),
  files: z.boolean().optional(),
  tools: z.boolean().optional(),
  json_schema: z.boolean().optional(),
  web_search: z.boolean().optional(),
});

export const modelViewSchema = z.object({
  id: z.string(),
  /** Display name; the id if no name is known. */
  name: z.string(),
  /** The model's owner: `openai`, `google`, … */
  owner: z.string(),
  /** Provider of the first candidate connection; `sandbox` for the sandbox model, empty without a connection. */
  provider: z.string(),
  /** Heading in lists: the provider's name, or the connection's for compatible servers. */
  group: z.string(),
  connections: z.array(z.string()),
  capabilities: z.array(z.string()),
  /** Whether it reasons before it responds; absent if unknown. */
  reasoning: z.boolean().optional(),
  /** Absent if unknown. */
  abilities: abilitiesSchema.optional(),
  /**
   * End date by its owner, the successor's id, and how many apps called it in the last 30 days; absent if none is
   * announced.
   */
  ends: z.object({ on: z.string(), successor: z.string().nullable(), apps: z.number().int().nonnegative() }).optional(),
  /** Paths that take it, as `/v1/chat/completions`. */
  endpoints: z.array(z.string()),
  context_length: z.number().int().nullable(),
  max_output: z.number().int().nullable(),
  /** 10⁻⁹ USD per 10⁶ tokens of the first tier; null when unpriced. */
  input_nano_per_million: z.number().int().nonnegative().nullable(),
  output_nano_per_million: z.number().int().nonnegative().nullable(),
  /** Billed price at the first candidate connection; null if unpriced. */
  price: priceViewSchema.nullable(),
  /** Whether `price` is the owner's own. */
  own_price: z.boolean(),
  /** The price without the owner's own. */
  list_price: priceViewSchema.nullable(),
  /** The owner's own names for it. */
  aliases: z.array(z.string()),
  /** Other names that it has by itself. */
  other_names: z.array(z.string()),
  /**
   * Target of an alias of the same name, to which calls are routed; the model's own id if a route has its name; else
   * null.
   */
  hidden_by: z.string().nullable(),
  sandbox: z.boolean(),
  /** False: no enabled connection serves it now; it is listed for its alias or its price. */
  served: z.boolean(),
});
export type ModelView = z.infer<typeof modelViewSchema>;

export const modelIdSchema = z.string().min(1).max(200);

/** Max aliases that users can set. */
export const MAX_ALIASES = 1_000;

export const aliasNameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9._:/@-]+$/, "expected letters, digits and . _ : / @ - only");

export const setAliasSchema = z.object({ name: aliasNameSchema, model: modelIdSchema }).strict();

/** The kinds of unit that the owner can set a price for. */
export const ownUnits = [
  "input",
  "cached_input",
  "cache_write",
  "audio_input",
  "output",
  "audio_output",
  "character",
  "image",
  "image_input",
  "image_output",
  "second",
  "web_search",
  "request",
] as const;
export type OwnUnit = (typeof ownUnits)[number];

/** Returns the max own price of a unit, in USD as shown to people: for a million, or for a piece. */
export const mostUsd = (unit: OwnUnit): number => (soldByPiece(unit) ? MOST_USD_PER_PIECE : MOST_USD_PER_MILLION);

/** Returns the max own price as a rate: 10⁻⁹ USD per 10⁶ units. */
export const mostRate = (unit: OwnUnit): number => mostUsd(unit) * (soldByPiece(unit) ? 1e15 : 1e9);

/** Any stored value, also above today's limits, which only apply to new values. */
export const ownRatesSchema = z
  .partialRecord(z.enum(ownUnits), rate)
  .refine((rates) => Object.keys(rates).length > 0, "expected a rate for at least one kind of unit");
export type OwnRates = z.infer<typeof ownRatesSchema>;

/** A price has one tier. Kinds of token that it does not name cost what their side costs: input tokens or output tokens. */
export const setPriceSchema = z.object({ model: modelIdSchema, rates: ownRatesSchema }).strict();
