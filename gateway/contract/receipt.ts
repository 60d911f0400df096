import * as z from "zod";
import { contextPartsSchema } from "./context-parts.ts";
import { promptPrefixSchema } from "./prompt-prefix.ts";
import { requestKindSchema, routedSchema } from "./routed.ts";

/**
 * The kinds of unit that can be billed. Token classes are disjoint: no token is in two of them. `cache_write` lives for
 * five minutes (or the provider's default), `cache_write_1h` for an hour, at a separate rate. `request` is a fee per
 * request to a provider, `web_search` a search by the provider, `file_search` one in stored files, `container` a
 * container that runs code.
 */
export const unitClassSchema = z.enum([
  "input",
  "cached_input",
  "cache_write",
  "cache_write_1h",
  "audio_input",
  "cached_audio_input",
  "output",
  "reasoning",
  "audio_output",
  "character",
  "image",
  "image_input",
  "image_output",
  "second",
  "web_search",
  "file_search",
  "container",
  "request",
]);
export type UnitClass = z.infer<typeof unitClassSchema>;

/**
 * A line of a receipt: `quantity` units at `nano_per_million` (10⁻⁹ USD per 10⁶ units) cost `nano` (10⁻⁹ USD).
 * Quantities are whole, except for seconds, which have up to three decimals (providers bill 13.24 s of video).
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

/** Returns NaN for more than three decimals. */
function inThousandths(quantity: number): number {
  const thousandths = Math.round(quantity * 1_000);
  return thousandths / 1_000 === quantity ? thousandths : Number.NaN;
}

/**
 * How a request ended. `completed`: the provider's response was delivered completely. `interrupted`: it started and did
 * not finish; the prompt and the delivered part are billed. `cancelled`: its client cancelled it; possible provider
 * work until then is billed. Receipts of earlier versions have `interrupted` or `failed` instead, with the code
 * `client_closed`. `failed`: the provider certainly executed nothing, and nothing is billed. `unknown`: the provider
 * may have executed it but the response was never seen (a timeout, an aborted or unreadable response, Postern was
 * killed): billed by an estimate of the request.
 */
export const outcomeSchema = z.enum(["completed", "interrupted", "cancelled", "failed", "unknown"]);
export type Outcome = z.infer<typeof outcomeSchema>;

/** Cost of a request with its breakdown. One per request, append-only, immutable. Times are Unix milliseconds. */
export const receiptSchema = z.object({
  /** The request id, as in `x-request-id`. */
  id: z.string(),
  /** When it was settled. The receipt belongs to the UTC day of this moment. */
  at: z.number().int(),
  /** Id of the requesting local key. */
  key: z.string(),
  /** `chat`, `messages`, … */
  endpoint: z.string(),
  /** Requested public model id. */
  model: z.string(),
  provider: z.string(),
  connection: z.string(),
  /** Name of the client as its request said it: title, site, instructions or User-Agent. `getAppName` has the app of it. */
  client: z.string(),
  /** HTTP status of Postern's response. */
  status: z.number().int(),
  /** Our error code when there was one. */
  code: z.string().nullable(),
  /**
   * The sentence of the error that the client got, without secrets, 300 characters at most. Absent if the request
   * completed or its client ended it, and in receipts of earlier versions.
   */
  message: z.string().optional(),
  outcome: outcomeSchema,
  stream: z.boolean(),
  /** Time from the request's arrival to its last byte. */
  ms: z.number(),
  /** Time to the first byte of the response; null if there was no response. */
  first_ms: z.number().nullable(),
  /**
   * Part of `first_ms` from the arrival until the request was handed to the connection of the attempt that ended the call.
   * It includes checks, limits and earlier attempts. Null if no provider was called; absent in receipts of video tasks and
   * of earlier versions, and so are the next two.
   */
  wait_ms: z.number().nullable().optional(),
  /** Time after that until the connection was open; 0 if it was reused, null without a response. */
  connect_ms: z.number().nullable().optional(),
  /** Number of provider calls, failover and retries included; null without a call. */
  attempts: z.number().int().positive().nullable().optional(),
  /** Number of different secrets that were masked in what was sent; absent if there were none. */
  masked: z.number().int().positive().optional(),
  /** Sandbox calls count against a key's own limit but never against real spend. */
  sandbox: z.boolean(),
  /**
   * The cost is not exact: usage was counted here because the provider reported none, or an unknown discount was
   * ignored, so that the cost is an upper bound.
   */
  estimated: z.boolean(),
  terms: z.array(receiptTermSchema),
  /** 10⁻⁹ USD; null if the model has no known price ("unpriced"), which is never shown as 0. */
  nano: z.number().int().nonnegative().nullable(),
  /** Source of the price and the date on which it was valid. */
  price: z.object({ source: z.string(), as_of: z.string() }).nullable(),
  /** Kinds of the request; absent if it was of no kind that routes distinguish, and in receipts of earlier versions. */
  kinds: z.array(requestKindSchema).optional(),
  /** Route to its model; absent if the client requested the model itself. */
  route: routedSchema.optional(),
  /**
   * Conversation of the request, as its client names it; its project, by the name of the client's folder; and the agent of
   * the client that sent it. Absent if the client does not send them; `agent` also for the agent that a person talks to.
   */
  session: z.string().optional(),
  project: z.string().optional(),
  agent: z.string().optional(),
  /** Set if it was finished after its client had disconnected: its results are in the library, under its id. */
  finished_for_library: z.literal(true).optional(),
  /** Parts of its input tokens; present for session requests whose provider counted them. */
  context: contextPartsSchema.optional(),
  /** Comparison with an earlier request of its session: what the provider's cache could give back, and what was read again. */
  prefix: promptPrefixSchema.optional(),
});
export type Receipt = z.infer<typeof receiptSchema>;
