import { isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";

/** Google's names in snake_case, and what JSON Schema calls them. */
const NAMES: Readonly<Record<string, string>> = {
  any_of: "anyOf",
  min_items: "minItems",
  max_items: "maxItems",
  min_length: "minLength",
  max_length: "maxLength",
  min_properties: "minProperties",
  max_properties: "maxProperties",
  additional_properties: "additionalProperties",
  defs: "$defs",
  ref: "$ref",
};

/** Fields that JSON Schema does not have. */
const GOOGLES: ReadonlySet<string> = new Set(["nullable", "propertyOrdering", "property_ordering", "example"]);
const SCHEMAS: ReadonlySet<string> = new Set(["items", "additionalProperties", "not"]);
const LISTS_OF_SCHEMAS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const MAPS_OF_SCHEMAS: ReadonlySet<string> = new Set(["properties", "$defs", "definitions", "patternProperties"]);
const COUNTS: ReadonlySet<string> = new Set(Object.values(NAMES).filter((name) => /^m(?:in|ax)/.test(name)));

/**
 * Google's `Schema` as JSON Schema: types in capitals, `nullable`, and 64-bit numbers as texts are its own
 * (ai.google.dev/api/caching#Schema, 2026-11-29). A schema that is JSON Schema already stays as it is.
 */
export function buildJsonSchema(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const built: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(schema)) {
    const name = NAMES[given] ?? given;
    if (GOOGLES.has(name) || (name === "format" && value === "enum")) continue;
    const written = buildField(name, value);
    if (written !== undefined)
      Object.defineProperty(built, name, { value: written, enumerable: true, writable: true, configurable: true });
  }
  return schema["nullable"] === true ? allowNull(built) : built;
}

function buildField(name: string, value: unknown): unknown {
  if (name === "type") return buildType(value);
  if (SCHEMAS.has(name)) return buildJsonSchema(value);
  if (LISTS_OF_SCHEMAS.has(name)) return Array.isArray(value) ? value.map(buildJsonSchema) : value;
  if (MAPS_OF_SCHEMAS.has(name)) return buildMap(value);
  if (COUNTS.has(name) && typeof value === "string" && /^\d{1,15}$/.test(value)) return Number(value);
  return value;
}

function buildType(type: unknown): unknown {
  if (typeof type !== "string") return type;
  return type === "TYPE_UNSPECIFIED" ? undefined : type.toLowerCase();
}

function buildMap(map: unknown): unknown {
  if (!isRecord(map)) return map;
  return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, buildJsonSchema(schema)]));
}

function allowNull(schema: Document): Document {
  const { type, anyOf, enum: values } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...(anyOf as readonly unknown[]), { type: "null" }] };
  if (typeof type !== "string") return schema;
  const withNull = Array.isArray(values) ? { enum: [...(values as readonly unknown[]), null] } : {};
  return { ...schema, type: [type, "null"], ...withNull };
}
