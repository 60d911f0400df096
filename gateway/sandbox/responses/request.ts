import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import type { AnswerFormat, Conversation } from "../conversation/conversation.ts";
import { effortOf } from "../conversation/effort.ts";
import { Failure, invalidType, invalidValue, missing } from "../failure.ts";
import { listOf, textOf, type Fields } from "../fields.ts";
import { booleanOf, integerOf, numberOf } from "../parameters.ts";
import { countTokens } from "../tokens.ts";
import { inputOf } from "./input.ts";
import { toolChoiceOf, toolsOf } from "./tools.ts";

/** A request of the Responses API, validated as the provider would (docs/providers/openai.md#responses). */
export interface ResponsesRequest extends Conversation {
  readonly stream: boolean;
  /** Whether reasoning is told in summaries: only where it is asked for. */
  readonly summaries: boolean;
  /** As it came: the answer tells its settings back. */
  readonly body: Fields;
}

/**
 * Reads the body of a request. Fields that it does not know are ignored.
 * @param findModel the model of an id, or a Failure thrown when there is none
 * @throws Failure (400, 404) as OpenAI words it
 */
export function responsesRequestOf(body: unknown, findModel: (id: string) => ModelSpec): ResponsesRequest {
  if (!isRecord(body)) throw invalidType("body", "a JSON object");
  const model = textOf(body["model"]);
  if (body["model"] === undefined) throw missing("model");
  if (model === undefined) throw invalidType("model", "a string");
  const spec = findModel(model);
  refuseStored(body);
  const reasoning = isRecord(body["reasoning"]) ? body["reasoning"] : {};
  const messages = inputOf(body);
  const carried = listOf(body["input"]).filter((item) => isRecord(item) && item["type"] === "additional_tools");
  const tools = toolsOf([...listOf(body["tools"]), ...carried.flatMap((item) => listOf((item as Fields)["tools"]))]);
  numberOf(body, "temperature", 0, 2);
  numberOf(body, "top_p", 0, 1);
  const effort = effortOf(reasoning["effort"], spec, "reasoning.effort");
  return {
    model,
    spec,
    messages,
    choices: 1,
    stop: [],
    maxTokens: integerOf(body, "max_output_tokens", 1) ?? null,
    format: formatOf(body["text"]),
    tools,
    toolChoice: toolChoiceOf(body["tool_choice"], tools),
    parallelCalls: booleanOf(body, "parallel_tool_calls") ?? true,
    topLogprobs: topLogprobsOf(body),
    samplingSeed: null,
    reasoning: { asked: effort === null ? null : true, effort, budget: null },
    cacheKey: typeof body["prompt_cache_key"] === "string" && body["prompt_cache_key"] !== "",
    toolTokens: tools.length === 0 ? 0 : countTokens(JSON.stringify(body["tools"] ?? tools)),
    stream: booleanOf(body, "stream") ?? false,
    summaries: typeof reasoning["summary"] === "string",
    body,
  };
}

/** The sandbox holds no state: like OpenAI for what it does not have. */
function refuseStored(body: Fields): void {
  const previous = textOf(body["previous_response_id"]);
  if (previous === undefined) return;
  throw new Failure(400, `Previous response with id '${previous.slice(0, 100)}' not found.`, {
    param: "previous_response_id",
    code: "previous_response_not_found",
  });
}

function formatOf(text: unknown): AnswerFormat {
  const format = isRecord(text) ? text["format"] : undefined;
  if (format === undefined || format === null) return { kind: "text" };
  if (!isRecord(format)) throw invalidType("text.format", "an object");
  const type = format["type"];
  if (type === "text") return { kind: "text" };
  if (type === "json_object") return { kind: "json_object" };
  if (type !== "json_schema") {
    throw invalidValue("text.format.type", "supported values are 'text', 'json_object' and 'json_schema'.");
  }
  if (textOf(format["name"]) === undefined) throw missing("text.format.name");
  if (!isRecord(format["schema"])) throw missing("text.format.schema");
  return { kind: "json_schema", schema: format["schema"] };
}

function topLogprobsOf(body: Fields): number | null {
  const top = integerOf(body, "top_logprobs", 0, 20);
  const asked = listOf(body["include"]).includes("message.output_text.logprobs");
  return asked || (top ?? 0) > 0 ? (top ?? 0) : null;
}
