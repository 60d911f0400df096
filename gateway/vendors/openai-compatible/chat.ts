import { chatUnits } from "../../core/chat/chat-usage.ts";
import { isRecord } from "../../lib/records.ts";
import type { DialectAdapter, DialectCall } from "../vendor.ts";
import { bearerHeaders } from "./headers.ts";

export const chat: DialectAdapter = {
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/chat/completions",
    headers: bearerHeaders(secret),
    body: chatBody(call, {}),
  }),
  toUnits: chatUnits,
};

/**
 * The body to send with the fewest changes: the client's own bytes where nothing has to change, those bytes with one
 * field put in front where only usage has to be asked for, and a new text only where a field has to go or change.
 * @param overrides fields that this vendor wants otherwise; `undefined` takes one out.
 */
export function chatBody(call: DialectCall, overrides: Readonly<Record<string, unknown>>): Buffer | string {
  const rename = call.body["model"] !== call.upstreamModel;
  const options = call.body["stream_options"];
  const asksUsage = isRecord(options) && options["include_usage"] === true;
  const addUsage = call.stream && !asksUsage;
  let overridden = false;
  for (const _ in overrides) overridden = true;
  if (call.raw !== null && !rename && !call.changed && !overridden) {
    if (!addUsage) return call.raw;
    if (options === undefined || options === null) {
      const spliced = options === undefined ? withUsageInFront(call.raw) : null;
      if (spliced !== null) return spliced;
    }
  }
  return JSON.stringify({
    ...call.body,
    ...overrides,
    model: call.upstreamModel,
    ...(addUsage ? { stream_options: { ...(isRecord(options) ? options : {}), include_usage: true } } : {}),
  });
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

const USAGE_FIELD = Buffer.from('"stream_options":{"include_usage":true},');
const OPENING_BRACE = 123;

/** `{"a":1}` becomes `{"stream_options":{…},"a":1}`; the object is known to be valid and not empty. */
function withUsageInFront(raw: Buffer): Buffer | null {
  const brace = raw.indexOf(OPENING_BRACE);
  if (brace < 0) return null;
  return Buffer.concat([raw.subarray(0, brace + 1), USAGE_FIELD, raw.subarray(brace + 1)]);
}
