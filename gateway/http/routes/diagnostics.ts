import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebReadableStream } from "node:stream/web";
import type { Diagnostics } from "../../services/diagnostics.ts";
import { methodNotAllowed } from "../method-not-allowed.ts";
import type { Context, Next } from "../state.ts";

/** Serves `GET /diagnostics/{token}`: a ZIP for a person who helps, by a link of the control API that works once. */
export function createDiagnosticsRoute(diagnostics: Diagnostics) {
  return async function serveDiagnostics(context: Context, next: Next): Promise<void> {
    const token = /^\/diagnostics\/([\w-]{1,100})$/.exec(context.path)?.[1];
    if (token === undefined) return next();
    if (context.method !== "GET") throw methodNotAllowed(context, ["GET"]);
    const { name, stream } = await diagnostics.open(token);
    context.respond = false;
    context.res.writeHead(200, {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
      "cross-origin-resource-policy": "same-origin",
    });
    await pipeline(Readable.fromWeb(stream as WebReadableStream), context.res);
  };
}
