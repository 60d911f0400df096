import { GatewayError, errorBody, errorHeaders } from "../../core/errors.ts";
import { loggedError } from "../../core/logged-error.ts";
import { jsonRpcErrorBody } from "../../core/json-rpc-error.ts";
import type { Log } from "../../lib/log.ts";
import { StoreWriteError } from "../../store/store.ts";
import type { Context, Next } from "../state.ts";

/**
 * The only place that writes an error response. Expected failures (GatewayError) use the envelope of their route's
 * family; anything else is a bug: its location is logged, and the response has no details.
 */
export function errors(log: Log) {
  const respond = (context: Context, thrown: unknown): void => {
    const error = toGatewayError(thrown);
    const { state, res } = context;
    state.errorCode = error.code;
    if (error.code === "internal_error") log.error("bug", { id: state.requestId, ...loggedError(thrown) });
    if (res.headersSent) {
      // The response has started: the connection is broken, so that the client does not take a partial response as
      // complete.
      res.destroy();
      return;
    }
    const { family } = state;
    const body = JSON.stringify(
      family === "jsonrpc"
        ? jsonRpcErrorBody(error, state.body, state.requestId)
        : errorBody(error, family, state.requestId),
    );
    context.respond = false;
    res.writeHead(error.status, {
      ...errorHeaders(error),
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
    });
    res.end(body);
  };
  // Not an async function, which costs each request three times as much.
  return function responseErrors(context: Context, next: Next): Promise<void> {
    return next().catch((thrown: unknown) => respond(context, thrown));
  };
}

function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof StoreWriteError) {
    return new GatewayError("storage_unavailable", `Nothing was changed: ${thrown.message}`, { cause: thrown });
  }
  return new GatewayError(
    "internal_error",
    "Postern made a mistake. The log has the details under this request's id.",
    { cause: thrown },
  );
}
