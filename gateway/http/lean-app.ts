import Koa from "koa";
import type { Context, Next, RequestState } from "./state.ts";

/** Koa's own method that `callback()` uses. It is not in its types; the version is pinned, and a test checks it. */
interface RequestHandler {
  handleRequest(context: Context, middleware: (context: Context) => Promise<void>): Promise<unknown>;
}

type Handler = (context: Context) => Promise<void>;

const usual = (Koa.prototype as unknown as RequestHandler).handleRequest;

/**
 * Koa, but for the busiest paths without the listener that it puts on the end of each response, without its own answer
 * step, and without a walk through all routes: those handlers and the error middleware write for themselves, and know
 * when a client leaves: 7 % of the CPU of a call.
 */
export class LeanApp extends Koa<RequestState> {
  readonly #busy = new Map<string, Handler>();

  /** Has a POST to this very path answered by `handler`, which writes the response itself. */
  busy(path: string, handler: Handler): void {
    this.#busy.set(path, handler);
  }

  /** The middleware that goes to the handlers of the busiest paths. It stands before the routers. */
  shortcut() {
    return (context: Context, next: Next): Promise<void> => {
      const handler = context.method === "POST" ? this.#busy.get(context.path) : undefined;
      return handler === undefined ? next() : handler(context);
    };
  }

  handleRequest(context: Context, middleware: Handler): Promise<unknown> {
    if (context.method !== "POST" || !this.#busy.has(context.path)) return usual.call(this, context, middleware);
    context.res.statusCode = 404;
    context.respond = false;
    return middleware(context).catch((error: unknown) => context.onerror(error as Error));
  }
}
