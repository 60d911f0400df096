import { messages as anthropics } from "../anthropic/messages.ts";
import type { CountingAdapter } from "../provider.ts";
import type { WireRequest } from "../wire-request.ts";

/**
 * Anthropic's dialect for Claude, its count of tokens too; the key goes into `x-api-key`
 * (https://docs.aws.amazon.com/bedrock/latest/userguide/inference-messages-api.html and …/count-tokens.html, read
 * 2026-11-30).
 */
export const messages: CountingAdapter = {
  ...anthropics,
  toRequest: (call, secret) => buildWire(anthropics.toRequest(call, secret)),
  toCountRequest: (call, secret) => buildWire(anthropics.toCountRequest(call, secret)),
};

function buildWire(wire: WireRequest): WireRequest {
  const { authorization: _authorization, ...headers } = wire.headers;
  return { ...wire, path: `/anthropic${wire.path}`, headers };
}
