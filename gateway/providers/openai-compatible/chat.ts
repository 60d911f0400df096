import { chatUnits } from "../../core/chat/chat-usage.ts";
import { isRecord } from "../../lib/records.ts";
import { leastCached } from "../anthropic/least-cached.ts";
import { withShortIds } from "../openai/call-ids.ts";
import { allowedInChat, boundedBy } from "../output-bound.ts";
import { ownMessages } from "./plain-messages.ts";
import { bearerHeaders, renamedBody } from "../wire-request.ts";
import type { DialectCall } from "../wire-request.ts";
import type { BoundField } from "../output-bound.ts";
import type { DialectAdapter } from "../provider.ts";
import { chatReaches } from "./reaches.ts";

const MAX_TOKENS: readonly BoundField[] = ["max_tokens"];
const MAX_COMPLETION_TOKENS: readonly BoundField[] = ["max_completion_tokens"];
const BOTH: readonly BoundField[] = ["max_completion_tokens", "max_tokens"];

/**
 * The field that bounds the whole response at known hosts, by the end of their name. Mistral refuses fields that it does not
 * know; Groq, Cerebras and Azure call `max_tokens` obsolete.
 */
const FIELDS: readonly (readonly [host: string, fields: readonly BoundField[]])[] = [
  ["api.mistral.ai", MAX_TOKENS],
  ["api.deepseek.com", MAX_TOKENS],
  ["openrouter.ai", MAX_TOKENS],
  ["api.moonshot.ai", MAX_TOKENS],
  ["api.moonshot.cn", MAX_TOKENS],
  ["open.bigmodel.cn", MAX_TOKENS],
  ["api.z.ai", MAX_TOKENS],
  ["api.together.xyz", MAX_TOKENS],
  ["api.fireworks.ai", MAX_TOKENS],
  ["api.perplexity.ai", MAX_TOKENS],
  ["api.groq.com", MAX_COMPLETION_TOKENS],
  ["api.cerebras.ai", MAX_COMPLETION_TOKENS],
  ["openai.azure.com", MAX_COMPLETION_TOKENS],
  ["api.openai.com", MAX_COMPLETION_TOKENS],
];

/** OpenAI's reasoning models, by name: wherever they are served, they refuse `max_tokens`. */
const REFUSES_MAX_TOKENS = /^(?:openai\/)?(?:gpt-(?:[5-9]|\d\d)|o\d)(?:[.-]|$)/;

/**
 * Changes that bound the responses of a call that money is held for. Servers that are not known get both fields with the
 * same value: some know only the older one and pass over the other (Ollama), some only the newer.
 */
function boundAtHost(call: DialectCall): Readonly<Record<string, unknown>> {
  if (call.bound === null) return NONE;
  const known = fieldsAt(call.origin);
  if (known !== null) return boundedBy(call, known);
  return boundedBy(call, REFUSES_MAX_TOKENS.test(call.upstreamModel) ? MAX_COMPLETION_TOKENS : BOTH);
}

const fieldsByOrigin = new Map<string, readonly BoundField[] | null>();

/** The fields of a known host; null for others. Origins are of connections, so they are few: taking one apart takes longer. */
function fieldsAt(origin: string): readonly BoundField[] | null {
  let fields = fieldsByOrigin.get(origin);
  if (fields === undefined) {
    const { hostname } = new URL(origin);
    fields = FIELDS.find(([host]) => hostname === host || hostname.endsWith(`.${host}`))?.[1] ?? null;
    fieldsByOrigin.set(origin, fields);
  }
  return fields;
}

type Fields = Readonly<Record<string, unknown>>;
const NONE = {};

/** Other gateways take Gemini's signatures and Anthropic's thinking back for those models; the rest would refuse them. */
const TAKES_ITS_OWN = /gemini|claude/i;

/** OpenAI's own models, behind an address that was connected as one of many. */
const OPENAIS = /(?:\.openai\.azure\.com|\/api\.openai\.com)$/;

function withOwnMessages({ body, upstreamModel, origin }: DialectCall, changes: Fields): Fields {
  const own = TAKES_ITS_OWN.test(upstreamModel) ? undefined : ownMessages(body);
  const messages = OPENAIS.test(origin) ? (withShortIds(own ?? body["messages"]) ?? own) : own;
  return messages === undefined ? changes : { ...changes, messages };
}

/** Claude at a server that names models by their owners. */
const ANTHROPICS = /(?:^|\/)anthropic\//;

export const chat: DialectAdapter = {
  reaches: chatReaches,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/chat/completions",
    headers: bearerHeaders(secret),
    body: chatBody(call, withOwnMessages(call, boundAtHost(call))),
  }),
  allows: allowedInChat,
  // OpenRouter, and gateways that name models as it does, pass the marks on to Anthropic (docs/providers/openai-compatible.md).
  cachesFrom: (upstreamModel) => (ANTHROPICS.test(upstreamModel) ? leastCached(upstreamModel) : null),
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
