import { GatewayError } from "../../core/errors.ts";
import type { Context, Next } from "../state.ts";

/** While Postern drains, calls in flight end in peace and new ones are sent away. */
export function refuseWhenStopping(stopping: () => boolean) {
  return function refuseNew(context: Context, next: Next): Promise<void> {
    if (!stopping()) return next();
    context.res.shouldKeepAlive = false;
    throw new GatewayError("shutting_down", "Postern is stopping. Try again when it runs.", { retryAfter: 5 });
  };
}
