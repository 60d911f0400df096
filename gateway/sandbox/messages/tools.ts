import { isRecord } from "../../lib/records.ts";
import type { Tool, ToolChoice } from "../conversation/conversation.ts";
import { textOf, type Fields } from "../fields.ts";
import { invalid, required } from "./failure.ts";

/**
 * Reads `tools`. Those with a type of their own run at Anthropic and are left out, because the sandbox runs none.
 * @throws Failure (400) for a tool of the client's without a name or a schema
 */
export function toolsOf(value: unknown): Tool[] {
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
export interface Choice {
  readonly choice: ToolChoice;
  readonly parallel: boolean;
}

/** @throws Failure (400) for a choice of a tool that is not there */
export function toolChoiceOf(body: Fields, tools: readonly Tool[]): Choice {
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
