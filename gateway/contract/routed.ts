import * as z from "zod";

/** Facts of routes in receipts (contract/routes.ts). */

/**
 * Kinds of requests, as far as routes distinguish them. A request can be of several kinds. `background` and `title` are
 * calls that a client makes next to the conversation; `subagent` is one of an agent that another one has started;
 * `pictures`, `files` and `web_search` say what is in the request; `thinking` that reasoning is asked for.
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
 * Why a model of a chain was passed over. The first eight say what the model cannot take of the request; `price`: it costs
 * more than its key has left; `not_allowed`: the key may not use it; `not_served`: no enabled connection serves it;
 * `unavailable`: all its keys have failed lately and are not asked yet; `failed`: it was asked, and its provider failed.
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
  "unavailable",
  "failed",
] as const;

export const passedModelSchema = z.object({
  model: z.string(),
  reason: z.enum(passedReasons),
  /** The provider that failed; absent where none was asked. */
  provider: z.string().optional(),
  /** Status of the failure. */
  status: z.number().int().optional(),
  code: z.string().optional(),
  /** 10⁻⁹ USD that its attempts may have cost; they are in the receipt's sum. Absent where nothing was executed. */
  nano: z.number().int().nonnegative().optional(),
});
export type PassedModel = z.infer<typeof passedModelSchema>;

/** How a route led to the model of a receipt. */
export const routedSchema = z.object({
  /** The route's name: what the client asked for. */
  name: z.string(),
  /** Which of its rules held, from 1; absent where none did. */
  rule: z.number().int().positive().optional(),
  passed: z.array(passedModelSchema),
});
export type Routed = z.infer<typeof routedSchema>;
