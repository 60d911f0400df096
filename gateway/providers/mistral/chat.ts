import { chatUnits } from "../../core/chat/chat-usage.ts";
import { FieldRules } from "../../core/keys/key-reach.ts";
import { withoutFields } from "../openai-compatible/chat.ts";
import { bearerHeaders, renamedBody } from "../wire-request.ts";
import { CHAT_FILES, CHAT_TOOLS } from "../openai-compatible/reaches.ts";
import { allowedInChat, boundedBy } from "../output-bound.ts";
import type { BoundField } from "../output-bound.ts";
import type { DialectAdapter } from "../provider.ts";
import { sha256 } from "../../lib/ids.ts";
import { isRecord } from "../../lib/records.ts";
import { withoutForeign } from "../openai-compatible/plain-messages.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Of earlier turns, which clients give back as they got them, whoever gave them. */
const OF_OTHERS = ["reasoning_content", "reasoning", "thinking_blocks", "refusal", "annotations"] as const;

/**
 * Messages as Mistral takes them: `system` for `developer`, no `reasoning_content` of other providers
 * (https://github.com/charmbracelet/crush/issues/1590), and ids of calls that have its form.
 * @returns undefined where nothing has to change.
 */
function mistralMessages(messages: unknown): readonly unknown[] | undefined {
  const plain = withoutForeign(messages, OF_OTHERS, false, true);
  const given: readonly unknown[] = plain ?? (Array.isArray(messages) ? messages : []);
  const renamed = given.map(withOwnIds);
  const own = renamed.some((message, index) => message !== given[index]) ? renamed : plain;
  return bridged(own ?? given) ?? own;
}

const roleOf = (message: unknown): unknown => (isRecord(message) ? message["role"] : undefined);

/** A turn of the model that says nothing of its own; an empty one is refused. */
const BRIDGE = { role: "assistant", content: "OK." } as const;

/**
 * The messages with a turn of the model between results of tools and words of the user, which other providers take side by
 * side: pictures that a tool returned, what Claude Code says behind results, a turn that was interrupted. "Unexpected role
 * 'user' after role 'tool'", code 3230 (https://github.com/avante-corp/avante.nvim/pull/2695, read 2026-11-24).
 * @returns undefined where nothing has to change
 */
function bridged(messages: readonly unknown[]): readonly unknown[] | undefined {
  const needsBridge = (index: number): boolean =>
    roleOf(messages[index]) === "user" && roleOf(messages[index - 1]) === "tool";
  if (!messages.some((_, index) => needsBridge(index))) return undefined;
  return messages.flatMap((message, index) => (needsBridge(index) ? [BRIDGE, message] : [message]));
}

function withOwnIds(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const { tool_call_id: answered, tool_calls: calls } = message;
  const changes: Record<string, unknown> = {};
  if (typeof answered === "string" && !OWN_ID.test(answered)) changes["tool_call_id"] = ownId(answered);
  if (Array.isArray(calls) && calls.some(hasOtherId)) changes["tool_calls"] = calls.map(withOwnId);
  return Object.keys(changes).length === 0 ? message : { ...message, ...changes };
}

/** "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9" (https://github.com/anomalyco/opencode/issues/1680). */
const OWN_ID = /^[a-zA-Z0-9]{9}$/;

const hasOtherId = (call: unknown): call is Fields & { readonly id: string } =>
  isRecord(call) && typeof call["id"] === "string" && !OWN_ID.test(call["id"]);

const withOwnId = (call: unknown): unknown => (hasOtherId(call) ? { ...call, id: ownId(call.id) } : call);

/** The same id for the same call, in every request that has it. */
const ownId = (id: string): string => sha256(id).slice(0, 9);

const reaches = new FieldRules({ hosted_tool: [CHAT_TOOLS], stored_object: CHAT_FILES });

/**
 * OpenAI's shape, with Mistral's names for some fields. Mistral refuses every field that it does not know with a 422
 * (`extra_forbidden`; https://docs.mistral.ai/api, read 2026-11-23). Its own (`safe_prompt`, `prompt_mode`,
 * `prompt_cache_key`, …) pass.
 */
export const chat: DialectAdapter = {
  reaches,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/chat/completions",
    headers: bearerHeaders(secret),
    body: renamedBody(call, {
      ...withoutFields(call.body, NOT_MISTRALS),
      ...seedOf(call.body),
      ...messagesOf(call.body),
      ...boundedBy(call, BOUND),
    }),
  }),
  allows: allowedInChat,
  // `prompt_tokens_details.cached_tokens` as at OpenAI; whether reasoning is told apart is not documented.
  toUnits: chatUnits,
};

/**
 * Fields of OpenAI's that change nothing about the response. `stream_options` among them: usage comes with the last chunk
 * of every stream, and to be asked for it is a 422 (https://github.com/openai/openai-agents-python/issues/442). What
 * would change the response (`logprobs`, `logit_bias`) is Mistral's to refuse.
 */
const NOT_MISTRALS = [
  "stream_options",
  "user",
  "safety_identifier",
  "store",
  "prompt_cache_retention",
  "verbosity",
  "service_tier",
] as const;

/** "The maximum number of tokens to generate in the completion"; it knows no `max_completion_tokens`. */
const BOUND: readonly BoundField[] = ["max_tokens"];

/** Mistral's name for `seed`. */
function seedOf(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!("seed" in body)) return {};
  const { seed, random_seed: own } = body;
  return seed == null || own != null ? { seed: undefined } : { seed: undefined, random_seed: seed };
}

function messagesOf({ messages: given }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const messages = mistralMessages(given);
  return messages === undefined ? {} : { messages };
}
