import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { getInstance } from "../../../../gateway/sandbox/json-schema/instance.ts";
import { nonsense, satisfiableSchema } from "./schemas.ts";
import { dose } from "../../../support/dose.ts";

const tree = {
  type: "object",
  properties: {
    value: { type: "integer" },
    left: { $ref: "#/$defs/tree" },
    children: { type: "array", items: { $ref: "#/$defs/tree" } },
    next: { anyOf: [{ $ref: "#/$defs/tree" }, { type: "null" }] },
  },
  required: ["value", "children", "next"],
  additionalProperties: false,
};

describe("instances of JSON schemas", () => {
  it("are valid, whatever the schema, by zod's reading of it", async () => {
    await fc.assert(
      fc.asyncProperty(satisfiableSchema, async (schema) => {
        const result = z.fromJSONSchema(schema).safeParse(await getInstance(schema, "answer"));
        expect(result.error?.message).toBeUndefined();
      }),
      { numRuns: dose(30, 500) },
    );
  });

  it("are made of any nonsense that comes as a schema", async () => {
    await fc.assert(
      fc.asyncProperty(nonsense, async (schema) => {
        expect(JSON.stringify(await getInstance(schema, "answer"))).toEqual(expect.any(String));
      }),
      { numRuns: dose(50, 1_000) },
    );
  });

  it("are the same for the same schema", async () => {
    await fc.assert(
      fc.asyncProperty(satisfiableSchema, async (schema) => {
        expect(await getInstance(schema, "answer")).toEqual(await getInstance(structuredClone(schema), "answer"));
      }),
      { numRuns: 50 },
    );
  });

  it.each<[string, unknown, unknown]>([
    ["anything", {}, "sandbox answer"],
    ["true", true, "sandbox answer"],
    ["a free text", { type: "object", properties: { city: { type: "string" } } }, { city: "sandbox city" }],
    ["a default", { type: "string", default: "celsius" }, "celsius"],
    ["no default of another type", { type: "string", default: null }, expect.any(String)],
    ["the first type but null", { type: ["null", "string"] }, "sandbox answer"],
    ["the branch that is not null", { anyOf: [{ type: "null" }, { type: "integer" }] }, 1],
    [
      "null, where that is what the generator draws",
      { anyOf: [{ anyOf: [{ type: "null" }] }, { type: "null" }, { type: "string", pattern: "^[a-z]{3}-\\d{4}$" }] },
      null,
    ],
    ["an enum within its type", { type: "string", enum: [null, "x"] }, "x"],
    [
      "an enum of unique items",
      { type: "array", items: { enum: ["a", "b"] }, minItems: 2, uniqueItems: true },
      ["a", "b"],
    ],
    [
      "unique objects",
      {
        type: "array",
        items: { type: "object", properties: { id: { type: "string" } } },
        minItems: 2,
        uniqueItems: true,
      },
      [{ id: "sandbox id" }, { id: "sandbox id 2" }],
    ],
    ["what a list contains", { type: "array", contains: { const: 7 }, minContains: 2 }, [7, 7]],
    ["the tuples of older drafts", { type: "array", items: [{ type: "boolean" }, { type: "null" }] }, [true]],
    ["a required property without a schema", { type: "object", required: ["x"] }, { x: null }],
    ["no property that may not be", { type: "object", properties: { x: false, y: { type: "null" } } }, { y: null }],
    ["a property called __proto__", JSON.parse('{"required":["__proto__"]}'), JSON.parse(`{"__proto__":null}`)],
    [
      "enough properties",
      { type: "object", minProperties: 2 },
      { prop62707: "sandbox prop62707", prop52744: "sandbox prop52744" },
    ],
    [
      "properties of a pattern",
      {
        type: "object",
        patternProperties: { "^s_": { type: "null" } },
        additionalProperties: false,
        required: ["s_a"],
      },
      { s_a: null },
    ],
    [
      "not too many properties",
      { type: "object", properties: { a: {}, b: {} }, required: ["b"], maxProperties: 1 },
      { b: "sandbox b" },
    ],
    [
      "what a property brings with it",
      { type: "object", properties: { b: { type: "null" } }, required: ["a"], dependentRequired: { a: ["b"] } },
      { a: null, b: null },
    ],
    ["not what is ruled out", { type: "integer", not: { const: 1 } }, 254],
    ["another type when text is ruled out", { not: { type: "string" } }, null],
    ["exactly one of", { oneOf: [{ type: "integer" }, { type: "integer", minimum: 5 }, { type: "boolean" }] }, true],
    ["a branch that no other has", { oneOf: [{ type: "integer" }, { type: "number" }, { type: "boolean" }] }, true],
    ["all of", { allOf: [{ minimum: 3, type: "integer" }, { maximum: 5 }, { multipleOf: 4 }] }, 4],
    [
      "both choices of two",
      {
        allOf: [
          { anyOf: [{ type: "string" }, { type: "integer" }] },
          { anyOf: [{ type: "boolean" }, { type: "integer" }] },
        ],
      },
      1,
    ],
    [
      "what follows from a condition",
      JSON.parse(
        `{"type":"object","properties":{"kind":{"enum":["b","a"]}},"required":["kind"],
          "if":{"properties":{"kind":{"const":"a"}}},"then":{"required":["x"]}}`,
      ),
      { kind: "a", x: null },
    ],
    [
      "no more recursion than needed",
      { $ref: "#/$defs/tree", $defs: { tree } },
      { value: 1, children: [], next: null },
    ],
    ["a reference to the document", { type: "object", properties: { a: { $ref: "#" } } }, { a: { a: {} } }],
    ["an escaped reference", { $ref: "#/$defs/a~1b%20c", $defs: { "a/b c": { const: 3 } } }, 3],
    ["an anchor", { $ref: "#here", $defs: { x: { $anchor: "here", const: 3 } } }, 3],
    ["anything where a schema is no schema", { prefixItems: [null, 7, "x"], minItems: 3 }, expect.any(Array)],
    [
      "nothing for words that are no keywords",
      { "x-order": { first: "a" }, faker: "person.fullName", properties: { a: { type: "null", chance: "bool" } } },
      { a: null },
    ],
    ["a reference to nowhere", { $ref: "#/$defs/none" }, "sandbox answer"],
    ["keywords beside a reference", { $ref: "#/$defs/n", minimum: 10, $defs: { n: { type: "integer" } } }, 10],
  ])("have %s", async (_case, schema, value) => {
    expect(await getInstance(schema, "answer")).toEqual(value);
  });

  it.each<[string, object, (value: string) => boolean]>([
    ["a length", { minLength: 30, maxLength: 31 }, (value) => value.length === 30],
    ["a small length", { maxLength: 3 }, (value) => value.length === 3],
    [
      "a pattern and a length",
      { pattern: "^[A-Z]{2}\\d{3,}$", minLength: 10 },
      (value) => /^[A-Z]{2}\d{8,}$/.test(value),
    ],
    ["look-ahead", { pattern: "^(?=.*\\d)(?=.*[a-z]).{8,12}$" }, (value) => /^(?=.*\d)(?=.*[a-z]).{8,12}$/.test(value)],
    ["zod's own pattern of a format", z.toJSONSchema(z.email()), (value) => z.email().safeParse(value).success],
    [
      "zod's pattern of an ISO time",
      z.toJSONSchema(z.iso.datetime()),
      (value) => z.iso.datetime().safeParse(value).success,
    ],
  ])("keep texts to %s", async (_case, schema, keeps) => {
    expect(await getInstance({ type: "string", ...schema }, "answer")).toSatisfy(keeps);
  });

  it.each<[string, Record<string, unknown>, number]>([
    ["bounds", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.627_073_940_588_161_2],
    ["a fraction's multiple", { type: "number", multipleOf: 0.01, minimum: 0.333, maximum: 0.34 }, 0.34],
    ["draft 4's exclusive bounds", { type: "integer", minimum: 5, exclusiveMinimum: true }, 629],
    ["a whole multiple of a half", { type: "integer", multipleOf: 0.5, minimum: 1.2 }, 735],
    ["a large bound", { type: "number", minimum: 1e308 }, 1e308],
    ["an upper bound", { type: "integer", maximum: -5 }, -5],
  ])("keep numbers to %s", async (_case, schema, value) => {
    expect(await getInstance(schema, "answer")).toBe(value);
  });

  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const next = { $ref: `#/$defs/d${index + 1}` };
      return [`d${index}`, { type: "object", properties: { x: next, y: next }, required: ["x", "y"] }];
    }),
  );
  const endless = { type: "object", required: ["l", "r"], properties: { l: { $ref: "#" }, r: { $ref: "#" } } };
  it.each<[string, object]>([
    ["a document that grows without end", endless],
    ["a document that doubles forty times", { $ref: "#/$defs/d0", $defs: doubling }],
    ["a reference to itself", { $ref: "#" }],
    ["two references to itself", { allOf: [{ $ref: "#" }, { $ref: "#" }] }],
    ["a billion items", { type: "array", minItems: 1e9 }],
    ["a billion letters", { type: "string", minLength: 1e9 }],
    ["a billion repetitions", { type: "string", pattern: "((a{1000}){1000}){1000}" }],
    ["a billion repetitions of nothing", { type: "string", pattern: "((^{1000}){1000}){1000}" }],
    ["a pattern that backtracks", { type: "string", format: "uuid", pattern: "^([0-9a-f-]+)+$x" }],
    [
      "many patterns that backtrack",
      { type: "array", minItems: 500, items: { format: "uuid", pattern: "^([0-9a-f-]+)+$x" } },
    ],
    ["a pattern that is none", { type: "string", pattern: "(((" }],
    ["contradictions", { type: "string", minLength: 5, maxLength: 2, pattern: "^\\d$", enum: [] }],
    ["false", { type: "array", items: false, minItems: 2 }],
  ])("come to an end for %s", async (_case, schema) => {
    expect(JSON.stringify(await getInstance(schema, "answer")).length).toBeLessThan(2_000_000);
  });
});
