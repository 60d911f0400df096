import * as z from "zod";
import { fieldFilterSchema, rebuildingSchema, sourceFilterSchema, usageSourceSchema } from "./list.ts";
import { totalsSchema } from "./totals.ts";

/**
 * Usage over time: buckets of a UTC hour, or of a day in UTC or in a time zone, groups, and latencies of responses. Money is
 * `…_nano`, 10⁻⁹ USD; times are Unix milliseconds.
 */

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "expected a day as YYYY-MM-DD");

/** Connections are known by the hour alone: of days that are older than the hours that are kept, the group is empty. */
export const usageGroupSchema = z.enum(["model", "key", "client", "endpoint", "project", "connection"]);
export type UsageGroup = z.infer<typeof usageGroupSchema>;

/**
 * `today` is the day so far and `24h` the last 24 hours with the one that runs, both by the hour; `7d` and `30d` are so
 * many days, today among them; `all` begins with the first usage, at most three years ago.
 */
export const usageRangeSchema = z.enum(["today", "24h", "7d", "30d", "90d", "all"]);
export type UsageRange = z.infer<typeof usageRangeSchema>;

/** Requests of a time: either a range, or inclusive days; the last 30 days for neither. */
export const usageQuerySchema = fieldFilterSchema.extend({
  range: usageRangeSchema.optional(),
  since: day.optional(),
  until: day.optional(),
  /** IANA name of the zone whose days are meant; UTC without one. */
  zone: z.string().max(64).optional(),
  source: sourceFilterSchema.optional(),
});

/** Kinds of calls, whose latencies are apart: a video takes minutes and an embedding none. */
export const timedKindSchema = z.enum(["chat", "images", "speech", "transcriptions", "embeddings", "videos"]);
export type TimedKind = z.infer<typeof timedKindSchema>;

const grouping = {
  by: usageGroupSchema.optional(),
  /** `before`: the time of the same length right before; of `today`, yesterday up to the same hour. */
  when: z.enum(["now", "before"]).optional(),
};

export const usageSeriesInputSchema = usageQuerySchema
  .extend({
    ...grouping,
    /** How many groups get a series of their own; the others are one series together. */
    groups: z.coerce.number().int().min(1).max(50).optional(),
    /** The calls that latencies are of. Without it conversations, or all calls if no conversation was measured. */
    timed: timedKindSchema.optional(),
  })
  .strict();

export const usageCellsInputSchema = usageQuerySchema.extend(grouping).strict();

/** p50 and p95 in ms, accurate to 5 %; null without measurements. */
export const latencySchema = z.object({
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  first_p50: z.number().nullable(),
  first_p95: z.number().nullable(),
});
export type Latency = z.infer<typeof latencySchema>;

const moment = z.number().int();
const amounts = z.array(z.number().int().nonnegative());

export const usageSeriesSchema = z.object({
  bucket: z.enum(["hour", "day"]),
  /** Start of the first bucket and end of the last. */
  from: moment,
  to: moment,
  /** Buckets before this one are days in UTC, although a zone was asked for: their hours are not known. Null: none is. */
  utc_until: moment.nullable(),
  rebuilding: rebuildingSchema,
  total: totalsSchema,
  latency: latencySchema,
  /** Every bucket of the period, those without requests too. */
  buckets: z.array(z.object({ at: moment, totals: totalsSchema, latency: latencySchema })),
  /** The most expensive first. An empty name: calls that reached no provider (by model or connection), or of which it is not known. */
  groups: z.array(z.object({ group: z.string(), totals: totalsSchema, latency: latencySchema })),
  /** How many more groups there are than are listed; their sums are in `total` and in the last series. */
  more_groups: z.number().int().nonnegative(),
  /** A figure for each bucket. `group` null: all others together. */
  series: z.array(z.object({ group: z.string().nullable(), nano: amounts, requests: amounts })),
});
export type UsageSeries = z.infer<typeof usageSeriesSchema>;

/** A bucket of one group of one source, with requests in it. */
export const usageCellSchema = z.object({
  at: moment,
  source: usageSourceSchema,
  group: z.string(),
  totals: totalsSchema,
});
export type UsageCell = z.infer<typeof usageCellSchema>;

export const usageCellsSchema = z.object({ bucket: z.enum(["hour", "day"]), data: z.array(usageCellSchema) });
export type UsageCells = z.infer<typeof usageCellsSchema>;
