import type { Units } from "../../core/models/model.ts";
import { inputTokens, outputTokens } from "../../core/money/price.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { readFinish } from "../finish.ts";
import type { Document } from "../translation.ts";
import type { ResponsesContext } from "./item-memory.ts";

/** How a response of the chat API ended: a `status`, and the reason where it is incomplete. */
export interface Ending {
  readonly status: "completed" | "incomplete";
  readonly incomplete_details: { readonly reason: "max_output_tokens" | "content_filter" } | null;
}

/** @param choice of the chat API, with its end */
export function readEnding(choice: Document): Ending {
  switch (readFinish(choice)) {
    case "length":
      return { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    case "filtered":
      return { status: "incomplete", incomplete_details: { reason: "content_filter" } };
    default:
      return { status: "completed", incomplete_details: null };
  }
}

/** Returns the fields common to all states of a response: the model, and the request's own settings echoed. */
export function readEnvelope(request: Document, context: ResponsesContext): Document {
  const reasoning = isRecord(request["reasoning"]) ? request["reasoning"] : {};
  const text = isRecord(request["text"]) ? request["text"] : {};
  return {
    id: `resp_${context.newId()}`,
    object: "response",
    created_at: context.now,
    completed_at: null,
    status: "in_progress",
    background: false,
    error: null,
    frequency_penalty: request["frequency_penalty"] ?? 0,
    incomplete_details: null,
    instructions: request["instructions"] ?? null,
    max_output_tokens: request["max_output_tokens"] ?? null,
    max_tool_calls: request["max_tool_calls"] ?? null,
    model: context.publicModel,
    output: [],
    parallel_tool_calls: request["parallel_tool_calls"] ?? true,
    presence_penalty: request["presence_penalty"] ?? 0,
    previous_response_id: context.previous ?? null,
    prompt_cache_key: request["prompt_cache_key"] ?? null,
    reasoning: { effort: reasoning["effort"] ?? null, summary: reasoning["summary"] ?? null },
    safety_identifier: request["safety_identifier"] ?? null,
    service_tier: "default",
    store: false,
    temperature: request["temperature"] ?? 1,
    text: { ...text, format: text["format"] ?? { type: "text" } },
    tool_choice: request["tool_choice"] ?? "auto",
    tools: toolsEchoed(request["tools"]),
    top_logprobs: request["top_logprobs"] ?? 0,
    top_p: request["top_p"] ?? 1,
    truncation: "disabled",
    usage: null,
    user: request["user"] ?? null,
    metadata: request["metadata"] ?? {},
  };
}

/** How a response ended, and when: only a completed one has that moment. */
export function writeEnding(ending: Ending, { now, nowAtEnd }: ResponsesContext): Document {
  return ending.status === "completed" ? { ...ending, completed_at: nowAtEnd?.() ?? now } : { ...ending };
}

/**
 * Returns the request's tools as a response lists them: the specification requires every field of a function
 * (openresponses.org).
 */
export function toolsEchoed(tools: unknown): readonly unknown[] {
  return asList(tools).map((tool) => {
    if (!isRecord(tool)) return tool;
    if (tool["type"] === "namespace") return { ...tool, tools: toolsEchoed(tool["tools"]) };
    return tool["type"] === "function" ? { description: null, parameters: null, strict: null, ...tool } : tool;
  });
}

/** Returns usage in the fields of the Responses API, whose clients take a finished response without it for a broken one. */
export function readUsage(units: Units): Document {
  const inputs = inputTokens(units);
  const outputs = outputTokens(units);
  return {
    input_tokens: inputs,
    input_tokens_details: {
      cached_tokens: (units.cached_input ?? 0) + (units.cached_audio_input ?? 0),
      cache_write_tokens: (units.cache_write ?? 0) + (units.cache_write_1h ?? 0),
    },
    output_tokens: outputs,
    output_tokens_details: { reasoning_tokens: units.reasoning ?? 0 },
    total_tokens: inputs + outputs,
  };
}
