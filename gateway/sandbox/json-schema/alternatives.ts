import { isRecord } from "../../lib/records.ts";
import { listOf } from "../fields.ts";
import { merge } from "./merge.ts";
import { resolveReference, schemaOf, typesOf, type Schema } from "./shape.ts";

/** Where in the document a value is made. */
export interface Place {
  /** Of the property, for free texts. */
  readonly name: string;
  /** 0 for the first; others must differ from it, in lists of unique items. */
  readonly variant: number;
  readonly depth: number;
  /** The references that were followed to get here. */
  readonly references: readonly string[];
  /** Nothing optional is made: the schema recurs here, or is very large. */
  readonly minimal: boolean;
}

/** A schema without references and choices: one way to satisfy the schema that it came from. */
export interface Alternative {
  readonly schema: Schema;
  readonly place: Place;
  /** Any value made for it also satisfies the whole; otherwise that must be checked. */
  readonly certain: boolean;
}

/** Choices that may still be opened; schemas may refer to themselves without end. */
export interface AlternativeScope {
  readonly root: unknown;
  left: number;
}

const MOST_REFERENCES = 64;
/** Parts of one `allOf` that are looked at. */
const MOST_PARTS = 100;

/** The ways to satisfy `schema`, the most natural first (in a minimal place, the smallest first). */
export function* alternativesOf(
  schema: Schema,
  place: Place,
  scope: AlternativeScope,
  certain = true,
): Generator<Alternative, void, undefined> {
  scope.left -= 1;
  if (scope.left < 0) return;
  const { $ref: reference, ...unreferenced } = schema;
  if (typeof reference === "string") {
    if (place.references.length >= MOST_REFERENCES) return;
    const minimal = place.minimal || place.references.includes(reference);
    const inside = { ...place, references: [...place.references, reference], minimal };
    const target = schemaOf(resolveReference(scope.root, reference));
    return yield* alternativesOf(merge(unreferenced, target), inside, scope, certain);
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    if (Array.isArray(schema[keyword])) return yield* branches(schema, keyword, place, scope);
  }
  if (schema["if"] !== undefined) return yield* conditions(schema, place, scope);
  if (listOf(schema["allOf"]).length > 0) return yield* together(schema, place, scope, certain);
  const checked = certain && schema["not"] === undefined;
  if (typesOf(schema).length > 0 || "const" in schema || "enum" in schema) {
    return yield { schema, place, certain: checked };
  }
  for (const type of ["string", "number", "object", "array", "boolean", "null"]) {
    yield { schema: { ...schema, type }, place, certain: checked };
  }
}

function* branches(schema: Schema, keyword: string, place: Place, scope: AlternativeScope): Generator<Alternative> {
  const { [keyword]: list, ...rest } = schema;
  const options = listOf(list).filter((option) => option !== false);
  const weight = place.minimal ? sizeOf : nullLast;
  for (const option of options.toSorted((one, other) => weight(one) - weight(other))) {
    yield* alternativesOf(merge(rest, schemaOf(option)), place, scope, false);
  }
}

function* conditions(schema: Schema, place: Place, scope: AlternativeScope): Generator<Alternative> {
  const { if: condition, then, else: otherwise, ...rest } = schema;
  yield* alternativesOf(merge(merge(rest, schemaOf(condition)), schemaOf(then)), place, scope, false);
  yield* alternativesOf(merge(rest, schemaOf(otherwise)), place, scope, false);
  yield* alternativesOf(rest, place, scope, false);
}

/**
 * `allOf` in one schema. Parts that cannot be merged yet, because they offer a choice as the rest does, are opened
 * after the rest's choice; what cannot be merged at all is left to the check.
 */
function* together(schema: Schema, place: Place, scope: AlternativeScope, certain: boolean): Generator<Alternative> {
  const { allOf: all, ...rest } = schema;
  const parts = listOf(all).slice(0, MOST_PARTS);
  const merged = parts.reduce((sum: Schema, part) => merge(sum, schemaOf(part)), rest);
  const { allOf: unmerged, ...simple } = merged;
  if (unmerged === undefined || offersChoice(simple)) {
    yield* alternativesOf(merged, place, scope, certain && unmerged === undefined);
  } else {
    yield* alternativesOf(simple, place, scope, false);
  }
}

function offersChoice(schema: Schema): boolean {
  const lists = Array.isArray(schema["anyOf"]) || Array.isArray(schema["oneOf"]);
  return lists || typeof schema["$ref"] === "string" || schema["if"] !== undefined;
}

function nullLast(option: unknown): number {
  return isRecord(option) && (option["type"] === "null" || option["const"] === null) ? 1 : 0;
}

/** Roughly how large an instance of `option` is. */
function sizeOf(option: unknown): number {
  if (!isRecord(option)) return 1;
  if ("const" in option || "enum" in option || option["type"] === "null") return 0;
  if ("$ref" in option) return 9;
  const [type] = typesOf(option);
  return type === "object" ? 4 : type === "array" ? 3 : 2;
}
