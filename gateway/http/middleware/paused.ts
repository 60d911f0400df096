import type { Pause } from "../../services/pause.ts";
import type { Check, Context } from "../state.ts";

/**
 * While the owner has paused Postern, what clients ask of the API and the tool server is sent away. Pages, their control
 * API and results of the library answer on, and so do the streams of tool clients that are open already.
 */
export function refuseWhenPaused(pause: Pause): Check {
  return function refusePaused(context: Context): void {
    if (pause.paused && isCall(context)) pause.require();
  };
}

function isCall({ state, method }: Context): boolean {
  // A browser shows its page why the call is refused, but not why the question before it is.
  if (state.isCrossOrigin && method === "OPTIONS") return false;
  return state.area === "v1" || (state.area === "mcp" && method === "POST");
}
