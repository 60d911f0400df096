import * as z from "zod";

/**
 * The kinds of unit that can be billed. Token classes are disjoint: no token is in two of them. `cache_write` is kept
 * for five minutes (or for as long as the vendor likes), `cache_write_1h` for an hour, at a rate of its own.
 */
export const unitClassSchema = z.enum([
  "input",
  "cached_input",
  "cache_write",
  "cache_write_1h",
  "output",
  "reasoning",
  "character",
  "image",
  "image_input",
  "image_output",
  "second",
]);
export type UnitClass = z.infer<typeof unitClassSchema>;

/**
 * One line of a receipt: `quantity` units at `nano_per_million` (10⁻⁹ USD per 10⁶ units) make `nano` (10⁻⁹ USD).
 * Quantities are whole, but for seconds, which have up to three decimals (vendors bill 13.24 s of video).
 */
export const receiptTermSchema = z
  .object({
    unit: unitClassSchema,
    quantity: z.number().nonnegative(),
    nano_per_million: z.number().int().nonnegative(),
    nano: z.number().int().nonnegative(),
  })
  .refine(({ unit, quantity }) => Number.isSafeInteger(unit === "second" ? inThousandths(quantity) : quantity), {
    path: ["quantity"],
    error: "expected a whole number; of seconds, one with at most three decimals",
  });
export type ReceiptTerm = z.infer<typeof receiptTermSchema>;

/** NaN where more than three decimals are written. */
function inThousandths(quantity: number): number {
  const thousandths = Math.round(quantity * 1_000);
  return thousandths / 1_000 === quantity ? thousandths : Number.NaN;
}

/**
 * How a request ended.
 * `completed`: the vendor's answer was delivered whole. `interrupted`: it began and did not finish; what was
 * delivered is billed. `failed`: nothing was delivered, nothing is billed. `unknown`: Postern was killed while the
 * vendor worked; what the vendor billed is not known, so nothing is charged and the request is listed.
 */
export const outcomeSchema = z.enum(["completed", "interrupted", "failed", "unknown"]);
export type Outcome = z.infer<typeof outcomeSchema>;

/** What a request cost and why. One per request, append-only, never changed. Times are Unix milliseconds. */
export const receiptSchema = z.object({
  /** The request id, as in `x-request-id`. */
  id: z.string(),
  /** When it was settled. The receipt belongs to the UTC day of this moment. */
  at: z.number().int(),
  /** Id of the local key that asked. */
  key: z.string(),
  /** `chat`, `messages`, … */
  endpoint: z.string(),
  /** The public model id that was asked for. */
  model: z.string(),
  vendor: z.string(),
  connection: z.string(),
  /** What the client calls itself (first product of its User-Agent), for "by client". */
  client: z.string(),
  /** HTTP status of our answer. */
  status: z.number().int(),
  /** Our error code when there was one. */
  code: z.string().nullable(),
  outcome: outcomeSchema,
  stream: z.boolean(),
  /** From the request's arrival to its last byte. */
  ms: z.number(),
  /** To the first byte of the answer; null when there was none. */
  first_ms: z.number().nullable(),
  /** Sandbox calls count against a key's own limit but never against real spend. */
  sandbox: z.boolean(),
  /** Usage was counted here because the vendor reported none. */
  estimated: z.boolean(),
  terms: z.array(receiptTermSchema),
  /** 10⁻⁹ USD; null when the model has no known price ("unpriced"), which is never shown as 0. */
  nano: z.number().int().nonnegative().nullable(),
  /** Where the price came from and when it was true. */
  price: z.object({ source: z.string(), as_of: z.string() }).nullable(),
});
export type Receipt = z.infer<typeof receiptSchema>;
