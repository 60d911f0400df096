import type { ModelSpec } from "../../core/models/model.ts";
import type { AnswerFormat, Conversation } from "../conversation/conversation.ts";
import { effortOf } from "../conversation/effort.ts";
import { invalidType, invalidValue, missing } from "../failure.ts";
import { isRecord } from "../../lib/records.ts";
import { textOf, type Fields } from "../fields.ts";
import { booleanOf, integerOf, numberOf, stopOf } from "../parameters.ts";
import { countTokens } from "../tokens.ts";
import { messagesOf } from "./messages.ts";

import { thinkingAsked } from "./thinking.ts";
import { toolsOf, toolChoiceOf } from "./tools.ts";

/** A chat completion request, validated as the provider would (docs/providers/openai.md#chat). */
export interface ChatRequest extends Conversation {
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

const MOST_CHOICES = 128;

/**
 * Reads the body of a chat completion request. Fields that it does not know are ignored.
 * @param findModel the model of an id, or a Failure thrown when there is none
 * @throws Failure (400, 404) as OpenAI words it
 */
export function chatRequestOf(body: unknown, findModel: (id: string) => ModelSpec): ChatRequest {
  if (!isRecord(body)) throw invalidType("body", "a JSON object");
  const model = textOf(body["model"]);
  if (body["model"] === undefined) throw missing("model");
  if (model === undefined) throw invalidType("model", "a string");
  const spec = findModel(model);
  const sampling = spec.reasoning?.dropsSampling === true ? {} : body;
  const messages = messagesOf(body["messages"]);
  const tools = toolsOf(body["tools"]);
  const stream = booleanOf(body, "stream") ?? false;
  numberOf(sampling, "temperature", 0, 2);
  numberOf(sampling, "top_p", 0, 1);
  numberOf(sampling, "presence_penalty", -2, 2);
  numberOf(sampling, "frequency_penalty", -2, 2);
  return {
    model,
    spec,
    messages,
    choices: integerOf(body, "n", 1, MOST_CHOICES) ?? 1,
    stop: stopOf(sampling["stop"]),
    maxTokens: integerOf(body, "max_completion_tokens", 1) ?? integerOf(body, "max_tokens", 1) ?? null,
    format: formatOf(body["response_format"]),
    tools,
    toolChoice: toolChoiceOf(body["tool_choice"], tools),
    parallelCalls: booleanOf(body, "parallel_tool_calls") ?? true,
    topLogprobs: topLogprobsOf(sampling),
    samplingSeed: integerOf(body, "seed") ?? null,
    reasoning: {
      asked: thinkingAsked(body),
      effort: effortOf(body["reasoning_effort"], spec, "reasoning_effort"),
      budget: null,
    },
    cacheKey: typeof body["prompt_cache_key"] === "string" && body["prompt_cache_key"] !== "",
    stream,
    includeUsage: includeUsageOf(body["stream_options"], stream),
    toolTokens: tools.length === 0 ? 0 : countTokens(JSON.stringify(body["tools"])),
  };
}

function formatOf(value: unknown): AnswerFormat {
  if (value === undefined || value === null) return { kind: "text" };
  if (!isRecord(value)) throw invalidType("response_format", "an object");
  const type = value["type"];
  if (type === "text") return { kind: "text" };
  if (type === "json_object") return { kind: "json_object" };
  if (type !== "json_schema") {
    throw invalidValue("response_format.type", "supported values are 'text', 'json_object' and 'json_schema'.");
  }
  const detail = value["json_schema"];
  if (!isRecord(detail)) throw missing("response_format.json_schema");
  if (textOf(detail["name"]) === undefined) throw missing("response_format.json_schema.name");
  return { kind: "json_schema", schema: detail["schema"] ?? {} };
}

function topLogprobsOf(body: Fields): number | null {
  const top = integerOf(body, "top_logprobs", 0, 20);
  const asked = booleanOf(body, "logprobs") ?? false;
  if (top !== undefined && !asked) throw invalidValue("top_logprobs", "it needs 'logprobs' to be true.");
  return asked ? (top ?? 0) : null;
}

function includeUsageOf(value: unknown, stream: boolean): boolean {
  if (value === undefined || value === null) return false;
  if (!isRecord(value)) throw invalidType("stream_options", "an object");
  if (!stream) throw invalidValue("stream_options", "it is only allowed when 'stream' is true.");
  return booleanOf(value, "include_usage") ?? false;
}
