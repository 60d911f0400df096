import type { CallInput } from "../services/calls/paid-call.ts";
import type { RingKey } from "../services/keys/key-ring.ts";
import type { WholeAnswer } from "../services/calls/whole-answer.ts";
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

/** @returns what a story calls right before it begins to write to the response itself: then Koa must not answer too. */
export function takeOver(context: Context): () => void {
  return () => {
    context.respond = false;
  };
}

/** Writes an answer here rather than by Koa, which would look at each header and at the body's type once more. */
export function sendWhole(context: Context, answer: WholeAnswer): void {
  context.respond = false;
  context.res.writeHead(answer.status, { ...answer.headers, "content-length": answer.body.length });
  context.res.end(answer.body);
}
