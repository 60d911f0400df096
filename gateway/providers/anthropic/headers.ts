import { isMessagesHeader } from "../../core/chat/messages-headers.ts";

/** The version that is asked for when the client names none (docs/specification.md#messages). */
const VERSION = "2023-06-01";

/**
 * Headers of a request to Anthropic (docs/providers/anthropic.md). Its keys go into `x-api-key`; OAuth tokens
 * (`sk-ant-oat…`) are taken as bearers only. Keys of another form belong to someone else who speaks Anthropic's
 * dialect: some take only the one header, some only the other, so both hold them. `secret` null for a proxy in front of
 * Anthropic that adds the key itself.
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
