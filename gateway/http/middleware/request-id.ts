import { newRequestId } from "../../lib/ids.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Context, Next } from "../state.ts";

/** First of all: names the request, so that every answer, receipt and log line can be found by `x-request-id`. */
export function requestId(clock: Clock) {
  return function nameRequest(context: Context, next: Next): Promise<void> {
    const id = newRequestId();
    const { state, res } = context;
    state.requestId = id;
    state.arrivedAt = clock.monotonic();
    state.family = "nested";
    state.key = null;
    state.body = undefined;
    state.raw = null;
    state.model = null;
    state.errorCode = null;
    res.setHeader("x-request-id", id);
    if (context.path.startsWith("/v1/messages")) {
      state.family = "anthropic";
      res.setHeader("request-id", id);
    } else if (isMcp(context.path)) {
      state.family = "jsonrpc";
    }
    return next();
  };
}

/** In every spelling that the router takes for it. */
function isMcp(path: string): boolean {
  return path.length <= 5 && /^\/mcp\/?$/i.test(path);
}
