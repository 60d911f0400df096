import * as z from "zod";

/** "No limit" as a number, for clients that need one (one-api's convention, docs/clients.md#quota-clients). */
export const UNLIMITED_USD = 100_000_000;
/** "Never expires" as a number: the first second of the year 2100, UTC. */
export const NEVER_EXPIRES = 4_102_444_800;

/** `GET /v1/dashboard/billing/subscription`: the quota of the calling key. */
export const subscriptionSchema = z.object({
  object: z.literal("billing_subscription"),
  /** Whether a real provider is connected. */
  has_payment_method: z.boolean(),
  plan: z.object({ id: z.literal("local"), title: z.literal("Local") }),
  /** The key's own limit, USD; both figures are the same. */
  soft_limit_usd: z.number().nonnegative(),
  hard_limit_usd: z.number().nonnegative(),
  /** The whole app's monthly budget, USD. */
  system_hard_limit_usd: z.number().nonnegative(),
  /** The key's expiry, Unix seconds. */
  access_until: z.number().int(),
});

/** A UTC day, possibly followed by more: clients also send full timestamps, of which only the day is used. */
export const USAGE_DAY = new RegExp(z.core.regexes.date.source.replace(/\$$/, ""));

const day = z.union([z.literal(""), z.string().regex(USAGE_DAY)]);

/** Query of `GET /v1/dashboard/billing/usage`: inclusive UTC days; an empty one is not given. */
export const usageQuerySchema = z.looseObject({ start_date: day.optional(), end_date: day.optional() });

/**
 * `GET /v1/dashboard/billing/usage`: the calling key's spend, in US cents, whole to 10⁻⁷. Extra fields have its
 * estimated share: requests whose provider reported no usage, including those with a lost response.
 */
export const billingUsageSchema = z.object({
  object: z.literal("list"),
  total_usage: z.number().nonnegative(),
  estimated_usage: z.number().nonnegative(),
  estimated_requests: z.number().int().nonnegative(),
  unknown_requests: z.number().int().nonnegative(),
});
