import { newRequestId } from "../../lib/ids.ts";
import type { Clock } from "../../lib/clock.ts";
import { correctPath, getArea, isGooglePath, isOllamaPath, splitKeyOfPath } from "../area.ts";
import type { Context, Next } from "../state.ts";

/**
 * First middleware: assigns the request id, so that every response, receipt and log line can be found by
 * `x-request-id`, takes a key out of the path, so that no log has it, and determines the dialect.
 */
export function requestId(clock: Clock) {
  return function nameRequest(context: Context, next: Next): Promise<void> {
    const id = newRequestId();
    const { state, res } = context;
    const split = splitKeyOfPath(context.path);
    if (split !== null) context.path = split.path;
    const { path } = context;
    state.pathKey = split?.key ?? null;
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
    else if (isOllamaPath(path)) state.family = "ollama";
    else if (isAnthropic) {
      state.family = "anthropic";
      res.tell("request-id", id);
    }
    return next();
  };
}

/** Operations that only OpenAI has, whose errors always use its format. */
const OPENAI_PATHS =
  /^\/v1\/(?:chat|completions|responses|embeddings|audio|moderations|images|videos|dashboard)(?:\/|$)/;

/**
 * Tells whether the client uses Google's API: by the version, the key's header, or a model operation. Google's Python
 * SDK uses `/v1`, the others `/v1beta` (google-genai 3.6.1 of PyPI, 3.3.0 of npm, 2026-11-29).
 */
function isGoogles({ path, method, req }: Context): boolean {
  if (path.includes("/v1beta")) return isGooglePath(correctPath(path));
  if (req.headers["x-goog-api-key"] !== undefined) return !OPENAI_PATHS.test(path);
  return method === "POST" && path.startsWith("/v1/models/");
}

/** Tells whether a client of Anthropic's API uses a shared or an unknown path. */
function namesVersion({ path, req }: Context): boolean {
  return req.headers["anthropic-version"] !== undefined && !OPENAI_PATHS.test(path);
}
