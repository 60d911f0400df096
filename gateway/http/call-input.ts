import type { IncomingHttpHeaders } from "node:http";
import { identifyClient } from "../core/keys/client-name.ts";
import { getIdentity } from "../core/sessions/identity.ts";
import type { CallInput } from "../services/calls/paid-call.ts";
import type { RingKey } from "../services/keys/key-ring.ts";
import type { StreamedResponse } from "../services/calls/call-steps.ts";
import type { WholeResponse } from "../services/calls/whole-response.ts";
import { HttpReply } from "./http-reply.ts";
import type { Context } from "./state.ts";

/** Max bytes of a body that are copied rather than passed as a separate buffer. */
const ONE_PIECE = 8 * 1_024;

/** Builds the input of a paid call from its request. */
export function callInput(context: Context): CallInput {
  const { state, res } = context;
  return {
    requestId: state.requestId,
    arrivedAt: state.arrivedAt,
    key: getKey(context),
    app: getApp(context.req.headers, state.body),
    identity: getIdentity(context.req.headers, state.raw === null ? null : state.body),
    raw: state.raw,
    noteProvider: (provider) => {
      res.tell("x-postern-provider", provider);
    },
    note: (model, code) => {
      state.model = model;
      state.errorCode = code;
    },
  };
}

/**
 * Returns the app's name. The playground is the only page that sends these requests from Postern's own address; Host
 * and Origin were already checked, so other pages do not get here.
 */
function getApp(headers: IncomingHttpHeaders, body: unknown): string {
  return headers["sec-fetch-site"] === "same-origin" ? "Playground" : identifyClient(headers, body);
}

/** Returns the key of the request. Authentication comes first. */
export function getKey({ state }: Context): RingKey {
  if (state.key === null) throw new Error("authentication comes first");
  return state.key;
}

/** Returns the destination of a streamed response: once started, Koa must not respond too. */
export function createRecipient(context: Context): HttpReply {
  return new HttpReply(context.res, context);
}

/**
 * Writes a complete response directly, because Koa would process each header and the body's type again.
 * @param response not complete if it was streamed; null if the client has disconnected.
 */
export function sendWhole(context: Context, response: WholeResponse | StreamedResponse | null): void {
  context.respond = false;
  if (response === null || !("body" in response)) return;
  const { status, headers, body } = response;
  context.res.tell("content-length", String(body.length));
  context.res.writeHead(status, headers);
  // A short body leaves with its head, as one text in one piece; each byte is a character of it.
  if (body.length <= ONE_PIECE) context.res.end(body.toString("latin1"), "latin1");
  else context.res.end(body);
}
