import type { Router } from "@koa/router";
import { GatewayError } from "../../core/errors.ts";
import { methodNotAllowed } from "../method-not-allowed.ts";
import type { Context, RequestState } from "../state.ts";

/** A layer with so many methods is a catch-all, this one itself among them: it says nothing about the path. */
const ALL_METHODS = 10;

/** Last route of a router: the path is known with other methods (405), or not at all (404). */
export function unknownUrl(router: Router<RequestState>) {
  return function refuseUnknown(context: Context): never {
    const others = router
      .match(context.path, context.method)
      .path.filter((layer) => layer.methods.length > 0 && layer.methods.length < ALL_METHODS);
    const methods = [...new Set(others.flatMap((layer) => layer.methods))];
    if (methods.length > 0) throw methodNotAllowed(context, methods);
    throw new GatewayError("unknown_url", `Unknown request URL: ${context.method} ${context.path.slice(0, 200)}.`);
  };
}
