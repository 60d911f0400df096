import { GatewayError } from "../core/errors.ts";
import { identifyClient } from "../core/keys/client-name.ts";
import { getIdentity } from "../core/sessions/identity.ts";
import { isRecord } from "../lib/records.ts";
import type { OpenResponses } from "../http/open-responses.ts";
import { getKey } from "../http/call-input.ts";
import type { Context } from "../http/state.ts";
import type { Caller } from "./caller.ts";
import type { McpEndpoint } from "./endpoint.ts";
import { serveWeb } from "./web-bridge.ts";

/**
 * `/mcp`. Host, Origin, key and body were looked at before, by the middleware that guards /v1 too.
 * @param endpoint is made with the first request.
 */
export function getMcpRoute(endpoint: () => Promise<McpEndpoint>, answering: Pick<OpenResponses, "hold">) {
  return async function mcp(context: Context): Promise<void> {
    const { state, req, res } = context;
    const { body } = state;
    if (Array.isArray(body)) {
      throw new GatewayError(
        "invalid_body",
        "A request holds one JSON-RPC message. Send the messages of a batch one by one.",
      );
    }
    const served = await endpoint();
    context.respond = false;
    // A shutdown waits for responses, not for streams that stay open until one side closes them.
    if (isRecord(body) && body["method"] !== "subscriptions/listen") answering.hold(res);
    await serveWeb(req, res, (request) => served.fetch(request, getCaller(context), body));
  };
}

function getCaller(context: Context): Caller {
  const { state, req } = context;
  return {
    key: getKey(context),
    requestId: state.requestId,
    arrivedAt: state.arrivedAt,
    app: identifyClient(req.headers, null),
    identity: getIdentity(req.headers, null),
    note: (model, code) => {
      state.model = model;
      state.errorCode = code;
    },
  };
}
