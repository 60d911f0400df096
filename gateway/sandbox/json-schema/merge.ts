import { isRecord } from "../../lib/records.ts";
import { listOf } from "../fields.ts";
import { namesAt, sameJson, recordAt, typesOf, type Schema } from "./shape.ts";

/** Keywords of which the larger, or the smaller, of two values is the stricter. */
const LARGER = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"]);
const SMALLER = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"]);
/** Keywords that hold one schema. */
const NESTED = new Set(["items", "additionalProperties", "contains", "propertyNames"]);

/**
 * One schema that asks what both ask, as `allOf` means it. Where two keywords cannot be made one (two patterns, two
 * `anyOf`), the second is kept aside in `allOf`, for the check to see to.
 */
export function merge(one: Schema, other: Schema): Schema {
  const merged: Record<string, unknown> = { ...one };
  const aside: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(other)) {
    const present = merged[keyword];
    const both = present === undefined ? value : combined(keyword, present, value, one, other);
    if (both === undefined) aside[keyword] = value;
    else merged[keyword] = both;
  }
  return Object.keys(aside).length === 0 ? merged : { ...merged, allOf: [...listOf(merged["allOf"]), aside] };
}

function combined(keyword: string, one: unknown, other: unknown, first: Schema, second: Schema): unknown {
  if (sameJson(one, other)) return one;
  if (LARGER.has(keyword) && typeof one === "number" && typeof other === "number") return Math.max(one, other);
  if (SMALLER.has(keyword) && typeof one === "number" && typeof other === "number") return Math.min(one, other);
  if (NESTED.has(keyword)) return mergedNested(one, other);
  switch (keyword) {
    case "properties":
    case "patternProperties":
      return mergedByName(recordAt(first, keyword), recordAt(second, keyword));
    case "required":
      return [...new Set([...namesAt(first, keyword), ...namesAt(second, keyword)])];
    case "type":
      return commonTypes(typesOf(first), typesOf(second));
    case "enum":
      return listOf(one).filter((value) => listOf(other).some((wanted) => sameJson(value, wanted)));
    case "allOf":
      return [...listOf(one), ...listOf(other)];
    case "uniqueItems":
      return one === true || other === true;
    case "title":
    case "description":
    case "default":
    case "examples":
    case "$defs":
    case "definitions":
      return one;
    default:
      return undefined;
  }
}

function mergedNested(one: unknown, other: unknown): unknown {
  if (one === false || other === false) return false;
  if (!isRecord(one)) return other;
  return isRecord(other) ? merge(one, other) : one;
}

function mergedByName(one: Schema, other: Schema): Schema {
  const merged = new Map(Object.entries(one));
  for (const [name, schema] of Object.entries(other)) {
    const present = merged.get(name);
    merged.set(name, present === undefined ? schema : mergedNested(present, schema));
  }
  return Object.fromEntries(merged);
}

/** `integer` is a kind of `number`. */
function commonTypes(one: readonly string[], other: readonly string[]): string[] {
  const common = one.filter((type) => other.includes(type) || (type === "integer" && other.includes("number")));
  return one.includes("number") && other.includes("integer") ? [...common, "integer"] : common;
}
