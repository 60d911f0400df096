import * as z from "zod";

const count = z.number().int().nonnegative();

/** Sums over a set of receipts. Sandbox calls count in `sandbox_*` only. */
export const totalsSchema = z.object({
  requests: count,
  /** Requests that could not be served. */
  errors: count,
  /** Requests that their clients ended: no errors. */
  cancelled_requests: count,
  input_tokens: count,
  cached_input_tokens: count,
  output_tokens: count,
  reasoning_tokens: count,
  nano: count,
  /** Requests of models without a known price: their cost is not in `nano`. */
  unpriced_requests: count,
  /** Requests that a provider may have executed and whose responses were never seen; they are also estimated. */
  unknown_requests: count,
  /** Requests with fully or partly estimated usage, and their share of `nano`. */
  estimated_requests: count,
  estimated_nano: count,
  sandbox_requests: count,
  sandbox_nano: count,
  /** Savings by prompt caches; negative if they cost more. Usage that earlier versions counted is not included. */
  cache_saved_nano: z.number().int(),
});
export type Totals = z.infer<typeof totalsSchema>;
