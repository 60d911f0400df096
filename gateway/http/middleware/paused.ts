import type { Pause } from "../../services/pause.ts";
import type { Context, Next } from "../state.ts";

/**
 * While the owner has paused Postern, what clients ask of the API and the tool server is sent away. Pages, their control
 * API and results of the library answer on, and so do the streams of tool clients that are open already.
 */
export function refuseWhenPaused(pause: Pause) {
  return function refusePaused(context: Context, next: Next): Promise<void> {
    if (pause.paused && isCall(context)) pause.require();
    return next();
  };
}

function isCall({ state, method }: Context): boolean {
  return state.area === "v1" || (state.area === "mcp" && method === "POST");
}
