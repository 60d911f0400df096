import type { Tool, ToolChoice } from "../conversation/conversation.ts";
import { Failure, invalidType, invalidValue, missing } from "../failure.ts";
import { isRecord } from "../../lib/records.ts";
import { listOf, textOf, type Fields } from "../fields.ts";

/**
 * Reads `tools`.
 * @throws Failure (400) for a tool without a name. Kinds that are not known here are left out.
 */
export function toolsOf(value: unknown): Tool[] {
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
