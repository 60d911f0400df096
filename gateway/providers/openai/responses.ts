import { isCarried } from "../../codecs/carried-thinking.ts";
import { createChatUnits } from "../../core/chat/chat-usage.ts";
import { FieldRules } from "../../core/keys/key-reach.ts";
import { isRecord } from "../../lib/records.ts";
import { withoutLearned } from "../lessons.ts";
import { buildBearerHeaders, renamedBody } from "../wire-request.ts";
import type { DialectCall } from "../wire-request.ts";
import { readAllowed, readBound, finite, lower } from "../output-bound.ts";
import { withShortCallIds } from "./call-ids.ts";
import type { CountingAdapter } from "../provider.ts";
import { getLeastCached } from "./least-cached.ts";

/** Matches hosted tools: all but client tools and those that only search for client tools. */
const HOSTED =
  /^(?!(function|custom|namespace|local_shell|shell|apply_patch|tool_search|computer|computer_use_preview)$)/;

/** Items that are nothing but the id of something stored. */
const NAMING = /^(item_reference|image_generation_call)$/;

const reaches = new FieldRules({
  model: ["tools[].model", "input[].tools[].model"],
  hosted_tool: [
    ["tools[].type", HOSTED],
    ["tools[].tools[].type", HOSTED],
    ["input[].tools[].type", HOSTED],
    ["tools[].environment.type", /^container/],
  ],
  stored_object: [
    "previous_response_id",
    "conversation",
    "prompt",
    ["store", /^true$/],
    "tools[].vector_store_ids",
    // An object makes a new container.
    ["tools[].container", /./],
    "tools[].container.file_ids",
    "tools[].environment.container_id",
    "tools[].environment.file_ids",
    "tools[].input_image_mask.file_id",
    ["input[].type", NAMING],
    "input[].content[].file_id",
    "input[].output[].file_id",
  ],
});

/**
 * OpenAI's own Responses API (docs/providers/openai.md#responses): the client's bytes, unless the model has another
 * name there. Streams always report usage.
 */
export const responses: CountingAdapter = {
  reaches,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/responses",
    headers: buildBearerHeaders(secret),
    body: renamedBody(
      call,
      withOwnItems(call, { ...buildBounds(call), ...ignoredByReasoning(call), ...applyLessons(call) }),
    ),
  }),
  // The guide names no price for it (developers.openai.com/api/docs/guides/token-counting, 2026-11-30).
  toCountRequest: (call, secret) => ({
    method: "POST",
    path: "/responses/input_tokens",
    headers: buildBearerHeaders(secret),
    body: renamedBody(call, withOwnItems(call, {})),
  }),
  allows: ({ body, bound }) => {
    const requested = readBound(body["max_output_tokens"]);
    return readAllowed(lower(requested, finite(bound)), 1, requested);
  },
  cachesUnmarkedFrom: getLeastCached,
  toUnits: (usage) => (isRecord(usage) ? createChatUnits(inChatTerms(usage)) : null),
};

/** Fields that the client wrote in this dialect stay; those that a translation wrote may be left out. */
function applyLessons({ raw, body, lessons }: DialectCall): Readonly<Record<string, unknown>> {
  return raw === null ? withoutLearned(body, lessons) : {};
}

/** Ids of reasoning that Postern has made of what another provider thought; OpenAI's own are longer. */
const MADE_HERE = /^rs_[0-9A-Za-z]{24}$/;

/**
 * Removes reasoning of other models from a session's items: OpenAI identifies its own by id or encrypted content, and
 * refuses items with neither ("Item … not found").
 */
function withOwnItems(
  { body }: DialectCall,
  changes: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { input: given } = body;
  const own = Array.isArray(given) && given.some(isForeign) ? given.filter((item) => !isForeign(item)) : undefined;
  const input = withShortCallIds(own ?? given) ?? own;
  return input === undefined ? changes : { ...changes, input };
}

function isForeign(item: unknown): boolean {
  if (!isRecord(item) || item["type"] !== "reasoning") return false;
  if (typeof item["encrypted_content"] === "string") return isCarried(item["encrypted_content"]);
  return typeof item["id"] === "string" && MADE_HERE.test(item["id"]);
}

/** Fields that reasoning models refuse and chat drops (docs/specification.md#post-v1chatcompletions, rule 1). */
const IGNORED = ["temperature", "top_p", "top_logprobs"] as const;

function ignoredByReasoning({ body, model }: DialectCall): Readonly<Record<string, undefined>> {
  if (model?.reasoning?.dropsSampling !== true) return {};
  return Object.fromEntries(
    IGNORED.filter((field) => body[field] != null && !(field === "temperature" && body[field] === 1)).map((field) => [
      field,
      undefined,
    ]),
  );
}

/** `max_output_tokens` counts reasoning. */
function buildBounds({ body, bound }: DialectCall): Readonly<Record<string, unknown>> {
  const requested = readBound(body["max_output_tokens"]);
  const most = lower(requested, finite(bound));
  return most === null || most === requested ? {} : { max_output_tokens: most };
}

/**
 * Returns the figures under the names of the chat API: cached tokens are part of the input, reasoning of the output
 * (docs/providers/README.md#token-usage).
 */
function inChatTerms(usage: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    prompt_tokens: usage["input_tokens"],
    prompt_tokens_details: usage["input_tokens_details"],
    completion_tokens: usage["output_tokens"],
    completion_tokens_details: usage["output_tokens_details"],
    total_tokens: usage["total_tokens"],
  };
}
