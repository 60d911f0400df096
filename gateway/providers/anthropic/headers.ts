import { isMessagesHeader } from "../../core/chat/messages-headers.ts";

/** Default API version if the client sends none (docs/specification.md#messages). */
const VERSION = "2023-06-01";

/**
 * Headers of a request to Anthropic (docs/providers/anthropic.md). Its keys go into `x-api-key`; OAuth tokens
 * (`sk-ant-oat…`) are only accepted as bearer tokens. Keys of another form belong to other servers with Anthropic's
 * dialect: some accept only one of the headers, so both are sent. `secret` is null for a proxy that adds the key
 * itself.
 */
export function buildAnthropicHeaders(secret: string | null): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "accept-encoding": "identity",
    "anthropic-version": VERSION,
    ...buildCredential(secret),
  };
}

/** Returns the client's headers that are passed on unchanged. Names are lower-case. */
export function forwardedHeaders(client: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(client).filter(([name]) => isMessagesHeader(name)));
}

function buildCredential(secret: string | null): Record<string, string> {
  if (secret === null) return {};
  const bearer = { authorization: `Bearer ${secret}` };
  if (secret.startsWith("sk-ant-oat")) return bearer;
  return secret.startsWith("sk-ant-") ? { "x-api-key": secret } : { "x-api-key": secret, ...bearer };
}
