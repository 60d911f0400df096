import type { Json } from "../fields.ts";
import { arrayFor, objectFor } from "./containers.ts";
import { alternativesOf, type AlternativeScope, type Place } from "./alternatives.ts";
import { fits, type CheckScope } from "./check.ts";
import { numberFor } from "./numbers.ts";
import { schemaOf, typesOf, type Schema } from "./shape.ts";
import { createPatternTest } from "./pattern-test.ts";
import { stringFor } from "./strings.ts";

/** State of making one document. */
interface Maker extends AlternativeScope {
  readonly check: CheckScope;
}

const MOST_NODES = 20_000;
/** From here on only what is required is made. */
const MINIMAL_BELOW = 15_000;
const MOST_CHECKS = 200_000;
const DEEPEST = 64;
/** Values that are tried for one alternative before the next, where something (as `not`) may rule the first out. */
const VARIANTS_TRIED = 3;

/**
 * A value that is valid against a JSON schema, always the same one: structured answers and tool arguments are made
 * with it. Free texts are `sandbox NAME`, so that nobody takes them for real. Every optional property is there, each
 * list has an item, and recursion ends as soon as it may. Unsatisfiable schemas get the nearest thing; schemas that
 * would grow without bound are cut off.
 * @param name what free texts are called when no property names them
 */
export function instanceOf(schema: unknown, name: string): Json {
  const check = { root: schema, left: MOST_CHECKS, matches: createPatternTest() };
  const maker: Maker = { root: schema, left: MOST_NODES, check };
  return make(schema, { name, variant: 0, depth: 0, references: [], minimal: false }, maker);
}

/** The first alternative of `schema` whose value satisfies all of it; else the first one's value. */
function make(schema: unknown, place: Place, maker: Maker): Json {
  if (place.depth > DEEPEST || maker.left <= 0) return null;
  const inside = { ...place, minimal: place.minimal || maker.left < MINIMAL_BELOW };
  let nearest: Json | undefined;
  for (const alternative of alternativesOf(schemaOf(schema), inside, maker)) {
    const tries = alternative.certain ? 1 : VARIANTS_TRIED;
    for (let further = 0; further < tries; further += 1) {
      const { variant } = alternative.place;
      const value = build(alternative.schema, { ...alternative.place, variant: variant + further }, maker);
      if (alternative.certain || fits(value, schema, maker.check)) return value;
      nearest ??= value;
    }
  }
  return nearest ?? null;
}

function build(schema: Schema, place: Place, maker: Maker): Json {
  if ("const" in schema) return schema["const"] as Json;
  if (Array.isArray(schema["enum"])) return listed(schema["enum"] as Json[], schema, place, maker);
  if (place.variant === 0 && "default" in schema && fits(schema["default"], schema, maker.check)) {
    return schema["default"] as Json;
  }
  const { matches } = maker.check;
  const makePart = (part: unknown, inside: Place): Json => make(part, inside, maker);
  const types = typesOf(schema);
  const type = place.minimal && types.includes("null") ? "null" : types.find((name) => name !== "null");
  switch (type) {
    case "object":
      return objectFor(schema, place, makePart, matches);
    case "array":
      return arrayFor(schema, place, makePart);
    case "string":
      return stringFor(schema, place.name, place.variant, matches);
    case "number":
    case "integer":
      return numberFor(schema, type === "integer", place.variant);
    case "boolean":
      return place.variant % 2 === 0;
    default:
      return null;
  }
}

function listed(values: readonly Json[], schema: Schema, place: Place, maker: Maker): Json {
  const allowed = values.filter((value) => fits(value, schema, maker.check));
  return allowed[place.variant % Math.max(1, allowed.length)] ?? values[0] ?? null;
}
