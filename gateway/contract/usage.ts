import * as z from "zod";
import { fieldFilterSchema, rebuildingSchema, sourceFilterSchema, usageSourceSchema } from "./list.ts";
import { totalsSchema } from "./totals.ts";

/**
 * Usage over time: buckets of a UTC hour, or of a day in UTC or in a time zone, groups, and latencies of responses. Money is
 * `…_nano`, 10⁻⁹ USD; times are Unix milliseconds.
 */

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "expected a day as YYYY-MM-DD");

/** Connections are only known by hour: for days older than the stored hours the group is empty. */
export const usageGroupSchema = z.enum(["model", "key", "client", "endpoint", "project", "connection"]);
export type UsageGroup = z.infer<typeof usageGroupSchema>;

/**
 * `today` is the day so far and `24h` the last 24 hours including the current one, both by hour; `7d` and `30d` are
 * that many days including today; `all` starts with the first usage, at most three years ago.
 */
export const usageRangeSchema = z.enum(["today", "24h", "7d", "30d", "90d", "all"]);
export type UsageRange = z.infer<typeof usageRangeSchema>;

/** Requests of a time: a range, or inclusive days; by default the last 30 days. */
export const usageQuerySchema = fieldFilterSchema.extend({
  range: usageRangeSchema.optional(),
  since: day.optional(),
  until: day.optional(),
  /** IANA name of the time zone of days; UTC without one. */
  zone: z.string().max(64).optional(),
  source: sourceFilterSchema.optional(),
});

/** Kinds of calls with separate latencies: a video takes minutes and an embedding milliseconds. */
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
    /** Max groups with their own series; the others share one. */
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
  /**
   * Buckets before this one are UTC days despite the requested zone, because their hours are unknown. Null: no such
   * buckets.
   */
  utc_until: moment.nullable(),
  rebuilding: rebuildingSchema,
  total: totalsSchema,
  latency: latencySchema,
  /** Every bucket of the period, those without requests too. */
  buckets: z.array(z.object({ at: moment, totals: totalsSchema, latency: latencySchema })),
  /**
   * Most expensive first. An empty name: calls that reached no provider (by model or connection), or with an unknown
   * value.
   */
  groups: z.array(z.object({ group: z.string(), totals: totalsSchema, latency: latencySchema })),
  /** How many more groups there are than are listed; their sums are in `total` and in the last series. */
  more_groups: z.number().int().nonnegative(),
  /** A figure for each bucket. `group` null: all others together. */
  series: z.array(z.object({ group: z.string().nullable(), nano: amounts, requests: amounts })),
});
export type UsageSeries = z.infer<typeof usageSeriesSchema>;

/** A non-empty bucket of one group of one source. */
export const usageCellSchema = z.object({
  at: moment,
  source: usageSourceSchema,
  group: z.string(),
  totals: totalsSchema,
});
export type UsageCell = z.infer<typeof usageCellSchema>;

export const usageCellsSchema = z.object({ bucket: z.enum(["hour", "day"]), data: z.array(usageCellSchema) });
export type UsageCells = z.infer<typeof usageCellsSchema>;
