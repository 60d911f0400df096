import { buildObjectSchema } from "../messages-to-chat/object-schema.ts";
import { readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import type { ToolNames } from "../messages-to-chat/tool-names.ts";
import { declaredTool } from "../tool-shapes.ts";
import type { Document } from "../translation.ts";
import type { Message } from "./conversation.ts";

/** `tools` and `tool_choice` of the request, and whether the model has to call one. */
export interface ClaudeTools {
  readonly tools: readonly Document[];
  /** Null: as the model decides. */
  readonly choice: Document | null;
}

/**
 * Converts the functions of a chat request to Anthropic's tools. `strict` is dropped, because it needs a beta header;
 * so are hosted tools of other providers.
 */
export function claudeTools(body: Document, names: ToolNames): ClaudeTools {
  const allowed = allowedTools(body["tool_choice"]);
  const tools = readRecords(body["tools"]).flatMap((tool) => claudeTool(tool, names, allowed?.names ?? null));
  if (tools.length === 0) return { tools, choice: null };
  const choice = mappedChoice(allowed === null ? body["tool_choice"] : allowed.mode, names);
  if (body["parallel_tool_calls"] !== false || choice?.["type"] === "none") return { tools, choice };
  return { tools, choice: { ...(choice ?? { type: "auto" }), disable_parallel_tool_use: true } };
}

function claudeTool(tool: Document, names: ToolNames, allowed: ReadonlySet<unknown> | null): readonly Document[] {
  const declared = declaredTool(tool);
  if (declared === null || allowed?.has(declared.name) === false) return [];
  const { name, description, schema } = declared;
  return [
    {
      name: names.toProvider(name),
      ...(description === null ? {} : { description }),
      input_schema: buildClaudeSchema(schema),
      ...(tool["cache_control"] == null ? {} : { cache_control: tool["cache_control"] }),
    },
  ];
}

const CHOICES = ["oneOf", "anyOf", "allOf"] as const;

/**
 * Returns a tool's schema in the form that Anthropic accepts: "input_schema does not support oneOf, allOf, or anyOf at
 * the top level" (https://github.com/software-mansion/argent/issues/773, read 2026-11-28). The properties of all
 * variants are allowed but not required, and the description lists the variants.
 */
function buildClaudeSchema(given: unknown): Document {
  const schema = readRecord(given);
  const found = CHOICES.filter((choice) => Array.isArray(schema[choice]));
  if (found.length === 0) return buildObjectSchema(given);
  const forms = found.flatMap((choice) => readRecords(schema[choice]));
  const properties = Object.assign(
    {},
    ...forms.map((form) => readRecord(form["properties"])),
    schema["properties"],
  ) as Document;
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !CHOICES.some((choice) => choice === key)));
  const words = found.map((choice) => `${choice}: ${JSON.stringify(schema[choice])}`);
  const description = [readText(schema["description"]), ...words].filter((part) => part !== null).join("\n\n");
  return buildObjectSchema({ ...rest, properties, description });
}

/** OpenAI's `{"type":"allowed_tools","allowed_tools":{"mode","tools"}}`: a choice among some of the tools. */
function allowedTools(choice: unknown): { readonly names: ReadonlySet<unknown>; readonly mode: unknown } | null {
  if (readRecord(choice)["type"] !== "allowed_tools") return null;
  const allowed = readRecord(readRecord(choice)["allowed_tools"]);
  const names = readRecords(allowed["tools"]).map((tool) => readRecord(tool["function"])["name"] ?? tool["name"]);
  return { names: new Set(names), mode: allowed["mode"] };
}

function mappedChoice(choice: unknown, names: ToolNames): Document | null {
  const named = readText(readRecord(readRecord(choice)["function"])["name"]);
  if (named !== null) return { type: "tool", name: names.toProvider(named) };
  switch (choice) {
    case "auto":
    case "none":
      return { type: choice };
    case "required":
    case "any":
      return { type: "any" };
    default:
      return null;
  }
}

/** Whether a choice leaves the model no other response than a call. */
export function isForced(choice: Document | null): boolean {
  return choice?.["type"] === "any" || choice?.["type"] === "tool";
}

/**
 * Declares tools for a history with calls whose request has none, as clients send it for a final response: Anthropic
 * requires a declaration for such calls (from memory of its 400), and the tool choice prevents new calls.
 */
export function buildToolsOfHistory(messages: readonly Message[]): ClaudeTools {
  const called = new Set<unknown>();
  for (const message of messages) {
    for (const block of message.content) if (block["type"] === "tool_use") called.add(block["name"]);
  }
  if (called.size === 0) return { tools: [], choice: null };
  return {
    tools: [...called].map((name) => ({ name, input_schema: buildObjectSchema(null) })),
    choice: { type: "none" },
  };
}
