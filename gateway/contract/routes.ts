import * as z from "zod";
import { aliasNameSchema, modelIdSchema } from "./model-view.ts";
import { requestKindSchema, requestKinds } from "./routed.ts";

/**
 * Routes: names that clients use like a model, each with an ordered list of models (its fallback chain) and rules by
 * kind of request. A route named like a model takes precedence over it.
 */

/** `HH:MM` of the clock of the machine that Postern runs on. */
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "expected a time of day such as 09:30");

/** Conditions of a rule; all given ones must match. */
export const routeConditionsSchema = z
  .object({
    /** Any of these. */
    kinds: z.array(requestKindSchema).min(1).max(requestKinds.length).optional(),
    /** Min input tokens, exclusive, by our count before the call. */
    input_tokens_above: z.number().int().nonnegative().max(100_000_000).optional(),
    /** Any of these, as receipts name clients; `*` matches anything. */
    clients: z.array(z.string().min(1).max(100)).min(1).max(20).optional(),
    /** Any of these keys, by id. */
    keys: z.array(z.string().min(1).max(100)).min(1).max(100).optional(),
    /** Range from `from` to before `until`; it wraps at midnight if `until` is earlier. */
    hours: z.object({ from: timeOfDay, until: timeOfDay }).strict().optional(),
    /** Per cent that are spent of the key's limit, the monthly budget or another budget of the call, whichever is most. */
    budget_used_above: z.number().min(0).max(100).optional(),
  })
  .strict()
  .refine((when) => Object.values(when).some((value) => value !== undefined), "expected at least one condition");
export type RouteConditions = z.infer<typeof routeConditionsSchema>;

/** Models in order of failover. Never the name of a route; a model of the same name as this route may be in it. */
const chain = z.array(modelIdSchema).min(1).max(10);

export const routeRuleSchema = z
  .object({
    when: routeConditionsSchema,
    /** Chain of matching requests, in place of the route's default. */
    models: chain,
    /** False: it is stored but ignored. */
    enabled: z.boolean(),
  })
  .strict();
export type RouteRule = z.infer<typeof routeRuleSchema>;

/** `listed`: as written. `cheapest`: by what this request costs at each. `fastest`: by measured time to the first byte. */
export const routeOrderSchema = z.enum(["listed", "cheapest", "fastest"]);
export type RouteOrder = z.infer<typeof routeOrderSchema>;

export const routeSchema = z
  .object({
    name: aliasNameSchema,
    models: chain,
    order: routeOrderSchema,
    /** A session stays with the model that responded to it, so that prompt caches stay warm, and returns when that is healthy again. */
    sticky: z.boolean(),
    /** The first matching rule decides. */
    rules: z.array(routeRuleSchema).max(20),
    enabled: z.boolean(),
  })
  .strict();
export type Route = z.infer<typeof routeSchema>;

/** Fields of a route; a missing one has its default value when a route is made. */
export const setRouteSchema = z
  .object({
    name: aliasNameSchema,
    /** The route that is called so from now on; keys that are allowed it by its name are allowed it by the new one. */
    renames: aliasNameSchema.optional(),
    models: chain,
    order: routeOrderSchema.optional(),
    sticky: z.boolean().optional(),
    rules: z.array(routeRuleSchema).max(20).optional(),
    enabled: z.boolean().optional(),
  })
  .strict();
export type SetRoute = z.infer<typeof setRouteSchema>;
