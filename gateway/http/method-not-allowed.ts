import { GatewayError } from "../core/errors.ts";
import type { Context } from "./state.ts";

/** Creates the error for an address that takes other methods. */
export function methodNotAllowed({ method, path }: Context, methods: readonly string[]): GatewayError {
  const allow = methods.join(", ");
  return new GatewayError("method_not_allowed", `${method} is not for ${path.slice(0, 200)}. It takes ${allow}.`, {
    headers: { allow },
  });
}

/** Tells whether the method is a read. @throws GatewayError method_not_allowed */
export function requireReading(context: Context): void {
  if (context.method !== "GET" && context.method !== "HEAD") throw methodNotAllowed(context, ["GET", "HEAD"]);
}
