import { GatewayError } from "../../core/errors.ts";
import { LOOP_HEADER } from "../../services/calls/upstream-request.ts";
import type { Check, Context } from "../state.ts";

/** A request that this very process sent to a "provider" has come back: refuse it instead of sending it round for ever. */
export function refuseLoops(instanceId: string): Check {
  return function refuseLoop(context: Context): void {
    if (context.req.headers[LOOP_HEADER] === instanceId) {
      throw new GatewayError(
        "loop_detected",
        "A connection points back at Postern itself. Give it the provider's own base URL.",
      );
    }
  };
}
