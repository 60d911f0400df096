import * as fc from "fast-check";

const name = fc.constantFrom("city", "count", "tags", "address", "name", "id", "note", "constructor", "toString");

/** Random JSON schemas that can be satisfied, with the keywords that structured answers and tools are written with. */
export const { schema: satisfiableSchema } = fc.letrec<Record<"schema" | "nested", Record<string, unknown>>>((tie) => ({
  nested: fc.oneof({ maxDepth: 3 }, leaf(), tie("schema")),
  schema: fc.oneof(
    { maxDepth: 4, depthSize: "medium" },
    leaf(),
    objectSchema(tie("nested")),
    listSchema(tie("nested")),
    tupleSchema(tie("nested")),
    fc.array(tie("nested"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    disjointChoice(tie("nested")),
    togetherSchema(tie("nested")),
  ),
}));

function leaf(): fc.Arbitrary<Record<string, unknown>> {
  return fc.oneof(
    fc.constant({ type: "boolean" }),
    fc.constant({ type: "null" }),
    fc.constant({}),
    stringSchema(),
    fc.constantFrom("date-time", "date", "time", "email", "uri", "uuid", "ipv4", "ipv6").map((format) => ({
      type: "string",
      format,
    })),
    fc
      .constantFrom(
        "^[a-z]{3}-\\d{4}$",
        "^(red|green)+!?$",
        "^\\w+@\\w+\\.com$",
        "^[^\\d\\s]{2,5}$",
        "^#[0-9A-Fa-f]{6}$",
      )
      .map((pattern) => ({ type: "string", pattern })),
    numberSchema(),
    fc
      .uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { minLength: 1, maxLength: 4 })
      .map((values) => ({
        enum: values,
      })),
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)).map((value) => ({ const: value })),
  );
}

function stringSchema(): fc.Arbitrary<Record<string, unknown>> {
  return fc.record({ least: fc.nat(40), more: fc.nat(40) }).map(({ least, more }) => ({
    type: "string",
    minLength: least,
    maxLength: least + more,
  }));
}

function numberSchema(): fc.Arbitrary<Record<string, unknown>> {
  const least = fc.integer({ min: -1_000, max: 1_000 });
  return fc.oneof(
    fc.record({ least, more: fc.nat(100) }).map(({ least: minimum, more }) => ({
      type: "integer",
      minimum,
      maximum: minimum + more,
    })),
    fc.record({ least, more: fc.integer({ min: 2, max: 100 }) }).map(({ least: low, more }) => ({
      type: "integer",
      exclusiveMinimum: low,
      exclusiveMaximum: low + more,
    })),
    fc.record({ least, step: fc.integer({ min: 1, max: 50 }) }).map(({ least: minimum, step }) => ({
      type: "integer",
      multipleOf: step,
      minimum,
      maximum: minimum + step,
    })),
    fc.record({ least, more: fc.integer({ min: 1, max: 9 }) }).map(({ least: low, more }) => ({
      type: "number",
      exclusiveMinimum: low,
      exclusiveMaximum: low + more / 10,
    })),
  );
}

function objectSchema(nested: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .record({
      properties: fc.uniqueArray(fc.tuple(name, nested), { maxLength: 5, selector: ([key]) => key }),
      required: fc.nat(5),
      closed: fc.boolean(),
    })
    .map(({ properties, required, closed }) => ({
      type: "object",
      properties: Object.fromEntries(properties),
      // zod takes what every object inherits for a property that is there.
      required: properties.map(([key]) => key).filter((key, index) => index < required || key in Object.prototype),
      ...(closed && { additionalProperties: false }),
    }));
}

function listSchema(nested: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  return fc.record({ items: nested, least: fc.nat(4), more: fc.nat(3) }).map(({ items, least, more }) => ({
    type: "array",
    items,
    minItems: least,
    maxItems: least + more,
  }));
}

function tupleSchema(nested: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  return fc.array(nested, { minLength: 1, maxLength: 3 }).map((items) => ({
    type: "array",
    prefixItems: items,
    items: false,
    minItems: items.length,
  }));
}

/** `oneOf` with branches that no value satisfies together. */
function disjointChoice(nested: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  return fc.tuple(nested, nested).map(([one, other]) => ({
    oneOf: [one, other].map((inner, index) => ({
      type: "object",
      properties: { kind: { const: `kind ${index}` }, inner },
      required: ["kind", "inner"],
      additionalProperties: false,
    })),
  }));
}

/** `allOf` of objects with different properties. */
function togetherSchema(nested: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  return fc.tuple(nested, nested).map((parts) => ({
    allOf: parts.map((inner, index) => ({
      type: "object",
      properties: { [`part${index}`]: inner },
      required: [`part${index}`],
    })),
  }));
}

const keywords = [
  "type enum const $ref allOf anyOf oneOf not if then else properties required additionalProperties patternProperties",
  "propertyNames minProperties maxProperties dependentRequired items prefixItems contains minContains minItems maxItems",
  "uniqueItems minLength maxLength pattern format minimum maximum exclusiveMinimum multipleOf default $defs",
]
  .join(" ")
  .split(" ");
const word = fc.constantFrom(
  "string",
  "number",
  "object",
  "array",
  "null",
  "uuid",
  "#",
  "#/$defs/a",
  "^a+$",
  "a",
  "([",
);

/** Schema keywords with values of any kind, as clients send them by mistake or on purpose. */
export const { nonsense } = fc.letrec<{ nonsense: unknown }>((tie) => {
  const schema = fc.dictionary(fc.constantFrom(...keywords), tie("nonsense"), { maxKeys: 5 });
  const named = fc.dictionary(fc.constantFrom("a", "b"), tie("nonsense"), { maxKeys: 2 });
  return {
    nonsense: fc.oneof(
      { maxDepth: 5, depthSize: "medium" },
      fc.oneof(word, fc.integer({ min: -3, max: 30 }), fc.boolean(), fc.constant(null), fc.double({ noNaN: true })),
      schema,
      schema,
      named,
      fc.array(tie("nonsense"), { maxLength: 3 }),
    ),
  };
});
