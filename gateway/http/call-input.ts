import type { CallInput } from "../services/calls/paid-call.ts";
import type { RingKey } from "../services/keys/key-ring.ts";
import type { StreamedResponse } from "../services/calls/call-steps.ts";
import type { WholeResponse } from "../services/calls/whole-response.ts";
import { HttpReply } from "./http-reply.ts";
import type { Context } from "./state.ts";

/** What a paid story is told about its request. */
export function callInput(context: Context): CallInput {
  const { state, res } = context;
  return {
    requestId: state.requestId,
    arrivedAt: state.arrivedAt,
    key: keyOf(context),
    userAgent: context.req.headers["user-agent"] ?? "",
    raw: state.raw,
    asked: (provider) => {
      if (!res.headersSent) res.setHeader("x-postern-provider", provider);
    },
    note: (model, code) => {
      state.model = model;
      state.errorCode = code;
    },
  };
}

/** Whose request it is. Authentication comes first. */
export function keyOf({ state }: Context): RingKey {
  if (state.key === null) throw new Error("authentication comes first");
  return state.key;
}

/** Where a response goes that a service streams: from its beginning on, Koa must not answer too. */
export function recipient(context: Context): HttpReply {
  return new HttpReply(context.res, context);
}

/**
 * Writes a whole response here rather than by Koa, which would look at each header and at the body's type once more.
 * @param response not a whole one where it was streamed; null where nobody is there to take one.
 */
export function sendWhole(context: Context, response: WholeResponse | StreamedResponse | null): void {
  context.respond = false;
  if (response === null || !("body" in response)) return;
  context.res.writeHead(response.status, { ...response.headers, "content-length": response.body.length });
  context.res.end(response.body);
}
