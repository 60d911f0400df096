import { isRecord } from "../../lib/records.ts";
import { listOf, type Json } from "../fields.ts";
import type { Place } from "./alternatives.ts";
import { propertySchemas } from "./check.ts";
import { merge } from "./merge.ts";
import { matchFor } from "./pattern.ts";
import type { PatternTest } from "./pattern-test.ts";
import { dependentsOf, namesAt, numberAt, sameJson, schemaOf, recordAt, type Schema } from "./shape.ts";

/** Makes the value of a part. */
export type MakePart = (schema: unknown, place: Place) => Json;

const MOST_ITEMS = 1_000;
const MOST_PROPERTIES = 200;
/** How many other values are tried where an item is already in a list of unique ones. */
const VARIANTS_TRIED = 32;

/** An object with its required properties and, outside minimal places, the optional ones that may be there. */
export function objectFor(schema: Schema, place: Place, make: MakePart, matches: PatternTest): Json {
  const entries = namesFor(schema, place, matches).map((name): [string, Json] => {
    const all = propertySchemas(schema, name, matches).map(schemaOf);
    const property = all.reduce((sum, part) => merge(sum, part));
    return [name, make(property, { ...place, name, depth: place.depth + 1 })];
  });
  return Object.fromEntries(entries);
}

function namesFor(schema: Schema, place: Place, matches: PatternTest): string[] {
  const required = withDependents(schema, namesAt(schema, "required"));
  const least = Math.min(numberAt(schema, "minProperties") ?? 0, MOST_PROPERTIES);
  const optional = Object.entries(recordAt(schema, "properties"))
    .filter(([name, property]) => !required.includes(name) && property !== false && !isNothing(property))
    .map(([name]) => name);
  const wanted = place.minimal ? optional.slice(0, Math.max(0, least - required.length)) : optional;
  const most = Math.max(required.length, numberAt(schema, "maxProperties") ?? Infinity);
  const names = withDependents(schema, [...required, ...wanted].slice(0, most));
  return [...names, ...extraNames(schema, least - names.length, matches)];
}

function isNothing(schema: unknown): boolean {
  return isRecord(schema) && isRecord(schema["not"]) && Object.keys(schema["not"]).length === 0;
}

/** `names` and those that they cannot be without. */
function withDependents(schema: Schema, names: readonly string[]): string[] {
  const found = new Set(names);
  for (const name of found) for (const needed of dependentsOf(schema, name)) found.add(needed);
  return [...found];
}

/** Names of properties that the schema does not list, to get to `minProperties`. */
function extraNames(schema: Schema, count: number, matches: PatternTest): string[] {
  const [ownPattern] = Object.keys(recordAt(schema, "patternProperties"));
  const open = schema["additionalProperties"] !== false;
  if (!open && ownPattern === undefined) return [];
  const names = schemaOf(schema["propertyNames"]);
  const pattern = typeof names["pattern"] === "string" ? names["pattern"] : open ? undefined : ownPattern;
  const taken = new Set(Object.keys(recordAt(schema, "properties")));
  const found = new Set<string>();
  for (let variant = 0; found.size < count && variant < count + VARIANTS_TRIED; variant += 1) {
    const listed = listOf(names["enum"]).filter((name) => typeof name === "string");
    const candidates = listed.length > 0 ? listed : nameCandidates(pattern, variant, matches);
    const name = candidates.find((candidate) => !taken.has(candidate) && !found.has(candidate));
    if (name !== undefined) found.add(name);
  }
  return [...found];
}

function nameCandidates(pattern: string | undefined, variant: number, matches: PatternTest): string[] {
  if (pattern === undefined) return [`sandbox_${variant + 1}`];
  const match = matchFor(pattern, 1, variant) ?? "";
  return [match, `${match}${variant + 1}`].filter((name) => matches(pattern, name));
}

/** A list with the items that it must have, and one at least where that is allowed. */
export function arrayFor(schema: Schema, place: Place, make: MakePart): Json {
  const wanted = itemSchemas(schema, place);
  const unique = schema["uniqueItems"] === true;
  const items: Json[] = [];
  for (const [index, item] of wanted.entries()) {
    const inside = { ...place, depth: place.depth + 1 };
    if (unique) addUnique(items, (variant) => make(item, { ...inside, variant: index + variant }));
    else items.push(make(item, inside));
  }
  return items;
}

function addUnique(items: Json[], makeItem: (variant: number) => Json): void {
  for (let variant = 0; variant < VARIANTS_TRIED; variant += 1) {
    const value = makeItem(variant);
    if (items.some((item) => sameJson(item, value))) continue;
    items.push(value);
    return;
  }
}

/** The schema of each item that is to be made. */
function itemSchemas(schema: Schema, place: Place): unknown[] {
  // Before 2020-12 a list under `items` was what `prefixItems` is now.
  const first = listOf(schema["prefixItems"] ?? schema["items"]);
  const rest = Array.isArray(schema["items"]) ? schema["additionalItems"] : schema["items"];
  const contained = schema["contains"] === undefined ? 0 : (numberAt(schema, "minContains") ?? 1);
  const least = Math.max(numberAt(schema, "minItems") ?? 0, contained > 0 ? first.length + contained : 0);
  const natural = first.length > 0 ? first.length : numberAt(schema, "maxContains") === 0 ? 0 : 1;
  const most = rest === false ? first.length : (numberAt(schema, "maxItems") ?? Infinity);
  const count = Math.min(place.minimal ? least : Math.max(least, natural), most, MOST_ITEMS);
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    if (index < first.length) return first[index];
    const contains = index - first.length < contained;
    return contains ? merge(schemaOf(rest), schemaOf(schema["contains"])) : schemaOf(rest);
  });
}
