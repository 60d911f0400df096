import { declaredTool } from "../tool-shapes.ts";
import type { DeclaredTool } from "../tool-shapes.ts";
import type { Document } from "../translation.ts";
import { readRecord, readRecords, readText } from "./fields.ts";
import { buildObjectSchema } from "./object-schema.ts";
import type { ToolNames } from "./tool-names.ts";

/**
 * Converts `tools` and `tool_choice` to the chat dialect. Tools hosted or defined by Anthropic (with a dated `type` and
 * no `input_schema`) are dropped: no other provider supports them, and the response reports it (services/search). So
 * are `strict`, `cache_control` and `defer_loading`, which providers interpret differently or not at all.
 */
export function chatTools(body: Document, names: ToolNames): Document {
  const tools = readRecords(body["tools"]).flatMap((tool) => declaredTool(tool) ?? []);
  if (tools.length === 0) return {};
  return { tools: tools.map((tool) => chatTool(tool, names)), ...buildToolChoice(body["tool_choice"], tools, names) };
}

function chatTool({ name, description, schema }: DeclaredTool, names: ToolNames): Document {
  return {
    type: "function",
    function: {
      name: names.toProvider(name),
      ...(description === null ? {} : { description }),
      parameters: buildObjectSchema(schema),
    },
  };
}

function buildToolChoice(given: unknown, tools: readonly DeclaredTool[], names: ToolNames): Document {
  const choice = readRecord(given);
  const mapped = mappedChoice(choice, tools, names);
  return {
    ...(mapped === null ? {} : { tool_choice: mapped }),
    ...(choice["disable_parallel_tool_use"] === true ? { parallel_tool_calls: false } : {}),
  };
}

function mappedChoice(choice: Document, tools: readonly DeclaredTool[], names: ToolNames): unknown {
  switch (choice["type"]) {
    case "auto":
    case "none":
      return choice["type"];
    case "any":
      return "required";
    case "tool": {
      const name = readText(choice["name"]) ?? "";
      // A tool of Anthropic's own, dropped above, cannot be forced.
      if (!tools.some((tool) => tool.name === name)) return "auto";
      return { type: "function", function: { name: names.toProvider(name) } };
    }
    default:
      return null;
  }
}
