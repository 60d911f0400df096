import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
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
  textOf,
} from "../fields.ts";
import { inputOf } from "./input.ts";
import { countTokens } from "../tokens.ts";

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

/**
 * Reads `tool_choice`: a word, one tool, or `allowed_tools`. Without tools it means nothing.
 * @throws Failure (400) when it names a tool that is not there
 */
function toolChoiceOf(value: unknown, tools: readonly Tool[]): ToolChoice {
  if (tools.length === 0) return { mode: "none", only: null };
  if (value === undefined || value === null || value === "auto") return { mode: "auto", only: null };
  if (value === "none" || value === "required") return { mode: value, only: null };
  if (!isRecord(value)) throw invalidValue("tool_choice", "use 'none', 'auto', 'required' or an object.");
  if (value["type"] === "allowed_tools") {
    const only = listOf(value["tools"])
      .filter(isRecord)
      .map((tool) => knownName(tool, tools));
    return { mode: value["mode"] === "required" ? "required" : "auto", only };
  }
  if (value["type"] !== "function" && value["type"] !== "custom") return { mode: "auto", only: null };
  return { mode: "required", only: [knownName(value, tools)] };
}

function knownName(choice: Fields, tools: readonly Tool[]): string {
  const name = textOf(choice["name"]);
  if (name === undefined) throw missing("tool_choice.name");
  if (tools.some((tool) => tool.name === name)) return name;
  throw new Failure(400, `Tool choice '${name.slice(0, 128)}' not found in 'tools' parameter.`, {
    param: "tool_choice",
  });
}
