import { newRequestId } from "../../lib/ids.ts";
import type { Clock } from "../../lib/clock.ts";
import { correctPath, getArea, isGooglePath } from "../area.ts";
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
    state.area = getArea(path);
    state.family = state.area === "mcp" ? "jsonrpc" : "nested";
    const isGoogle = state.area === "v1" && isGoogles(context);
    const isAnthropic = path.startsWith("/v1/messages") || (state.area === "v1" && namesVersion(context));
    state.isCrossOrigin = false;
    state.key = null;
    state.body = undefined;
    state.raw = null;
    state.model = null;
    state.errorCode = null;
    res.tell("x-request-id", id);
    if (isGoogle) state.family = "google";
    else if (isAnthropic) {
      state.family = "anthropic";
      res.tell("request-id", id);
    }
    return next();
  };
}

/** Operations of OpenAI alone, whose errors keep its shape whatever else a client sends. */
const OPENAI_PATHS = /^\/v1\/(?:chat|responses|embeddings|audio|moderations|images|videos|dashboard)(?:\/|$)/;

/**
 * Whether a client of Google's API asks: by its version, by its key's header, or by the operation of a model. Google's Python
 * SDK asks below `/v1`, the others below `/v1beta` (google-genai 3.6.1 of PyPI, 3.3.0 of npm, 2026-11-29).
 */
function isGoogles({ path, method, req }: Context): boolean {
  if (path.includes("/v1beta")) return isGooglePath(correctPath(path));
  if (req.headers["x-goog-api-key"] !== undefined) return !OPENAI_PATHS.test(path);
  return method === "POST" && path.startsWith("/v1/models/");
}

/** Whether a client of Anthropic's API asks for what both APIs have, or for what is not here. */
function namesVersion({ path, req }: Context): boolean {
  return req.headers["anthropic-version"] !== undefined && !OPENAI_PATHS.test(path);
}
