import type { Router } from "@koa/router";
import { readGeminiAddress } from "../../contract/gemini-address.ts";
import { GatewayError } from "../../core/errors.ts";
import { methodNotAllowed } from "../method-not-allowed.ts";
import type { Context, RequestState } from "../state.ts";

/**
 * Methods of a layer from which it counts as a catch-all, like this middleware itself, which says nothing about the
 * path.
 */
const ALL_METHODS = 10;

/** A word without a digit is not a video id but an unknown operation: `POST /v1/videos/edits`. */
const NO_VIDEO = /^\/v1\/videos\/[a-z_]+$/;

/** Last route of a router: the path is known with other methods (405), or not at all (404). */
export function unknownUrl(router: Router<RequestState>) {
  return function refuseUnknown(context: Context): never {
    const others = router
      .match(context.path, context.method)
      .path.filter(({ methods }) => methods.length > 0 && methods.length < ALL_METHODS)
      .filter(({ paramNames }) => paramNames.length === 0 || !NO_VIDEO.test(context.path));
    // A model of that name can be read, but the operation after it is not here.
    if (context.method === "POST" && readGeminiAddress(context.path) !== null) throw createUnknown(context);
    const methods = [...new Set(others.flatMap((layer) => layer.methods))];
    if (methods.length > 0) throw methodNotAllowed(context, methods);
    throw createUnknown(context);
  };
}

function createUnknown({ method, path }: Context): GatewayError {
  return new GatewayError("unknown_url", `Unknown request URL: ${method} ${path.slice(0, 200)}.`);
}
