import { METRICS_PATH } from "../area.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Context, Next } from "../state.ts";

/** Max logged refusals of one client per minute, so that it cannot fill the disk. */
const REFUSALS_PER_MINUTE = 20;
const MINUTE_MS = 60_000;

/**
 * Tells whether the request is polling by an open page or by Prometheus, which would bury clients' calls and errors in
 * the log.
 */
function isRegularLook({ method, state, path, res }: Context): boolean {
  return (
    (state.area === "own" || path === METRICS_PATH) && (method === "GET" || method === "HEAD") && res.statusCode < 400
  );
}

/**
 * Logs a line per finished request, except successful polling by the pages and Prometheus. Paths without queries; never
 * bodies or headers.
 */
export function accessLog(log: Log, clock: Clock) {
  let windowStart = Number.NEGATIVE_INFINITY;
  let refusals = 0;
  const write = (context: Context): void => {
    if (isRegularLook(context)) return;
    const { state } = context;
    const now = clock.monotonic();
    if (context.status === 401) {
      if (now - windowStart > MINUTE_MS) {
        windowStart = now;
        refusals = 0;
      }
      refusals += 1;
      if (refusals > REFUSALS_PER_MINUTE) return;
    }
    log.info("request", {
      id: state.requestId,
      method: context.method,
      path: context.path,
      status: context.res.statusCode,
      code: state.errorCode ?? undefined,
      key: state.key?.record.id,
      model: state.model ?? undefined,
      ms: Math.round((now - state.arrivedAt) * 10) / 10,
    });
  };
  // Not an async function, which costs each request three times as much.
  return function writeAccessLog(context: Context, next: Next): Promise<void> {
    return next().then(() => write(context));
  };
}
