import { chatUnits } from "../../core/chat/chat-usage.ts";
import { isRecord } from "../../lib/records.ts";
import { allowedInChat } from "../output-bound.ts";
import { renamedBody } from "../renamed-body.ts";
import type { DialectAdapter, DialectCall } from "../provider.ts";
import { boundAtHost } from "./bound-fields.ts";
import { bearerHeaders } from "./headers.ts";
import { chatReaches } from "./reaches.ts";

export const chat: DialectAdapter = {
  reaches: chatReaches,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/chat/completions",
    headers: bearerHeaders(secret),
    body: chatBody(call, boundAtHost(call)),
  }),
  allows: allowedInChat,
  toUnits: chatUnits,
};

/**
 * The body to send with the fewest changes: the client's own bytes, with a member put in, replaced or taken out where one
 * has to be; usage is always asked for.
 * @param overrides fields that this provider wants otherwise; `undefined` takes one out.
 */
export function chatBody(call: DialectCall, overrides: Readonly<Record<string, unknown>>): Buffer | string {
  const options = call.body["stream_options"];
  if (!call.stream || (isRecord(options) && options["include_usage"] === true)) return renamedBody(call, overrides);
  const asking = { ...(isRecord(options) ? options : {}), include_usage: true };
  return renamedBody(call, { ...overrides, stream_options: asking });
}

/** Overrides for `chatBody` that take out those of `fields` that the client sent. */
export function withoutFields(
  body: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Readonly<Record<string, undefined>> {
  const overrides: Record<string, undefined> = {};
  for (const field of fields) if (field in body) overrides[field] = undefined;
  return overrides;
}
