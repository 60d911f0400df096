import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import type { AnswerFormat, Conversation, Message, ReasoningWish } from "../conversation/conversation.ts";
import { listOf, textOf, type Fields } from "../fields.ts";
import { countTokens } from "../tokens.ts";
import { messagesOf } from "./content.ts";
import { invalid, required, threadNotFound } from "./failure.ts";
import { numberIn, switchIn, wholeFrom } from "./fields.ts";
import { toolChoiceOf, toolsOf } from "./tools.ts";

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

function formatOf(config: unknown, messages: readonly Message[]): AnswerFormat {
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
