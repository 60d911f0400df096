import { requireReading } from "../method-not-allowed.ts";
import type { Context, Next } from "../state.ts";

/** `GET /health`: alive, and nothing else — strangers learn no version, no name, no path. */
export function health(context: Context, next: Next): Promise<void> | void {
  if (context.path !== "/health") return next();
  requireReading(context);
  context.set("cache-control", "no-store");
  context.body = { status: "ok" };
}
