import * as z from "zod";
import { operation, none, type ControlOperation } from "./control-operation.ts";
import { routeSchema, setRouteSchema } from "./routes.ts";

/** The routes of the owner, as the pages and the `postern` command make and see them. */

const count = z.number().int().nonnegative();

export const routeViewSchema = routeSchema.extend({
  created_at: z.number().int(),
  /** The id of the model whose name the route has: calls by it go along the route. Null: it hides no model. */
  hides: z.string().nullable(),
  /** Models of the route, including its rules', that no enabled connection serves now. */
  unserved: z.array(z.string()),
});
export type RouteView = z.infer<typeof routeViewSchema>;

/** The effect that a route would have had on past requests. */
export const routeEffectSchema = z.object({
  /** Number of newest requests evaluated: for the route's name, or else for the first model of its chain. */
  looked_at: count,
  /** When the oldest of them was, Unix milliseconds; null without any. */
  since: z.number().int().nullable(),
  /** Requests that would have used another model, by count. */
  moved: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      /** Number of their rule, from 1; null: the route's default chain. */
      rule: z.number().int().positive().nullable(),
      requests: count,
      /** Their cost in 10⁻⁹ USD; null if one of them has no known price. */
      nano: count.nullable(),
      /** 10⁻⁹ USD that the same units cost at the other model; null without a price. */
      would_be_nano: count.nullable(),
    }),
  ),
});
export type RouteEffect = z.infer<typeof routeEffectSchema>;

const ok = z.object({ ok: z.literal(true) });

export const routeOperations = {
  /** Lists all routes, also disabled ones, in order of creation. */
  listRoutes: operation("GET", "/control/routes", none, z.object({ data: z.array(routeViewSchema) })),
  /** Creates a route, or replaces the one of this name. */
  setRoute: operation("POST", "/control/routes", setRouteSchema, routeViewSchema),
  /** Refused with `conflict` if keys would lose it, unless `confirm` is true. */
  removeRoute: operation(
    "POST",
    "/control/routes/remove",
    z.object({ name: z.string().min(1).max(100), confirm: z.boolean().optional() }).strict(),
    ok,
  ),
  /** Evaluates rules against the last thousand requests; changes nothing. */
  routeEffect: operation("POST", "/control/routes/effect", setRouteSchema, routeEffectSchema),
} as const satisfies Record<string, ControlOperation>;
