import * as z from "zod";

export type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema of a tool's arguments or results, spelled so that clients with a smaller dialect take it too (the
 * inspector's strict mode names these): one `type` for each schema, and `true` for what may be anything.
 */
export function portableSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return respelled(z.toJSONSchema(schema, { io })) as JsonSchema;
}

function respelled(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(respelled);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([name, value]): [string, unknown] => {
    if (name === "additionalProperties" && isEmpty(value)) return [name, true];
    // Values of these are data, however much they look like a schema.
    return [name, name === "enum" || name === "const" || name === "default" ? value : respelled(value)];
  });
  const copy = Object.fromEntries(entries);
  return Array.isArray(copy["type"]) ? oneTypeEach(copy, copy["type"] as readonly string[]) : copy;
}

/** Words for people stay outside; what bounds a value goes with the branch that it is about. */
const OUTSIDE: ReadonlySet<string> = new Set(["title", "description", "default", "examples", "$schema"]);

function oneTypeEach(schema: JsonSchema, types: readonly string[]): JsonSchema {
  const { type: _type, ...rest } = schema;
  const outside = Object.entries(rest).filter(([name]) => OUTSIDE.has(name));
  const bounds = Object.entries(rest).filter(([name]) => !OUTSIDE.has(name));
  const branches = types.map((type) => (type === "null" ? { type } : { type, ...Object.fromEntries(bounds) }));
  return { ...Object.fromEntries(outside), anyOf: branches };
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
