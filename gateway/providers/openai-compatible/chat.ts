import { createChatUnits } from "../../core/chat/chat-usage.ts";
import { isRecord } from "../../lib/records.ts";
import { leastCached } from "../anthropic/least-cached.ts";
import { allowedInChat, setBound } from "../output-bound.ts";
import { withLessons } from "../lessons.ts";
import { buildOwnChat } from "../own-chat.ts";
import { buildSessionHeader } from "../session-header.ts";
import { findTraits } from "./server-table.ts";
import type { ServerTraits } from "../server-traits.ts";
import { buildBearerHeaders, renamedBody } from "../wire-request.ts";
import type { DialectCall } from "../wire-request.ts";
import type { BoundField } from "../output-bound.ts";
import type { DialectAdapter } from "../provider.ts";
import { chatReaches } from "./reaches.ts";

const BOTH: readonly BoundField[] = ["max_completion_tokens", "max_tokens"];

/**
 * Adds the output bound of a call with a hold. Unknown servers get both fields with the same value: some support only
 * the older one and ignore the other (Ollama), some only the newer.
 */
function addBound(call: DialectCall, { bound }: ServerTraits): Fields {
  return call.bound === null ? NONE : setBound(call, bound ?? BOTH);
}

type Fields = Readonly<Record<string, unknown>>;
const NONE = {};

/** Claude at a server that names models by their owners. */
const ANTHROPICS = /(?:^|\/)anthropic\//;

export const chat: DialectAdapter = {
  reaches: chatReaches,
  toRequest: (call, secret) => {
    const traits = withLessons(findTraits(call.origin, call.upstreamModel, call.raw === null), call.lessons);
    return {
      method: "POST",
      path: "/chat/completions",
      headers: { ...buildBearerHeaders(secret), ...buildSessionHeader(call, traits) },
      body: buildChatBody(
        call,
        { ...buildOwnChat(call, traits), ...addBound(call, traits) },
        traits.refused?.includes("stream_options") !== true,
      ),
    };
  },
  allows: allowedInChat,
  // OpenRouter, and gateways that name models as it does, pass the marks on to Anthropic (docs/providers/openai-compatible.md).
  cachesFrom: (upstreamModel) => (ANTHROPICS.test(upstreamModel) ? leastCached(upstreamModel) : null),
  toUnits: createChatUnits,
};

/**
 * Builds the body with minimal changes: the client's bytes with single members added, replaced or removed; usage is
 * always requested.
 * @param overrides fields that this provider needs changed; `undefined` removes one
 * @param asksUsage false for a server that refuses `stream_options`; its usage is counted here
 */
export function buildChatBody(
  call: DialectCall,
  overrides: Readonly<Record<string, unknown>>,
  asksUsage = true,
): Buffer | string {
  const options = call.body["stream_options"];
  if (!call.stream || !asksUsage || (isRecord(options) && options["include_usage"] === true))
    return renamedBody(call, overrides);
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
