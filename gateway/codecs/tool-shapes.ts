import { isRecord } from "../lib/records.ts";
import type { Document } from "./translation.ts";

/** A function that a client offers, in whichever form it wrote it. */
export interface DeclaredTool {
  readonly name: string;
  readonly description: string | null;
  /** The schema of its parameters; undefined without parameters. */
  readonly schema: unknown;
  readonly strict: boolean | null;
}

/**
 * Reads a tool of any dialect: chat's `{type, function: {name, parameters}}`, Responses' `{type, name, parameters}` and
 * Anthropic's `{name, input_schema}`. Clients and libraries mix these in every dialect.
 * @returns null for anything but a client function: hosted or predefined tools, and tools without a name
 */
export function declaredTool(tool: Document): DeclaredTool | null {
  const inner = isRecord(tool["function"]) ? tool["function"] : tool;
  const { name, description, strict } = inner;
  const schema = inner["parameters"] ?? inner["input_schema"] ?? tool["input_schema"] ?? undefined;
  if (typeof name !== "string" || name === "") return null;
  const isOwn = schema !== undefined || inner !== tool || isPlain(tool["type"]);
  if (!isOwn) return null;
  return {
    name,
    description: typeof description === "string" && description !== "" ? description : null,
    schema,
    strict: typeof strict === "boolean" ? strict : null,
  };
}

/** Types of tools that clients run; Anthropic's own have a date in it. */
function isPlain(type: unknown): boolean {
  return type === undefined || type === null || type === "function" || type === "custom";
}
