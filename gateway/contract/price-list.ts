import * as z from "zod";
import { unitClassSchema } from "./receipt.ts";

/** The price list that the owner may have fetched and accepted, as the Settings page shows it. */

const count = z.number().int().nonnegative();
const rate = z.number().int().nonnegative();

/** Which published list it is like: LiteLLM's `model_prices_and_context_window.json`, or models.dev's `api.json`. */
export const priceListShapeSchema = z.enum(["litellm", "models.dev"]);
export type PriceListShape = z.infer<typeof priceListShapeSchema>;

export const priceListOriginSchema = z.object({
  /** Digest of the prices: the same for the same prices. */
  id: z.string(),
  url: z.string(),
  shape: priceListShapeSchema,
  /** When it was fetched, Unix milliseconds. */
  fetched_at: count,
  models: count,
});
export type PriceListOrigin = z.infer<typeof priceListOriginSchema>;

/** How many prices a list that is offered would change, by `kind` of the change. */
const changeCountsSchema = z.object({
  changed: count,
  added: count,
  removed: count,
  /** Prices that change by a factor of ten or more, or to or from zero. */
  unusual: count,
  /** Changes at hosts that connections lead to. */
  connected: count,
});

export const priceListViewSchema = z.object({
  /** The list that bills calls, for its hosts; null: only the catalog. */
  accepted: priceListOriginSchema.nullable(),
  /** Fetched and not accepted: nothing is billed by it. */
  offered: priceListOriginSchema.extend({ changes: changeCountsSchema }).nullable(),
  /** Why the last fetch failed; null if it succeeded. */
  problem: z.object({ at: count, message: z.string() }).nullable(),
});
export type PriceListView = z.infer<typeof priceListViewSchema>;

/** 10⁻⁹ USD per 10⁶ units of one class, for prompts of more than `above` tokens; null: no separate rate. */
export const rateChangeSchema = z.object({
  unit: unitClassSchema,
  above: count,
  old: rate.nullable(),
  new: rate.nullable(),
});
export type RateChange = z.infer<typeof rateChangeSchema>;

export const priceChangeSchema = z.object({
  /** Host that sells the model. */
  host: z.string(),
  /** The model's id at the host. */
  model: z.string(),
  /** `added` had no price before, `removed` loses its price. */
  kind: z.enum(["changed", "added", "removed"]),
  /** Whether a connection of the owner's leads there. */
  connected: z.boolean(),
  unusual: z.boolean(),
  rates: z.array(rateChangeSchema),
});
export type PriceChange = z.infer<typeof priceChangeSchema>;

export const listPriceChangesSchema = z
  .object({
    /** `true`: also at hosts that no connection leads to. */
    all: z.enum(["true", "false"]).optional(),
    limit: z.coerce.number().int().min(1).max(20_000).optional(),
  })
  .strict();

export const priceChangesSchema = z.object({
  /** Id of the offered list; null without one. */
  id: z.string().nullable(),
  /** Unusual ones first, then those at connections, then by host and model. */
  data: z.array(priceChangeSchema),
  /** Total number, of which `data` has the first. */
  total: count,
});
export type PriceChanges = z.infer<typeof priceChangesSchema>;

export const acceptPriceListSchema = z
  .object({
    /** Id of the list whose changes were shown. */
    id: z.string().max(100),
    /** Accept unusual changes too. */
    unusual: z.boolean().optional(),
  })
  .strict();
export const dropPriceListSchema = z.object({ list: z.enum(["accepted", "offered"]) }).strict();
