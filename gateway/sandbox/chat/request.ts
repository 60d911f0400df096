import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { messagesOf } from "./messages.ts";
import {
  type AnswerFormat,
  type Conversation,
  effortOf,
  type Tool,
  type ToolChoice,
} from "../conversation/conversation.ts";
import {
  booleanOf,
  Failure,
  type Fields,
  integerOf,
  invalidType,
  invalidValue,
  listOf,
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

/**
 * Reads `tool_choice`: a word, one tool, or `allowed_tools`. Without tools it means nothing.
 * @throws Failure (400) when it names a tool that is not there
 */
function toolChoiceOf(value: unknown, tools: readonly Tool[]): ToolChoice {
  if (tools.length === 0) return { mode: "none", only: null };
  if (value === undefined || value === null || value === "auto") return { mode: "auto", only: null };
  if (value === "none" || value === "required") return { mode: value, only: null };
  if (!isRecord(value)) throw invalidValue("tool_choice", "use 'none', 'auto', 'required' or an object.");
  if (value["type"] !== "allowed_tools") return { mode: "required", only: [knownName(value, tools)] };
  const allowed = isRecord(value["allowed_tools"]) ? value["allowed_tools"] : value;
  const only = listOf(allowed["tools"])
    .filter(isRecord)
    .map((tool) => knownName(tool, tools));
  return { mode: allowed["mode"] === "required" ? "required" : "auto", only };
}

function knownName(choice: Fields, tools: readonly Tool[]): string {
  const kind = textOf(choice["type"]) ?? "function";
  const detail = isRecord(choice[kind]) ? choice[kind] : choice;
  const name = textOf(detail["name"]);
  if (name === undefined) throw missing(`tool_choice.${kind}.name`);
  if (tools.some((tool) => tool.name === name)) return name;
  throw new Failure(400, `Tool choice '${name.slice(0, 128)}' not found in 'tools' parameter.`, {
    param: "tool_choice",
  });
}
