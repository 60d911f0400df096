import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { RingKey } from "../../services/keys/key-ring.ts";
import type { ListModels } from "../../services/models/list-models.ts";
import { portableSchema } from "./portable-schema.ts";
import type { JsonSchema } from "./portable-schema.ts";
import type { Tool } from "./tool.ts";

/** So many model ids are named in a tool's schema; a model that wants more of them calls list_models. */
const MOST_NAMED = 30;

/** The JSON Schemas of a tool, made once. */
export interface ToolSchemas {
  readonly input: JsonSchema;
  readonly output: JsonSchema;
}

/** What clients are told of a tool's arguments and results. */
export function schemasOf(tool: Tool): ToolSchemas {
  return {
    input: portableSchema(tool.input, "input"),
    output: portableSchema(tool.output, "output"),
  };
}

/**
 * The input schema with the ids that this key's `model` may be now, so that a model need not guess or ask: they differ
 * from key to key and change with the connections.
 */
export function inputFor(tool: Tool, input: JsonSchema, key: RingKey, models: ListModels): JsonSchema {
  const properties = input["properties"] as Record<string, JsonSchema> | undefined;
  const model = properties?.["model"];
  if (tool.capability === null || model === undefined) return input;
  const ids = models.idsFor(key, tool.capability);
  const named = ids.slice(0, MOST_NAMED).join(", ");
  const more = ids.length > MOST_NAMED ? `, and ${ids.length - MOST_NAMED} more that list_models tells` : "";
  const words =
    ids.length === 0
      ? "None of this key's models can do this now: connect a provider in Postern."
      : `Now: ${named}${more}.`;
  const said = typeof model["description"] === "string" ? `${model["description"]} ${words}` : words;
  return { ...input, properties: { ...properties, model: { ...model, description: said } } };
}

/**
 * A schema for the SDK that shows JSON Schema and lets everything through: arguments are checked in the tool runner, so
 * that what is wrong with them is said with the gateway's codes and words.
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
