import { GatewayError } from "../core/errors.ts";
import { loggedError } from "../core/logged-error.ts";
import type { Log } from "../lib/log.ts";
import { StoreWriteError } from "../store/store.ts";

/**
 * What is told of something that was thrown: the same split as in http/middleware/errors.ts. What is not expected is a
 * bug, logged by where it happened, told without details: its words may hold paths of this machine.
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
