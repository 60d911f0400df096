import * as z from "zod";
import { FILTER_FIELDS } from "./filter-fields.ts";
import type { FilterField } from "./filter-fields.ts";
import { outcomeSchema } from "./receipt.ts";

/** Query of lists: a filter, a sort order, and a page. */

/**
 * Status class of a response; 499 is a client that disconnected. `failed`: anything counted as an error, also after a
 * 200.
 */
export const statusClassSchema = z.enum(["2xx", "4xx", "5xx", "failed"]);

const moment = z.coerce.number().int().min(0).max(8.64e15);

export const requestFilterSchema = z
  .object({
    ...(Object.fromEntries(
      Object.entries(FILTER_FIELDS).map(([name, longest]) => [name, z.string().max(longest).optional()]),
    ) as Record<FilterField, z.ZodOptional<z.ZodString>>),
    outcome: outcomeSchema.optional(),
    status: statusClassSchema.optional(),
    /** Settled from here, and before there. */
    since: moment.optional(),
    until: moment.optional(),
    /**
     * A part of the id, the model, the app, the error code, the provider, the connection's name, the session or the project, in any case; or of what
     * was recorded of the request: its text and that of its response.
     */
    q: z.string().max(100).optional(),
  })
  .strict();
export type RequestFilter = z.output<typeof requestFilterSchema>;

/** Filter fields of a request, without time and text. */
export const fieldFilterSchema = requestFilterSchema.omit({ since: true, until: true, q: true });
export type FieldFilter = z.output<typeof fieldFilterSchema>;

/** Source of a counted request: a receipt of Postern, or the log of an agent outside of it. */
export const usageSourceSchema = z.enum(["postern", "logs"]);
export type UsageSourceName = z.infer<typeof usageSourceSchema>;
/** Postern's receipts by default. */
export const sourceFilterSchema = z.enum(["postern", "logs", "both"]);
export type SourceFilter = z.infer<typeof sourceFilterSchema>;

/**
 * Values by which requests can be sorted. `cost` in 10⁻⁹ USD, `ms` total time, `first_ms` time to first token, `tokens`
 * of both sides, `rate` output tokens per second after the first byte of a streamed response.
 */
export const requestFigureSchema = z.enum(["cost", "ms", "first_ms", "tokens", "rate"]);
export type RequestFigure = z.infer<typeof requestFigureSchema>;

/** Highest first unless `order` says otherwise; requests without the value come last, and ties are newest first. */
export const sortSchema = z.object({ by: requestFigureSchema, order: z.enum(["desc", "asc"]).optional() });
export interface Sort {
  readonly by: RequestFigure;
  readonly order: "desc" | "asc";
}

/** `before` is the `cursor` of the previous page. */
export const pageSchema = z.object({
  limit: z.coerce.number().int().min(1).max(500).optional(),
  before: z.string().max(100).optional(),
});

/** Progress of rebuilding the index over the log, in percent: lists and sums lack the rest. Null if it is complete. */
export const rebuildingSchema = z.number().int().min(0).max(99).nullable();
