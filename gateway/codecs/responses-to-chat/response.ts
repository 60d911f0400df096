import { chatUnits } from "../../core/chat/chat-usage.ts";
import { estimatePromptTokens, estimateTextTokens } from "../../core/money/estimate.ts";
import { isRecord } from "../../lib/records.ts";
import type { Document, TranslationContext } from "../translation.ts";

/** How an answer of the chat API ended: a `status`, and the reason where it is incomplete. */
export interface Ending {
  readonly status: "completed" | "incomplete";
  readonly incomplete_details: { readonly reason: "max_output_tokens" | "content_filter" } | null;
}

/** Words of OpenAI, Mistral, llama.cpp and others for the same. */
const OUT_OF_TOKENS: ReadonlySet<unknown> = new Set(["length", "max_tokens", "model_length"]);
const FILTERED: ReadonlySet<unknown> = new Set(["content_filter", "safety", "sensitive"]);

export function endingOf(finishReason: unknown): Ending {
  if (OUT_OF_TOKENS.has(finishReason)) {
    return { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
  }
  if (FILTERED.has(finishReason)) return { status: "incomplete", incomplete_details: { reason: "content_filter" } };
  return { status: "completed", incomplete_details: null };
}

/** What all states of one response have in common: who answers, and the request's own settings told back. */
export function envelopeOf(request: Document, context: TranslationContext): Document {
  const reasoning = isRecord(request["reasoning"]) ? request["reasoning"] : {};
  const text = isRecord(request["text"]) ? request["text"] : {};
  return {
    id: `resp_${context.newId()}`,
    object: "response",
    created_at: context.now,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: request["instructions"] ?? null,
    max_output_tokens: request["max_output_tokens"] ?? null,
    max_tool_calls: request["max_tool_calls"] ?? null,
    model: context.publicModel,
    output: [],
    parallel_tool_calls: request["parallel_tool_calls"] ?? true,
    previous_response_id: null,
    prompt_cache_key: request["prompt_cache_key"] ?? null,
    reasoning: { effort: reasoning["effort"] ?? null, summary: reasoning["summary"] ?? null },
    safety_identifier: request["safety_identifier"] ?? null,
    service_tier: "default",
    store: false,
    temperature: request["temperature"] ?? 1,
    text: { ...text, format: text["format"] ?? { type: "text" } },
    tool_choice: request["tool_choice"] ?? "auto",
    tools: request["tools"] ?? [],
    top_logprobs: request["top_logprobs"] ?? 0,
    top_p: request["top_p"] ?? 1,
    truncation: "disabled",
    usage: null,
    user: request["user"] ?? null,
    metadata: request["metadata"] ?? {},
  };
}

/**
 * The vendor's `usage` in the words of the Responses API. Where it reports none, a local estimate: clients of this API
 * take a finished response without usage for a broken one.
 * @param chat the chat request, for the estimate.
 * @param delivered all text of the answer, likewise.
 */
export function usageOf(usage: unknown, chat: Document, delivered: string): Document {
  const units = chatUnits(usage) ?? {
    input: estimatePromptTokens(chat),
    output: Math.ceil(estimateTextTokens(delivered)),
  };
  const { input = 0, output = 0, cached_input = 0, cache_write = 0, reasoning = 0 } = units;
  const inputTokens = input + cached_input + cache_write;
  const outputTokens = output + reasoning;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cached_input, cache_write_tokens: cache_write },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: inputTokens + outputTokens,
  };
}
