import { isRecord } from "../../lib/records.ts";
import { listOf, type Fields } from "../fields.ts";

/** A JSON schema object. `true` is `{}`; `false` is `{not: {}}`. */
export type Schema = Fields;

const NOTHING: Schema = { not: {} };

/** `value` as a schema object. */
export function schemaOf(value: unknown): Schema {
  if (value === false) return NOTHING;
  return isRecord(value) ? value : {};
}

/** What a keyword holds by name, as `properties` does its schemas. */
export function recordAt(schema: Schema, keyword: string): Fields {
  const value = schema[keyword];
  return isRecord(value) ? value : {};
}

/** A number under a keyword; undefined when it is none. */
export function numberAt(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The names in a list of texts, as `required` holds them. */
export function namesAt(schema: Schema, keyword: string): string[] {
  return listOf(schema[keyword]).filter((name) => typeof name === "string");
}

/** The properties that must be there when the property `name` is. */
export function dependentsOf(schema: Schema, name: string): string[] {
  const dependents = recordAt(schema, "dependentRequired");
  return Object.hasOwn(dependents, name) ? namesAt(dependents, name) : [];
}

const KEYWORDS_BY_TYPE: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "patternProperties", "minProperties", "propertyNames"]],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "contains", "uniqueItems"]],
  ["string", ["minLength", "maxLength", "pattern", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** The types that a schema names, or else the one that its keywords are about; empty when any would do. */
export function typesOf(schema: Schema): string[] {
  const { type } = schema as { readonly type?: unknown };
  if (typeof type === "string") return [type];
  const named = namesAt(schema, "type");
  if (named.length > 0) return named;
  return KEYWORDS_BY_TYPE.filter(([, keywords]) => keywords.some((keyword) => schema[keyword] !== undefined))
    .slice(0, 1)
    .map(([name]) => name);
}

/**
 * What `reference` (a JSON pointer within the document, as `#/$defs/Node`, or `#name` of an `$anchor`) points at.
 * @returns undefined for other documents and for pointers to nowhere
 */
export function resolveReference(root: unknown, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return definitionsOf(root).find((schema) => isNamed(schema, reference));
  let place: unknown = root;
  for (const step of reference.slice(2).split("/")) {
    const name = decodedStep(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(place)) place = place[Number(name)];
    else if (isRecord(place) && Object.hasOwn(place, name)) place = place[name];
    else return undefined;
  }
  return place;
}

function definitionsOf(root: unknown): unknown[] {
  if (!isRecord(root)) return [];
  return [root["$defs"], root["definitions"]].filter(isRecord).flatMap((definitions) => Object.values(definitions));
}

function isNamed(schema: unknown, reference: string): boolean {
  return isRecord(schema) && (schema["$anchor"] === reference.slice(1) || schema["$id"] === reference);
}

function decodedStep(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** Whether two JSON values are the same, whatever the order of their fields. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameJson(one[name], other[name]))
  );
}
