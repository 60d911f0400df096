import { GatewayError } from "../../core/errors.ts";
import type { OpenResponses } from "../open-responses.ts";
import type { Check, Context } from "../state.ts";

/** While Postern drains, calls in flight end in peace and new ones are sent away; a stop waits for both. */
export function refuseWhenStopping(stopping: () => boolean, answering: Pick<OpenResponses, "hold">): Check {
  return function refuseNew(context: Context): void {
    if (context.state.area === "v1") answering.hold(context.res);
    if (!stopping()) return;
    context.res.shouldKeepAlive = false;
    throw new GatewayError("shutting_down", "Postern is stopping. Try again when it runs.", { retryAfter: 5 });
  };
}
