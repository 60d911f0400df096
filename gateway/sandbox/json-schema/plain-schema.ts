import { asList, isRecord } from "../../lib/records.ts";
import { type Fields } from "../fields.ts";

/** Keywords with schemas: by name, single, and in a list. Excluding schemas (`not`, `if`) are unchanged. */
const BY_NAME = ["properties", "patternProperties", "dependentSchemas"];
const ONE = ["items", "additionalProperties", "contains", "propertyNames", "then", "else"];
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const SPEAKING = [...BY_NAME, ...ONE, ...LISTS, "type", "const", "enum", "$ref", "required", "not", "if", "default"];
const MORE = /^(min|max|exclusive)[A-Z]|^(minimum|maximum|multipleOf|uniqueItems|pattern|format|dependentRequired)$/;

export interface HowPlain {
  /** Whether `null` is kept if a schema allows other types. */
  readonly nulls: boolean;
  /** Whether all properties are included, also optional ones. */
  readonly optionals: boolean;
  /** Whether texts keep to patterns. */
  readonly patterns: boolean;
}

/**
 * Normalizes a schema for the instance generator: references of all kinds (escaped pointers, anchors, older drafts'
 * `definitions`) become plain ones, older drafts' tuples current ones, and empty schemas strings.
 */
export function plainSchema(root: unknown, how: HowPlain): Fields | boolean {
  const targets = new Map<string, string>();
  const definitions: Record<string, unknown> = {};
  const plain = (schema: unknown): unknown => {
    if (schema === false) return false;
    // Unknown keywords are removed, because the generator treats them as properties.
    const known = isRecord(schema)
      ? Object.entries(schema).filter(([key]) => SPEAKING.includes(key) || MORE.test(key))
      : [];
    if (!isRecord(schema) || known.length === 0) return { type: "string" };
    const own: Record<string, unknown> = Object.fromEntries(known);
    if (Array.isArray(own["items"])) {
      own["prefixItems"] = own["items"];
      own["items"] = schema["additionalItems"] ?? true;
    }
    if (own["contains"] !== undefined)
      own["minItems"] = Math.max(getNumber(own, "minItems", 0), getNumber(own, "minContains", 1));
    for (const bound of ["minimum", "maximum"])
      draftFour(own, bound, `exclusive${bound[0]?.toUpperCase()}${bound.slice(1)}`);
    if (!how.patterns) delete own["pattern"];
    if (!how.nulls) dropNulls(own);
    for (const key of BY_NAME)
      if (isRecord(own[key]))
        own[key] = Object.fromEntries(Object.entries(own[key]).map(([name, part]) => [ownName(name), plain(part)]));
    const names = asList(own["required"]).map(ownName);
    own["required"] =
      how.optionals && own["maxProperties"] === undefined ? [...new Set([...names, ...findNames(own)])] : names;
    if (asList(own["required"]).length === 0) delete own["required"];
    for (const key of ONE) if (own[key] !== undefined && own[key] !== true) own[key] = plain(own[key]);
    for (const key of LISTS) if (Array.isArray(own[key])) own[key] = own[key].map(plain);
    if (typeof own["$ref"] === "string") own["$ref"] = reference(own["$ref"]);
    return own;
  };
  const reference = (pointer: string): string => {
    const known = targets.get(pointer);
    if (known !== undefined) return known;
    const name = `r${targets.size}`;
    targets.set(pointer, `#/$defs/${name}`);
    definitions[name] = plain(resolvePointer(root, pointer));
    return `#/$defs/${name}`;
  };
  const top = plain(root);
  return isRecord(top) ? { ...top, ...(targets.size > 0 && { $defs: definitions }) } : top === false ? false : {};
}

/** The properties that may be there. */
function findNames({ properties }: Fields): readonly string[] {
  return isRecord(properties) ? Object.keys(properties).filter((name) => properties[name] !== false) : [];
}

/** Mark of names that every object inherits, until the value is made: the generator would take them for made already. */
export const MARK = "\u0001";

function ownName<Name>(name: Name): Name | string {
  return typeof name === "string" && name in Object.prototype ? name + MARK : name;
}

function getNumber(schema: Fields, keyword: string, standard: number): number {
  const value = schema[keyword];
  return typeof value === "number" ? value : standard;
}

/** `exclusiveMinimum: true` next to `minimum`. */
function draftFour(schema: Record<string, unknown>, bound: string, exclusive: string): void {
  if (typeof schema[exclusive] !== "boolean") return;
  if (schema[exclusive] && schema[bound] !== undefined) {
    schema[exclusive] = schema[bound];
    delete schema[bound];
  } else delete schema[exclusive];
}

function dropNulls(schema: Record<string, unknown>): void {
  const isNull = (part: unknown): boolean =>
    part === "null" || (isRecord(part) && (part["type"] === "null" || part["const"] === null));
  for (const key of ["type", "anyOf", "oneOf"]) {
    const left = asList(schema[key]).filter((part) => !isNull(part));
    if (left.length > 0) schema[key] = left;
  }
}

/** Resolves a JSON pointer within the document, or `#name` of an `$anchor`. */
function resolvePointer(root: unknown, pointer: string): unknown {
  if (pointer === "#") return root;
  if (!pointer.startsWith("#/")) return findAnchor(root, pointer);
  let place: unknown = root;
  for (const step of pointer.slice(2).split("/")) {
    const name = decodeStep(step).replaceAll("~1", "/").replaceAll("~0", "~");
    place =
      (isRecord(place) || Array.isArray(place)) && Object.hasOwn(place, name) ? (place as Fields)[name] : undefined;
  }
  return place;
}

function findAnchor(root: unknown, name: string): unknown {
  const all = isRecord(root)
    ? [root["$defs"], root["definitions"]].filter(isRecord).flatMap((part) => Object.values(part))
    : [];
  return all.find((part) => isRecord(part) && (`#${String(part["$anchor"])}` === name || part["$id"] === name));
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
