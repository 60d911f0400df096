import { GatewayError } from "../core/errors.ts";
import { loggedError } from "../core/logged-error.ts";
import type { Log } from "../lib/log.ts";
import { StoreWriteError } from "../store/store.ts";

/**
 * Returns the client's error for anything thrown: the same split as in http/middleware/errors.ts. Unexpected errors are
 * bugs: their location is logged, and details are hidden, because they may contain paths of this machine.
 */
export function expectedError(thrown: unknown, requestId: string, log: Log): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof StoreWriteError) {
    return new GatewayError("storage_unavailable", `Nothing was changed: ${thrown.message}`, { cause: thrown });
  }
  log.error("bug", { id: requestId, ...loggedError(thrown) });
  return new GatewayError(
    "internal_error",
    "Postern made a mistake. The log has the details under this request's id.",
    { cause: thrown },
  );
}
