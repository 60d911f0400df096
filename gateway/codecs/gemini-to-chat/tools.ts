import type { Document } from "../translation.ts";
import { asList } from "../../lib/records.ts";
import { readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import { buildJsonSchema } from "./schema.ts";

/** The tools of a request that Google runs itself, by their names in snake_case: `google_search`, `code_execution`, … */
export function listHostedTools(tools: unknown): readonly string[] {
  const names = readRecords(tools).flatMap((tool) =>
    Object.keys(tool).filter((name) => name !== "functionDeclarations" && tool[name] != null),
  );
  return [...new Set(names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)))];
}

/**
 * Converts `tools` and `toolConfig` to Anthropic's format. Google's hosted tools keep their name as a type: they are
 * not sent to other providers, but limits, rules and receipts see them.
 */
export function buildTools(body: Document): Document {
  const config = readRecord(readRecord(body["toolConfig"])["functionCallingConfig"]);
  const allowed = new Set(asList(config["allowedFunctionNames"]));
  const declared = readRecords(body["tools"]).flatMap((tool) => readRecords(tool["functionDeclarations"]));
  const named = declared.map(buildTool).filter((tool) => tool !== null);
  const functions = allowed.size === 0 ? named : named.filter(({ name }) => allowed.has(name));
  const hosted = listHostedTools(body["tools"]).map((type): Document => ({ type }));
  if (functions.length + hosted.length === 0) return {};
  return { tools: [...functions, ...hosted], ...buildChoice(config["mode"], functions) };
}

function buildTool(declaration: Document): Document | null {
  const name = readText(declaration["name"]);
  if (name === null) return null;
  const schema = declaration["parametersJsonSchema"] ?? buildJsonSchema(declaration["parameters"]) ?? {};
  const description = readText(declaration["description"]);
  return { name, ...(description === null ? {} : { description }), input_schema: readRecord(schema) };
}

/** `VALIDATED` lets the model choose, like `AUTO`. */
function buildChoice(mode: unknown, functions: readonly Document[]): Document {
  const [first] = functions;
  if (first === undefined) return {};
  if (mode === "NONE") return { tool_choice: { type: "none" } };
  if (mode !== "ANY") return {};
  return { tool_choice: functions.length === 1 ? { type: "tool", name: first["name"] } : { type: "any" } };
}
