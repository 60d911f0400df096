import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { messagesOf } from "./messages.ts";
import type { Conversation, Tool } from "../conversation/conversation.ts";
import { effortOf, formatOf, namedModel, toolChoiceOf } from "../conversation/openai-words.ts";
import {
  booleanOf,
  type Fields,
  integerOf,
  invalidType,
  invalidValue,
  missing,
  numberOf,
  stopOf,
  textOf,
} from "../fields.ts";
import { countTokens } from "../tokens.ts";

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
export function chatRequestOf(json: unknown, findModel: (id: string) => ModelSpec): ChatRequest {
  const { fields: body, model, spec } = namedModel(json, findModel);
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
    format: formatOf(body["response_format"], "response_format", "json_schema"),
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

/**
 * Whether the request switches thinking on or off, in any of the dialects that reach an OpenAI-shaped provider:
 * `reasoning_effort`, `thinking` (Anthropic, Ark, DeepSeek), `enable_thinking` (DashScope); null when it says nothing.
 */
function thinkingAsked(body: Fields): boolean | null {
  const thinking = isRecord(body["thinking"]) ? body["thinking"]["type"] : undefined;
  if (thinking === "disabled" || body["enable_thinking"] === false) return false;
  if (thinking !== undefined || body["enable_thinking"] === true) return true;
  return typeof body["reasoning_effort"] === "string" ? true : null;
}

/**
 * Reads `tools`.
 * @throws Failure (400) for a tool without a name. Kinds that are not known here are left out.
 */
function toolsOf(value: unknown): Tool[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalidType("tools", "an array of tools");
  return value.flatMap((tool: unknown, index) => {
    if (!isRecord(tool)) throw invalidType(`tools[${index}]`, "an object");
    const kind = tool["type"];
    if (kind === undefined) throw missing(`tools[${index}].type`);
    if (kind !== "function" && kind !== "custom") return [];
    const detail = tool[kind];
    if (!isRecord(detail)) throw missing(`tools[${index}].${kind}`);
    const name = textOf(detail["name"]);
    if (name === undefined || name === "") throw missing(`tools[${index}].${kind}.name`);
    const description = textOf(detail["description"]) ?? "";
    return [{ kind, name, namespace: null, description, parameters: detail["parameters"] ?? { type: "object" } }];
  });
}
