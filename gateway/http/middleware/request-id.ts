import { newRequestId } from "../../lib/ids.ts";
import type { Clock } from "../../lib/clock.ts";
import { areaOf } from "../area.ts";
import type { Context, Next } from "../state.ts";

/**
 * First of all: names the request, so that every response, receipt and log line can be found by `x-request-id`, and says
 * what it asks for.
 */
export function requestId(clock: Clock) {
  return function nameRequest(context: Context, next: Next): Promise<void> {
    const id = newRequestId();
    const { state, res, path } = context;
    state.requestId = id;
    state.arrivedAt = clock.monotonic();
    state.area = areaOf(path);
    state.family = state.area === "mcp" ? "jsonrpc" : "nested";
    state.key = null;
    state.body = undefined;
    state.raw = null;
    state.texts = null;
    state.model = null;
    state.errorCode = null;
    res.tell("x-request-id", id);
    if (path.startsWith("/v1/messages")) {
      state.family = "anthropic";
      res.tell("request-id", id);
    }
    return next();
  };
}
