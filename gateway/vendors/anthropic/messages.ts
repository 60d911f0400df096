import { messagesUnits } from "../../core/chat/messages-usage.ts";
import { renamedBody } from "../renamed-body.ts";
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
    // Signatures of thinking, prompt caches and the position of the billing line depend on the client's own bytes
    // (upstreams reference 2.5).
    body: renamedBody(call),
  };
}
