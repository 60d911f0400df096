import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { Failure, invalidType, invalidValue, listOf, missing, textOf, type Fields } from "../fields.ts";
import type { ResponseFormat, Attachment, Content, Message, Tool, ToolChoice } from "./conversation.ts";
import type { Plan } from "./plan.ts";

/** What OpenAI's protocols have in common, Chat Completions and Responses, in OpenAI's words. All throw Failure (400). */

/** A body's fields, and the model that it names. @throws Failure (404) from `findModel` */
export function namedModel(
  body: unknown,
  findModel: (id: string) => ModelSpec,
): { readonly fields: Fields; readonly model: string; readonly spec: ModelSpec } {
  if (!isRecord(body)) throw invalidType("body", "a JSON object");
  if (body["model"] === undefined) throw missing("model");
  const model = textOf(body["model"]);
  if (model === undefined) throw invalidType("model", "a string");
  return { fields: body, model, spec: findModel(model) };
}

/**
 * Refuses a prompt that is longer than the model's context, in OpenAI's words.
 * @param param the field that holds the prompt
 * @throws Failure (400)
 */
export function checkContext(spec: ModelSpec, plan: Plan, param: string): void {
  const limit = spec.contextLength;
  const { prompt } = plan.usage;
  if (limit === null || prompt <= limit) return;
  throw new Failure(
    400,
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${prompt} tokens.`,
    { param, code: "context_length_exceeded" },
  );
}

/**
 * The effort that a request asks for, where the model knows efforts; null where it says nothing.
 * @param param the field that holds it
 * @throws Failure (400) for one that the model does not have, in OpenAI's words
 */
export function effortOf(value: unknown, spec: ModelSpec, param: string): string | null {
  const efforts = spec.reasoning?.efforts ?? [];
  if (value === undefined || value === null || efforts.length === 0) return null;
  const effort = textOf(value);
  if (effort !== undefined && efforts.includes(effort)) return effort;
  const supported = efforts.map((known) => `'${known}'`).join(", ");
  const given = JSON.stringify(value).slice(0, 100);
  throw new Failure(400, `Unsupported value: '${param}' is ${given}. Supported values are: ${supported}.`, {
    param,
    code: "unsupported_value",
  });
}

/** @param roles those of the dialect, and whom they mean. */
export function roleOf(
  value: unknown,
  roles: Readonly<Record<string, Message["role"]>>,
  param: string,
): Message["role"] {
  if (value === undefined) throw missing(param);
  const role = typeof value === "string" && Object.hasOwn(roles, value) ? roles[value] : undefined;
  if (role !== undefined) return role;
  const known = Object.keys(roles).map((name) => `'${name}'`);
  throw invalidValue(param, `supported values are ${known.join(", ")}.`);
}

/** A text, or parts. @param textIn what a part says; undefined where it is attached. */
export function contentOf(
  value: unknown,
  param: string,
  textIn: (part: Fields) => string | undefined,
  attachmentIn: (part: Fields, param: string) => Attachment,
): Content {
  if (typeof value === "string") return { text: value, attachments: [] };
  if (!Array.isArray(value)) throw invalidType(param, "a string or an array of content parts");
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  value.forEach((part: unknown, index) => {
    if (!isRecord(part)) throw invalidType(`${param}[${index}]`, "an object");
    const text = textIn(part);
    if (text === undefined) attachments.push(attachmentIn(part, `${param}[${index}]`));
    else texts.push(text);
  });
  return { text: texts.join("\n"), attachments };
}

/** @param within the field that holds name and schema; null where they stand beside the type. */
export function formatOf(value: unknown, param: string, within: string | null): ResponseFormat {
  if (value === undefined || value === null) return { kind: "text" };
  if (!isRecord(value)) throw invalidType(param, "an object");
  const { type } = value;
  if (type === "text" || type === "json_object") return { kind: type };
  if (type !== "json_schema") {
    throw invalidValue(`${param}.type`, "supported values are 'text', 'json_object' and 'json_schema'.");
  }
  const detail = within === null ? value : value[within];
  const path = within === null ? param : `${param}.${within}`;
  if (!isRecord(detail)) throw missing(path);
  if (textOf(detail["name"]) === undefined) throw missing(`${path}.name`);
  if (within === null && !isRecord(detail["schema"])) throw missing(`${path}.schema`);
  return { kind: "json_schema", schema: detail["schema"] ?? {} };
}

/**
 * Reads `tool_choice`: a word, one tool, or `allowed_tools`. Without tools it means nothing.
 * @throws Failure (400) when it names a tool that is not there
 */
export function toolChoiceOf(value: unknown, tools: readonly Tool[]): ToolChoice {
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
