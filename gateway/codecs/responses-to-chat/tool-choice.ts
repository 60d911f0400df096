import { GatewayError } from "../../core/errors.ts";
import { asList, isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";
import type { ToolIndex } from "./tools.ts";

/** Returns `tools`, `tool_choice` and `parallel_tool_calls` of the chat request; empty without tools. */
export function toolSettings(body: Document, toolIndex: ToolIndex): Document {
  if (toolIndex.functions.length === 0) return {};
  return {
    tools: toolIndex.functions,
    ...readChoice(body["tool_choice"], toolIndex),
    parallel_tool_calls: body["parallel_tool_calls"],
  };
}

/** @throws GatewayError for a choice of a tool that is not there (400). */
function readChoice(choice: unknown, toolIndex: ToolIndex): Document {
  if (typeof choice === "string") return { tool_choice: readWord(choice) };
  if (!isRecord(choice)) return {};
  switch (choice["type"]) {
    case "function":
    case "custom":
      return { tool_choice: { type: "function", function: { name: readName(choice, toolIndex) } } };
    case "allowed_tools": {
      // Only OpenAI's own chat API supports this form; restricting the tools is equivalent.
      const allowed = new Set(asList(choice["tools"]).flatMap((tool) => allowedNames(tool, toolIndex)));
      const tools = toolIndex.functions.filter((tool) => allowed.has(readWireName(tool)));
      if (tools.length === 0) return { tool_choice: "none" };
      return { tools, tool_choice: choice["mode"] === "required" ? "required" : "auto" };
    }
    default:
      // A tool that runs at OpenAI, which is not among the tools here.
      return { tool_choice: "auto" };
  }
}

const WORDS: readonly string[] = ["auto", "none", "required"];

/** Another word is a client's own for another provider: the model decides. */
function readWord(choice: string): string {
  return WORDS.includes(choice) ? choice : "auto";
}

function readName(choice: Document, toolIndex: ToolIndex): string {
  const name = String(choice["name"]);
  const wireName = toolIndex.wireName(name, choice["namespace"]);
  if (toolIndex.functions.some((tool) => readWireName(tool) === wireName)) return wireName;
  throw new GatewayError(
    "invalid_value",
    `Invalid value for 'tool_choice.name': ${JSON.stringify(name.slice(0, 60))}; expected the name of one of the tools in 'tools'.`,
    { param: "tool_choice.name" },
  );
}

function allowedNames(tool: unknown, toolIndex: ToolIndex): readonly string[] {
  if (!isRecord(tool)) return [];
  if (tool["type"] !== "namespace") return [toolIndex.wireName(String(tool["name"]), tool["namespace"])];
  return toolIndex.functions
    .map(readWireName)
    .filter((wireName) => toolIndex.identify(wireName).namespace === tool["name"]);
}

function readWireName(tool: Document): string {
  return isRecord(tool["function"]) ? String(tool["function"]["name"]) : "";
}
