import * as z from "zod";

/** Facts of routes in receipts (contract/routes.ts). */

/**
 * Kinds of requests that routes distinguish. A request can have several kinds. `background` and `title` are side calls
 * of a client; `subagent` is a request of a sub-agent; `pictures`, `files` and `web_search` are contents of the
 * request; `thinking` is requested reasoning.
 */
export const requestKinds = [
  "background",
  "title",
  "subagent",
  "thinking",
  "pictures",
  "files",
  "tools",
  "web_search",
  "embeddings",
] as const;
export const requestKindSchema = z.enum(requestKinds);
export type RequestKind = z.infer<typeof requestKindSchema>;

/**
 * Why a model of a chain was skipped. The first eight are features of the request that the model lacks; `price`: it
 * costs more than its key has left; `not_allowed`: the key may not use it; `not_served`: no enabled connection serves
 * it; `no_credit`: its providers say that the credit is used up; `unavailable`: all its keys have failed recently and are
 * not due yet; `failed`: it was called, and its provider
 * failed.
 */
export const passedReasons = [
  "capability",
  "context",
  "pictures",
  "files",
  "tools",
  "json_schema",
  "web_search",
  "output",
  "price",
  "not_allowed",
  "not_served",
  "no_credit",
  "unavailable",
  "failed",
] as const;

export const passedModelSchema = z.object({
  model: z.string(),
  reason: z.enum(passedReasons),
  /** Provider that failed; absent if none was called. */
  provider: z.string().optional(),
  /** Status of the failure. */
  status: z.number().int().optional(),
  code: z.string().optional(),
  /** Possible cost of its attempts in 10⁻⁹ USD, included in the receipt's sum. Absent if nothing was executed. */
  nano: z.number().int().nonnegative().optional(),
});
export type PassedModel = z.infer<typeof passedModelSchema>;

/** How a route led to the model of a receipt. */
export const routedSchema = z.object({
  /** Name of the route, as requested by the client. */
  name: z.string(),
  /** Number of the matching rule, from 1; absent if no rule matched. */
  rule: z.number().int().positive().optional(),
  passed: z.array(passedModelSchema),
});
export type Routed = z.infer<typeof routedSchema>;
