import { GatewayError } from "../../core/errors.ts";
import type { Events } from "../../services/events.ts";
import type { ControlHandlers } from "../../contract/control.ts";
import type { Sessions } from "../control/sessions.ts";
import type { Context, Next } from "../state.ts";

type Middleware = (context: Context, next: Next) => Promise<void>;

/** Everything below `/control`. Its router is made at the first request, so that the start does not pay for it. */
export function createControlRoutes(handlers: ControlHandlers, sessions: Sessions, events: Events): Middleware {
  let routes: Promise<Middleware> | null = null;
  return async function serveControl(context: Context, next: Next): Promise<void> {
    if (context.path !== "/control" && !context.path.startsWith("/control/")) return next();
    routes ??= import("../control/router.ts").then(async ({ createControlRouter: controlRouter }) => {
      const router = await controlRouter(handlers, sessions, events);
      return router.routes() as unknown as Middleware;
    });
    await (
      await routes
    )(context, () => {
      throw new GatewayError("unknown_url", `Unknown request URL: ${context.method} ${context.path.slice(0, 200)}.`);
    });
  };
}
