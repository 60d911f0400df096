import type { ModelSpec } from "../../core/models/model.ts";
import { takesThinkingBack } from "../returned-thinking.ts";
import type { Document, TranslationContext } from "../translation.ts";
import { chatMessages } from "./conversation.ts";
import { numberOf, recordOf, textOf } from "./fields.ts";
import { reasoningEffort } from "./reasoning.ts";
import { responseFormat } from "./response-format.ts";
import type { ToolNames } from "./tool-names.ts";
import { chatTools } from "./tools.ts";

/**
 * A Messages request in the chat dialect (docs/dialects.md#messages-request-to-chat). The rules of that dialect for its
 * model (core/chat-rules.ts) come after it.
 *
 * Dropped, because no other provider has them: `top_k`, `context_management`, `container`, `mcp_servers`, `service_tier`,
 * `cache_control`, and fields that are not known.
 * @throws GatewayError for media that only Anthropic can read (400).
 */
export function chatRequest(body: Document, context: TranslationContext, names: ToolNames): Document {
  return {
    model: context.publicModel,
    messages: chatMessages(body, names, takesThinkingBack(context.model)),
    ...limit(body["max_tokens"], context.model),
    ...(body["stream"] === true ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...sampling(body),
    ...stops(body["stop_sequences"]),
    ...chatTools(body, names),
    ...reasoningEffort(body, context.model),
    ...responseFormat(body),
    ...user(body["metadata"]),
  };
}

/** Anthropic's 0 (fill the cache, answer nothing) is 1 elsewhere: the least that other providers take. */
function limit(given: unknown, model: ModelSpec | null): Document {
  const most = numberOf(given);
  return most === null ? {} : { max_tokens: Math.max(1, Math.min(most, model?.maxOutput ?? most)) };
}

/** Only one of the two, as providers advise; `top_k` is not part of the chat dialect. */
function sampling(body: Document): Document {
  const temperature = numberOf(body["temperature"]);
  if (temperature !== null) return { temperature };
  const topP = numberOf(body["top_p"]);
  return topP === null ? {} : { top_p: topP };
}

function stops(given: unknown): Document {
  const sequences = Array.isArray(given) ? (given as readonly unknown[]).filter((stop) => textOf(stop) !== null) : [];
  return sequences.length === 0 ? {} : { stop: sequences };
}

const LONGEST_USER = 64;

/**
 * Longer ids than OpenAI takes are dropped. Cutting them could make one user of two; and a fingerprint would be of no
 * use, because what Claude Code sends is a JSON text with the id of its session, another one each time.
 */
function user(metadata: unknown): Document {
  const id = textOf(recordOf(metadata)["user_id"]);
  return id === null || id.length > LONGEST_USER ? {} : { user: id };
}
