import { buildObjectSchema } from "../messages-to-chat/object-schema.ts";
import { isRecord } from "../../lib/records.ts";
import { readRecord, readRecords } from "../messages-to-chat/fields.ts";
import { declaredTool } from "../tool-shapes.ts";
import type { Document } from "../translation.ts";

/** Builds `tools`, `tool_choice` and `parallel_tool_calls`; the latter two are omitted without a tool. */
export function buildToolFields(body: Document): Document {
  const tools = [...readRecords(body["tools"]).flatMap(flatTool), ...buildWebSearch(body["web_search_options"])];
  if (tools.length === 0) return {};
  const choice = buildFlatChoice(body["tool_choice"]);
  return {
    tools,
    ...(choice === null ? {} : { tool_choice: choice }),
    ...(typeof body["parallel_tool_calls"] === "boolean" ? { parallel_tool_calls: body["parallel_tool_calls"] } : {}),
  };
}

/** Drops hosted tools of other providers: OpenAI supports no other tools of the chat dialect. */
function flatTool(tool: Document): readonly Document[] {
  if (tool["type"] === "custom" && isRecord(tool["custom"])) {
    const { format, ...declared } = tool["custom"];
    return [
      { type: "custom", ...declared, ...(format == null ? {} : { format: buildFlatFormat(readRecord(format)) }) },
    ];
  }
  const declared = declaredTool(tool);
  if (declared === null) return [];
  const { name, description, schema, strict } = declared;
  return [
    {
      type: "function",
      name,
      ...(description === null ? {} : { description }),
      parameters: buildObjectSchema(schema),
      // The Responses API defaults to strict schemas with every property required; chat does not
      // (https://developers.openai.com/api/docs/guides/function-calling, quoted in
      // https://github.com/0xPlaygrounds/rig/issues/2477, read 2026-11-28).
      strict: strict === true,
    },
  ];
}

function buildFlatFormat({ type, grammar }: Document): Document {
  return { type, ...readRecord(grammar) };
}

/** Translates the chat dialect's option to a tool, whose location is nested one level less. */
function buildWebSearch(options: unknown): readonly Document[] {
  if (options == null) return [];
  const { user_location: location, search_context_size: size } = readRecord(options);
  const { type = "approximate", approximate } = readRecord(location);
  return [
    {
      type: "web_search",
      ...(size == null ? {} : { search_context_size: size }),
      ...(location == null ? {} : { user_location: { type, ...readRecord(approximate) } }),
    },
  ];
}

function buildFlatChoice(choice: unknown): unknown {
  if (choice === "any") return "required";
  if (typeof choice === "string") return choice;
  const { type, name, function: declared, custom, allowed_tools: allowed } = readRecord(choice);
  switch (type) {
    case "function":
    case "custom":
      return { type, name: readRecord(declared ?? custom)["name"] ?? name };
    case "allowed_tools": {
      const { mode, tools } = readRecord(allowed);
      return { type, mode: mode ?? "auto", tools: readRecords(tools).map(buildFlatChoice) };
    }
    default:
      return null;
  }
}
