import { messagesUnits } from "../../core/messages-usage.ts";
import { withTextField } from "../../lib/json-splice.ts";
import type { DialectCall, MessagesAdapter, WireRequest } from "../vendor.ts";
import { anthropicHeaders, forwardedHeaders } from "./headers.ts";

/**
 * Anthropic's own dialect (upstreams reference 2.1–2.4). Betas are chosen by their header alone: `?beta=true`, which
 * some SDKs write behind the path, is not passed on.
 */
export const messages: MessagesAdapter = {
  toRequest: (call, secret) => wire("/v1/messages", call, secret),
  toCountRequest: (call, secret) => wire("/v1/messages/count_tokens", call, secret),
  toUnits: messagesUnits,
};

function wire(path: string, call: DialectCall, secret: string | null): WireRequest {
  return {
    method: "POST",
    path,
    headers: { ...anthropicHeaders(secret), ...forwardedHeaders(call.headers) },
    body: messagesBody(call),
  };
}

/**
 * The client's own bytes: signatures of thinking, prompt caches and the position of the billing line depend on them
 * (upstreams reference 2.5). Only the model's id is put in the place of another name for it.
 */
function messagesBody(call: DialectCall): Buffer | string {
  if (call.raw !== null && !call.changed) {
    if (call.body["model"] === call.upstreamModel) return call.raw;
    const renamed = withTextField(call.raw, "model", call.upstreamModel);
    if (renamed !== null) return renamed;
  }
  return JSON.stringify({ ...call.body, model: call.upstreamModel });
}
