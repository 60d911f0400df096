import { isRecord } from "../../lib/records.ts";
import type { Tool, ToolChoice } from "../conversation/conversation.ts";
import { Failure, invalidType, invalidValue, missing } from "../failure.ts";
import { listOf, textOf, type Fields } from "../fields.ts";

/**
 * Reads `tools`: functions and free-text tools, also those in namespaces. Tools that the provider runs itself are left
 * out, because the sandbox runs none.
 * @throws Failure (400) for a tool without a name
 */
export function toolsOf(value: unknown): Tool[] {
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
export function toolChoiceOf(value: unknown, tools: readonly Tool[]): ToolChoice {
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
