import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createFields, readForm } from "../../../../renderer/components/schema-form/schema-fields.ts";

/** As the gateway makes the schemas of its tools. */
const schemaOf = (shape: z.ZodRawShape): Record<string, unknown> =>
  z.toJSONSchema(z.strictObject(shape), { io: "input" });

function controlsOf(shape: z.ZodRawShape, hasModels = true): Record<string, string> {
  return Object.fromEntries(createFields(schemaOf(shape), hasModels).map(({ name, control }) => [name, control]));
}

function read(shape: z.ZodRawShape, typed: Record<string, string>) {
  return readForm(createFields(schemaOf(shape), true), typed);
}

describe("a schema as fields", () => {
  it("gives each kind of value its control", () => {
    expect(
      controlsOf({
        model: z.string(),
        prompt: z.string().min(1),
        user: z.string().optional(),
        seed: z.int().optional(),
        temperature: z.number().min(0).max(2).optional(),
        quality: z.enum(["low", "high"]).optional(),
        stream: z.boolean().optional(),
        either: z.union([z.literal("auto"), z.literal(5)]).optional(),
        messages: z.array(z.strictObject({ role: z.string() })).optional(),
        metadata: z.record(z.string(), z.string()).optional(),
        stop: z.union([z.string(), z.array(z.string())]).optional(),
        count: z.int().nullable().optional(),
        size: z.strictObject({ width: z.int().nullish(), exact: z.boolean().nullish() }).nullish(),
        format: z.strictObject({ type: z.string() }).optional(),
        anything: z.unknown().optional(),
      }),
    ).toEqual({
      model: "model",
      prompt: "long",
      user: "line",
      seed: "integer",
      temperature: "number",
      quality: "choice",
      stream: "choice",
      either: "choice",
      messages: "json",
      metadata: "json",
      stop: "mixed",
      count: "integer",
      "size.width": "integer",
      "size.exact": "choice",
      format: "json",
      anything: "mixed",
    });
  });

  it("offers models only where `model` is one", () => {
    expect(controlsOf({ model: z.string() }, false)).toEqual({ model: "line" });
  });

  it("puts what is needed and what is written first, and keeps descriptions and defaults", () => {
    const fields = createFields(
      schemaOf({
        size: z.string().default("1024x1024").describe("Pixels, as WxH."),
        n: z.int().default(1),
        prompt: z.string().optional().describe("What to draw."),
        model: z.string(),
      }),
      false,
    );
    expect(fields.map(({ name, required, help, fallback }) => [name, required, help, fallback])).toEqual([
      ["prompt", false, "What to draw.", null],
      ["model", true, "", null],
      ["size", false, "Pixels, as WxH.", "1024x1024"],
      ["n", false, "", "1"],
    ]);
  });

  it("follows references, and ends with one that refers to itself", () => {
    const schema = {
      properties: { a: { $ref: "#/$defs/kind" }, b: { $ref: "#/$defs/loop" } },
      $defs: { kind: { enum: ["x", "y"] }, loop: { $ref: "#/$defs/loop" } },
    };
    expect(createFields(schema, false).map(({ control }) => control)).toEqual(["choice", "mixed"]);
  });
});

describe("what was typed as arguments", () => {
  it("keeps texts as they are, and leaves out what is empty", () => {
    expect(read({ prompt: z.string(), user: z.string().optional() }, { prompt: " a\nb ", user: " " })).toEqual({
      ok: true,
      arguments: { prompt: " a\nb " },
    });
  });

  it("reads figures, choices, JSON and mixtures", () => {
    const shape = {
      seed: z.int(),
      n: z.number(),
      live: z.boolean(),
      side: z.union([z.literal("auto"), z.literal(512)]),
      tags: z.array(z.string()),
      stop: z.union([z.string(), z.array(z.string())]),
      length: z.union([z.string(), z.number()]),
    };
    const typed = {
      seed: "-7",
      n: "0.5",
      live: "false",
      side: "512",
      tags: '["a"]',
      stop: '["x", "y"]',
      length: "12",
    };
    expect(read(shape, typed)).toEqual({
      ok: true,
      arguments: { seed: -7, n: 0.5, live: false, side: 512, tags: ["a"], stop: ["x", "y"], length: 12 },
    });
    expect(read({ stop: shape.stop }, { stop: "END" })).toEqual({ ok: true, arguments: { stop: "END" } });
  });

  it("puts the fields of an object back into it", () => {
    const shape = { size: z.strictObject({ width: z.int(), height: z.int().optional() }) };
    expect(read(shape, { "size.width": "5" })).toEqual({ ok: true, arguments: { size: { width: 5 } } });
  });

  it("says at each field what is wrong with it", () => {
    const shape = {
      prompt: z.string(),
      seed: z.int(),
      n: z.number(),
      tags: z.array(z.string()),
      map: z.record(z.string(), z.string()),
      broken: z.array(z.string()),
    };
    const result = read(shape, { prompt: "", seed: "1.5", n: "many", tags: "{}", map: "[]", broken: "[1," });
    if (result.ok) throw new Error("nothing was wrong");
    expect(Object.entries(result.faults).map(([name, { fault }]) => [name, fault])).toEqual([
      ["prompt", "required"],
      ["seed", "integer"],
      ["n", "number"],
      ["tags", "array"],
      ["map", "object"],
      ["broken", "json"],
    ]);
    expect(result.faults["broken"]?.detail).not.toBe("");
  });
});
