import { createChatUnits } from "../../core/chat/chat-usage.ts";
import { FieldRules } from "../../core/keys/key-reach.ts";
import { isRecord } from "../../lib/records.ts";
import { buildChatBody } from "../openai-compatible/chat.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import type { AllowedOutput, DialectCall } from "../wire-request.ts";
import { buildOwnChat } from "../own-chat.ts";
import { OWN_TRAITS } from "../openai-compatible/server-table.ts";
import { CHAT_FILES, CHAT_TOOLS } from "../openai-compatible/reaches.ts";
import { readAllowed, readChatBounds, setBound, finite, isGiven, lower, needsBound } from "../output-bound.ts";
import type { BoundField } from "../output-bound.ts";
import type { DialectAdapter } from "../provider.ts";

const reaches = new FieldRules({
  hosted_tool: [CHAT_TOOLS],
  stored_object: [
    ...CHAT_FILES,
    ["messages[].content[].image_url.url", /^asset:/i],
    ["messages[].content[].video_url.url", /^asset:/i],
  ],
});

/** OpenAI's shape; Ark's own `thinking` passes through like any other field (docs/providers/ark.md#chat). */
export const chat: DialectAdapter = {
  reaches,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/chat/completions",
    headers: buildBearerHeaders(secret),
    body: buildChatBody(call, { ...buildOwnChat(call, OWN_TRAITS.ark), ...buildBounds(call) }),
  }),
  allows,
  toUnits: createChatUnits,
};

const WHOLE: readonly BoundField[] = ["max_completion_tokens"];
/** Ark takes no higher one. */
const HIGHEST = 65_536;

/**
 * `max_tokens` bounds the reply without reasoning, `max_completion_tokens` bounds both, and Ark refuses the two
 * together (volcengine.com/docs/82379): if reasoning must be bounded, only the latter is sent.
 */
function buildBounds(call: DialectCall): Readonly<Record<string, unknown>> {
  const { body, bound } = call;
  const most = bound === null ? null : Math.min(bound, HIGHEST);
  if (finite(bound) !== null && boundsReplyAlone(call)) return { max_tokens: undefined, max_completion_tokens: most };
  if (!needsBound(call)) return {};
  const fields = readFields(body);
  return setBound(fields === WHOLE && finite(bound) !== null ? { body, bound: most } : call, fields);
}

function readFields(body: DialectCall["body"]): readonly BoundField[] {
  return isGiven(body, "max_tokens") && !isGiven(body, "max_completion_tokens") ? ["max_tokens"] : WHOLE;
}

function allows(call: DialectCall): AllowedOutput {
  const { choices: responses, bound: requested } = readChatBounds(call.body);
  const open = boundsReplyAlone(call);
  return readAllowed(lower(open ? Infinity : requested, finite(call.bound)), responses, open ? null : requested);
}

/** Nothing in the request bounds the reasoning of a model that may reason. */
function boundsReplyAlone({ body, model }: DialectCall): boolean {
  const thinking = body["thinking"];
  const isOff = isRecord(thinking) && thinking["type"] === "disabled";
  return !isOff && !isGiven(body, "max_completion_tokens") && (model === null || model.reasoning !== undefined);
}
