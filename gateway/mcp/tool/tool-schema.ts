import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { RingKey } from "../../services/keys/key-ring.ts";
import type { ListModels } from "../../services/models/list-models.ts";
import type { Tool } from "./tool.ts";
import * as z from "zod";

export type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema of a tool's arguments or results, in a form that clients with a smaller dialect also accept (by the
 * inspector's strict mode): a single `type` per schema, and `true` for any value.
 */
export function portableSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return respellSchema(z.toJSONSchema(schema, { io })) as JsonSchema;
}

function respellSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(respellSchema);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([name, value]): [string, unknown] => {
    if (name === "additionalProperties" && isEmpty(value)) return [name, true];
    // Values of these keywords are data, even if they look like a schema.
    return [name, name === "enum" || name === "const" || name === "default" ? value : respellSchema(value)];
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

/** So many model ids are named in a tool's schema; a model that wants more of them calls list_models. */
const MOST_NAMED = 30;

/** JSON Schemas of a tool, each created on first use, because arguments are shown without results. */
class ToolSchemas {
  readonly #tool: Tool;
  #input: JsonSchema | null = null;
  #output: JsonSchema | null = null;

  constructor(tool: Tool) {
    this.#tool = tool;
  }

  get input(): JsonSchema {
    return (this.#input ??= portableSchema(this.#tool.input, "input"));
  }

  get output(): JsonSchema {
    return (this.#output ??= portableSchema(this.#tool.output, "output"));
  }
}

const known = new WeakMap<Tool, ToolSchemas>();

/** Returns the schemas of a tool's arguments and results: cached, because creating all of them takes 30 ms. */
export function getSchemas(tool: Tool): ToolSchemas {
  const schemas = known.get(tool) ?? new ToolSchemas(tool);
  known.set(tool, schemas);
  return schemas;
}

/**
 * The input schema with the ids that this key's `model` may be now, so that a model need not guess or ask: they differ
 * from key to key and change with the connections.
 */
export function getInput(tool: Tool, input: JsonSchema, key: RingKey, models: ListModels): JsonSchema {
  const properties = input["properties"] as Record<string, JsonSchema> | undefined;
  const model = properties?.["model"];
  if (tool.capability === null || model === undefined) return input;
  const ids = models.getIds(key, tool.capability);
  const named = ids.slice(0, MOST_NAMED).join(", ");
  const more = ids.length > MOST_NAMED ? `, and ${ids.length - MOST_NAMED} more that list_models lists` : "";
  const words =
    ids.length === 0
      ? "None of this key's models can do this now: connect a provider in Postern."
      : `Now: ${named}${more}.`;
  const description = typeof model["description"] === "string" ? `${model["description"]} ${words}` : words;
  return { ...input, properties: { ...properties, model: { ...model, description } } };
}

/**
 * A schema for the SDK that exposes JSON Schema and accepts everything: arguments are validated in the tool runner, so
 * that errors have the gateway's codes and messages.
 */
export function shownSchema(schema: () => JsonSchema): StandardSchemaWithJSON<Record<string, unknown>> {
  return {
    "~standard": {
      version: 1,
      vendor: "postern",
      validate: (value) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: schema, output: schema },
    },
  };
}
