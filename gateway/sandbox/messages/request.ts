import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import type {
  ResponseFormat,
  Conversation,
  Message,
  ReasoningWish,
  Tool,
  ToolChoice,
} from "../conversation/conversation.ts";
import { type Fields, listOf, textOf } from "../fields.ts";
import { messagesOf } from "./content.ts";
import { invalid, numberIn, required, switchIn, threadNotFound, wholeFrom } from "./failure.ts";
import { countTokens } from "../tokens.ts";

/** A request of the Messages API, validated as the provider would (docs/providers/anthropic.md#messages). */
export interface MessagesRequest extends Conversation {
  readonly stream: boolean;
  /** Whether prompts are to be cached. */
  readonly caches: boolean;
  /** Whether the text of what was thought stays away; its signature comes in any case. */
  readonly hidesThinking: boolean;
}

/**
 * Reads the body of a request. Fields that it does not know are ignored.
 * @param findModel the model of an id, or a Failure thrown when there is none
 * @param counting whether only tokens are to be counted: then no `max_tokens` is needed
 * @throws Failure (400, 404) as Anthropic words it
 */
export function messagesRequestOf(
  body: unknown,
  findModel: (id: string) => ModelSpec,
  counting: boolean,
): MessagesRequest {
  if (!isRecord(body)) throw invalid("body", "Input should be a valid dictionary");
  const model = textOf(body["model"]);
  if (body["model"] === undefined) throw required("model");
  if (model === undefined) throw invalid("model", "Input should be a valid string");
  const spec = findModel(model);
  const maxTokens = wholeFrom(body, "max_tokens", 1);
  if (maxTokens === null && !counting) throw required("max_tokens");
  if (isRecord(body["thread"]) && body["thread"]["type"] === "continue") {
    throw threadNotFound(textOf(body["thread"]["previous_message_id"])?.slice(0, 128) ?? "");
  }
  const messages = messagesOf(body);
  const tools = toolsOf(body["tools"]);
  const { choice, parallel } = toolChoiceOf(body, tools);
  numberIn(body, "temperature", 0, 1);
  numberIn(body, "top_p", 0, 1);
  const thinking = isRecord(body["thinking"]) ? body["thinking"] : {};
  return {
    model,
    spec,
    messages,
    choices: 1,
    stop: stopsOf(body["stop_sequences"]),
    maxTokens,
    format: formatOf(body["output_config"], messages),
    tools,
    toolChoice: choice,
    parallelCalls: parallel,
    topLogprobs: null,
    samplingSeed: null,
    reasoning: wishOf(thinking, body["output_config"], maxTokens),
    cacheKey: false,
    toolTokens: tools.length === 0 ? 0 : countTokens(JSON.stringify(body["tools"])),
    stream: switchIn(body, "stream"),
    caches: asksForCache(body),
    hidesThinking: thinking["display"] === "omitted",
  };
}

const LEAST_BUDGET = 1_024;

function wishOf(thinking: Fields, config: unknown, maxTokens: number | null): ReasoningWish {
  const effort = isRecord(config) ? (textOf(config["effort"]) ?? null) : null;
  if (thinking["type"] === "adaptive") return { asked: true, effort, budget: null };
  if (thinking["type"] !== "enabled") return { asked: false, effort, budget: null };
  const path = "thinking.enabled.budget_tokens";
  const budget = wholeFrom(thinking, "budget_tokens", LEAST_BUDGET, path);
  if (budget === null) throw required(path);
  if (maxTokens !== null && maxTokens <= budget) {
    throw invalid("max_tokens", "`max_tokens` must be greater than `thinking.budget_tokens`");
  }
  return { asked: true, effort, budget };
}

/** A model would follow the words in which other dialects' JSON mode reaches this one. */
const JSON_ONLY = /\banswer with (?:one|a) JSON object and nothing else\b/i;

function formatOf(config: unknown, messages: readonly Message[]): ResponseFormat {
  const format = isRecord(config) ? config["format"] : undefined;
  if (!isRecord(format)) {
    const isTold = messages.some(({ role, text }) => role === "system" && JSON_ONLY.test(text));
    return { kind: isTold ? "json_object" : "text" };
  }
  if (format["type"] !== "json_schema") throw invalid("output_config.format.type", "Input should be 'json_schema'");
  if (!isRecord(format["schema"])) throw required("output_config.format.schema");
  return { kind: "json_schema", schema: format["schema"] };
}

function stopsOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid("stop_sequences", "Input should be a valid array");
  return value.map((stop: unknown, index) => {
    const text = textOf(stop);
    if (text === undefined) throw invalid(`stop_sequences.${index}`, "Input should be a valid string");
    if (text.trim() === "") throw invalid("stop_sequences", "each stop sequence must contain non-whitespace");
    return text;
  });
}

/** `cache_control` may stand on the request, on tools, and on blocks of the system and of messages. */
function asksForCache(body: Fields): boolean {
  const blocks = [body, ...listOf(body["tools"]), ...listOf(body["system"])];
  const messages = listOf(body["messages"]).flatMap((message) => (isRecord(message) ? listOf(message["content"]) : []));
  return [...blocks, ...messages].some((block) => isRecord(block) && isRecord(block["cache_control"]));
}

/**
 * Reads `tools`. Those with a type of their own run at Anthropic and are left out, because the sandbox runs none.
 * @throws Failure (400) for a tool of the client's without a name or a schema
 */
function toolsOf(value: unknown): Tool[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid("tools", "Input should be a valid array");
  return value.flatMap((tool: unknown, index) => {
    const path = `tools.${index}`;
    if (!isRecord(tool)) throw invalid(path, "Input should be a valid dictionary");
    const { type, name, input_schema: parameters } = tool;
    if (typeof type === "string" && type !== "custom") return [];
    if (typeof name !== "string" || name === "") throw required(`${path}.custom.name`);
    if (!isRecord(parameters)) throw required(`${path}.custom.input_schema`);
    const description = textOf(tool["description"]) ?? "";
    return [{ kind: "function" as const, name, namespace: null, description, parameters }];
  });
}

/** Which tools may be called, and whether more than one at a time. */
interface Choice {
  readonly choice: ToolChoice;
  readonly parallel: boolean;
}

/** @throws Failure (400) for a choice of a tool that is not there */
function toolChoiceOf(body: Fields, tools: readonly Tool[]): Choice {
  const value = body["tool_choice"];
  const parallel = !isRecord(value) || value["disable_parallel_tool_use"] !== true;
  if (tools.length === 0) return { choice: { mode: "none", only: null }, parallel };
  if (value === undefined || value === null) return { choice: { mode: "auto", only: null }, parallel };
  if (!isRecord(value)) throw invalid("tool_choice", "Input should be a valid dictionary");
  switch (value["type"]) {
    case "auto":
      return { choice: { mode: "auto", only: null }, parallel };
    case "any":
      return { choice: { mode: "required", only: null }, parallel };
    case "none":
      return { choice: { mode: "none", only: null }, parallel };
    case "tool":
      return { choice: { mode: "required", only: [knownName(value, body, tools)] }, parallel };
    default:
      throw invalid("tool_choice", "Input tag must be one of 'auto', 'any', 'tool', 'none'");
  }
}

function knownName(value: Fields, body: Fields, tools: readonly Tool[]): string {
  const name = textOf(value["name"]);
  if (name === undefined) throw required("tool_choice.tool.name");
  const all = Array.isArray(body["tools"]) ? (body["tools"] as readonly unknown[]) : [];
  if (tools.some((tool) => tool.name === name) || all.some((tool) => isRecord(tool) && tool["name"] === name)) {
    return name;
  }
  throw invalid("tool_choice", `Tool '${name.slice(0, 128)}' not found in provided tools`);
}
