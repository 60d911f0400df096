import { isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";

/**
 * Constraints that Anthropic's structured output refuses with a 400; its own SDK moves them into the description, as
 * done here (from memory of `transformJsonSchema` in anthropic-sdk-typescript).
 */
const NOT_KNOWN: ReadonlySet<string> = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
]);

/** Fields that map names to schemas, whose names must not be read as keywords. */
const BY_NAME: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"]);

/** Fields that hold plain values. */
const VALUES: ReadonlySet<string> = new Set(["enum", "const", "default", "examples", "required"]);

/**
 * Returns a JSON schema for `output_config.format`: every object closed, and unsupported constraints described in text.
 */
export function closedSchema(schema: Document): Document {
  const closed: Record<string, unknown> = {};
  const words: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (NOT_KNOWN.has(key) || (key === "minItems" && value !== 0 && value !== 1)) {
      words.push(`${key}: ${JSON.stringify(value)}`);
    } else closed[key] = within(key, value);
  }
  if (words.length > 0) closed["description"] = addDescription(schema["description"], words);
  const isObject = schema["type"] === "object" || isRecord(schema["properties"]);
  return isObject ? { ...closed, additionalProperties: false } : closed;
}

function within(key: string, value: unknown): unknown {
  if (VALUES.has(key)) return value;
  if (Array.isArray(value))
    return (value as readonly unknown[]).map((item) => (isRecord(item) ? closedSchema(item) : item));
  if (!isRecord(value)) return value;
  if (!BY_NAME.has(key)) return closedSchema(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isRecord(inner) ? closedSchema(inner) : inner]),
  );
}

function addDescription(description: unknown, words: readonly string[]): string {
  const text = `{${words.join(", ")}}`;
  return typeof description === "string" ? `${description}\n\n${text}` : text;
}
