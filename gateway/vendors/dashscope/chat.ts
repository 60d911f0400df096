import { chatUnits } from "../../core/chat/chat-usage.ts";
import { chatBody } from "../openai-compatible/chat.ts";
import { bearerHeaders } from "../openai-compatible/headers.ts";
import { plainRoles } from "../openai-compatible/plain-messages.ts";
import type { DialectAdapter, DialectCall } from "../vendor.ts";

/** The compatible mode (upstreams reference 3.7). */
export const chat: DialectAdapter = {
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/compatible-mode/v1/chat/completions",
    headers: bearerHeaders(secret),
    body: chatBody(call, { ...thinking(call), ...limit(call), ...plainRoles(call.body) }),
  }),
  toUnits: (usage) => chatUnits(usage, "within"),
};

/**
 * Most models think or not by `enable_thinking` and know no effort (catalog/dashscope.ts): every effort but `none` asks
 * them to think. What the client says in DashScope's own words stands, and models that do take efforts get them. That a
 * model which only the vendor's list knows thinks by the same field is a guess.
 */
function thinking({ body, model }: DialectCall): Readonly<Record<string, unknown>> {
  const effort = body["reasoning_effort"];
  if (effort === undefined || (model?.reasoning?.efforts.length ?? 0) > 0) return {};
  const thinks = model === null || model.reasoning !== undefined;
  if (typeof effort !== "string" || !thinks || body["enable_thinking"] !== undefined)
    return { reasoning_effort: undefined };
  return { reasoning_effort: undefined, enable_thinking: effort !== "none" };
}

/**
 * DashScope's name for the most tokens of an answer. Whether it also knows `max_completion_tokens`, its documents do not
 * say; an answer without a limit would cost more than was asked for.
 */
function limit({ body }: DialectCall): Readonly<Record<string, unknown>> {
  const most = body["max_completion_tokens"];
  if (most === undefined) return {};
  return { max_completion_tokens: undefined, max_tokens: body["max_tokens"] ?? most };
}
