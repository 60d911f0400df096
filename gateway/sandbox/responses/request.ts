import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import type { Conversation, Tool } from "../conversation/conversation.ts";
import { effortOf, formatOf, namedModel, toolChoiceOf } from "../conversation/openai-words.ts";
import {
  booleanOf,
  Failure,
  type Fields,
  integerOf,
  invalidType,
  listOf,
  missing,
  numberOf,
  textOf,
} from "../fields.ts";
import { inputOf } from "./input.ts";
import { countTokens } from "../tokens.ts";

/** A request of the Responses API, validated as the provider would (docs/providers/openai.md#responses). */
export interface ResponsesRequest extends Conversation {
  readonly stream: boolean;
  /** Whether reasoning is told in summaries: only where it is asked for. */
  readonly summaries: boolean;
  /** As it came: the response tells its settings back. */
  readonly body: Fields;
}

/**
 * Reads the body of a request. Fields that it does not know are ignored.
 * @param findModel the model of an id, or a Failure thrown when there is none
 * @throws Failure (400, 404) as OpenAI words it
 */
export function responsesRequestOf(json: unknown, findModel: (id: string) => ModelSpec): ResponsesRequest {
  const { fields: body, model, spec } = namedModel(json, findModel);
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
    format: formatOf(isRecord(body["text"]) ? body["text"]["format"] : undefined, "text.format", null),
    tools,
    toolChoice: toolChoiceOf(withoutHosted(body["tool_choice"]), tools),
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

function topLogprobsOf(body: Fields): number | null {
  const top = integerOf(body, "top_logprobs", 0, 20);
  const asked = listOf(body["include"]).includes("message.output_text.logprobs");
  return asked || (top ?? 0) > 0 ? (top ?? 0) : null;
}

/**
 * Reads `tools`: functions and free-text tools, also those in namespaces. Tools that the provider runs itself are left
 * out, because the sandbox runs none.
 * @throws Failure (400) for a tool without a name
 */
function toolsOf(value: unknown): Tool[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalidType("tools", "an array of tools");
  return value.flatMap((tool: unknown, index) => toolOf(tool, null, `tools[${index}]`));
}

function toolOf(tool: unknown, namespace: string | null, param: string): Tool[] {
  if (!isRecord(tool)) throw invalidType(param, "an object");
  const kind = tool["type"];
  if (kind === undefined) throw missing(`${param}.type`);
  if (kind !== "function" && kind !== "custom" && kind !== "namespace") return [];
  const name = textOf(tool["name"]);
  if (name === undefined || name === "") throw missing(`${param}.name`);
  if (kind === "namespace") {
    return listOf(tool["tools"]).flatMap((inner, index) => toolOf(inner, name, `${param}.tools[${index}]`));
  }
  const description = textOf(tool["description"]) ?? "";
  return [{ kind, name, namespace, description, parameters: tool["parameters"] ?? { type: "object" } }];
}

/** A choice of a tool that runs at OpenAI is none here. */
function withoutHosted(choice: unknown): unknown {
  return isRecord(choice) && !["function", "custom", "allowed_tools"].includes(String(choice["type"]))
    ? "auto"
    : choice;
}
