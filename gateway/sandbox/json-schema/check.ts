import { isRecord } from "../../lib/records.ts";
import { listOf, type Fields } from "../fields.ts";
import { numberFits } from "./numbers.ts";
import {
  dependentsOf,
  namesAt,
  numberAt,
  resolveReference,
  sameJson,
  schemaOf,
  recordAt,
  typesOf,
  type Schema,
} from "./shape.ts";
import type { PatternTest } from "./pattern-test.ts";
import { stringFits } from "./strings.ts";

/** What a check works within. Schemas may refer to themselves without end, so both figures have an end. */
export interface CheckScope {
  /** The document that `$ref` points into. */
  readonly root: unknown;
  readonly matches: PatternTest;
  /** Schemas that may still be looked at; beyond them everything passes. */
  left: number;
}

const DEEPEST = 100;

/**
 * Whether `value` is an instance of `schema`; the instance maker chooses between its candidates with it. Knows the
 * keywords of JSON Schema 2020-12 that say something about one value at a time (not `unevaluated…`, not formats).
 */
export function fits(value: unknown, schema: unknown, scope: CheckScope, depth = 0): boolean {
  scope.left -= 1;
  if (schema === false) return false;
  if (!isRecord(schema) || depth > DEEPEST || scope.left < 0) return true;
  const nested = (inner: unknown, part: unknown = value): boolean => fits(part, inner, scope, depth + 1);
  if (typeof schema["$ref"] === "string" && !nested(resolveReference(scope.root, schema["$ref"]))) return false;
  if (!hasType(value, schema) || !isListed(value, schema)) return false;
  if (!listOf(schema["allOf"]).every((part) => nested(part))) return false;
  if (Array.isArray(schema["anyOf"]) && !schema["anyOf"].some((part) => nested(part))) return false;
  if (Array.isArray(schema["oneOf"]) && schema["oneOf"].filter((part) => nested(part)).length !== 1) return false;
  if (schema["not"] !== undefined && nested(schema["not"])) return false;
  if (schema["if"] !== undefined && !nested(schema[nested(schema["if"]) ? "then" : "else"] ?? true)) return false;
  if (typeof value === "string") return stringFits(schema, value, scope.matches);
  if (typeof value === "number") return numberFits(schema, value);
  if (Array.isArray(value)) return arrayFits(value, schema, nested);
  return !isRecord(value) || objectFits(value, schema, nested, scope.matches);
}

type Nested = (schema: unknown, part: unknown) => boolean;

function hasType(value: unknown, schema: Schema): boolean {
  return schema["type"] === undefined || typesOf(schema).some((type) => isOfType(value, type));
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isListed(value: unknown, schema: Schema): boolean {
  if ("const" in schema && !sameJson(value, schema["const"])) return false;
  return !Array.isArray(schema["enum"]) || schema["enum"].some((item) => sameJson(item, value));
}

function arrayFits(value: readonly unknown[], schema: Schema, nested: Nested): boolean {
  if (value.length < (numberAt(schema, "minItems") ?? 0)) return false;
  if (value.length > (numberAt(schema, "maxItems") ?? Infinity)) return false;
  if (schema["uniqueItems"] === true && !areUnique(value)) return false;
  if (schema["contains"] !== undefined) {
    const count = value.filter((item) => nested(schema["contains"], item)).length;
    if (count < (numberAt(schema, "minContains") ?? 1)) return false;
    if (count > (numberAt(schema, "maxContains") ?? Infinity)) return false;
  }
  // Before 2020-12 a list under `items` was what `prefixItems` is now.
  const first = listOf(schema["prefixItems"] ?? schema["items"]);
  const rest = Array.isArray(schema["items"]) ? schema["additionalItems"] : schema["items"];
  return value.every((item, index) => nested(index < first.length ? first[index] : (rest ?? true), item));
}

function areUnique(value: readonly unknown[]): boolean {
  return value.every((item, index) => !value.slice(0, index).some((earlier) => sameJson(earlier, item)));
}

function objectFits(value: Fields, schema: Schema, nested: Nested, matches: PatternTest): boolean {
  const names = Object.keys(value);
  if (!namesAt(schema, "required").every((name) => Object.hasOwn(value, name))) return false;
  if (names.length < (numberAt(schema, "minProperties") ?? 0)) return false;
  if (names.length > (numberAt(schema, "maxProperties") ?? Infinity)) return false;
  if (!names.every((name) => nested(schema["propertyNames"] ?? true, name))) return false;
  if (!names.flatMap((name) => dependentsOf(schema, name)).every((name) => Object.hasOwn(value, name))) return false;
  return names.every((name) =>
    propertySchemas(schema, name, matches).every((property) => nested(property, value[name])),
  );
}

/** All that a schema says about the property `name`. */
export function propertySchemas(schema: Schema, name: string, matches: PatternTest): unknown[] {
  const own = recordAt(schema, "properties");
  const found = Object.hasOwn(own, name) ? [own[name]] : [];
  for (const [pattern, property] of Object.entries(recordAt(schema, "patternProperties"))) {
    if (matches(pattern, name)) found.push(property);
  }
  return found.length > 0
    ? found
    : [schema["additionalProperties"] === false ? false : schemaOf(schema["additionalProperties"])];
}
