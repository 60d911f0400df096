import { fromJsonSchema } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { ToolDeps } from "../../../../gateway/mcp/tool/tool-deps.ts";
import { getInput, portableSchema, type JsonSchema } from "../../../../gateway/mcp/tool/tool-schema.ts";
import { allTools } from "../../../../gateway/mcp/tools/all-tools.ts";

/** Schemas alone are looked at: no tool runs. */
const tools = allTools({} as ToolDeps);

/** Every schema inside one, with its path. */
function* parts(node: unknown, path = ""): Generator<[string, JsonSchema]> {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) yield [path, node as JsonSchema];
  for (const [name, value] of Object.entries(node)) yield* parts(value, `${path}/${name}`);
}

describe("a schema that small dialects take", () => {
  it.each([
    ["a text or nothing", z.string().nullable(), { anyOf: [{ type: "string" }, { type: "null" }] }],
    ["with bounds", z.number().min(1).nullable(), { anyOf: [{ type: "number", minimum: 1 }, { type: "null" }] }],
    ["with words", z.string().nullable().describe("It."), { description: "It." }],
    ["anything by name", z.record(z.string(), z.unknown()), { additionalProperties: true }],
    ["a default that looks like a schema", z.unknown().default({ type: ["a"] }), { default: { type: ["a"] } }],
  ])("%s", (_what, schema, expected) => {
    expect(portableSchema(schema, "input")).toMatchObject(expected);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))("%s has one type for each schema", (_name, tool) => {
    for (const schema of [portableSchema(tool.input, "input"), portableSchema(tool.output, "output")]) {
      expect(schema["type"]).toBe("object");
      for (const [path, part] of parts(schema)) {
        if (!path.endsWith("/properties")) expect(Array.isArray(part["type"]), path).toBe(false);
        expect(part["additionalProperties"] ?? null, path).not.toEqual({});
      }
    }
  });

  it("lets the same values through as before", () => {
    const schema = z.object({
      text: z.string().max(3).nullable(),
      list: z.array(z.number().int().nullable()).max(2),
      more: z.record(z.string(), z.unknown()),
      kind: z.enum(["a", "b"]).nullable().optional(),
    });
    const before = fromJsonSchema(z.toJSONSchema(schema, { io: "input" }) as never);
    const after = fromJsonSchema(portableSchema(schema, "input") as never);
    const some = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant("a"), fc.boolean(), fc.object());
    const value = fc.record(
      { text: some, list: fc.oneof(some, fc.array(some)), more: some, kind: some },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(value, (given) => {
        const [one, other] = [before, after].map((made) => made["~standard"].validate(given));
        expect("issues" in (other as object)).toBe("issues" in (one as object));
      }),
    );
  });
});

describe("the models that a schema names", () => {
  const chat = tools.find(({ name }) => name === "chat") as (typeof tools)[number];
  const nameModels = (count: number, tool = chat) => {
    const ids = Array.from({ length: count }, (_, index) => `m${index}`);
    const schema = getInput(tool, portableSchema(tool.input, "input"), {} as never, { getIds: () => ids } as never);
    return (schema["properties"] as Record<string, JsonSchema>)["model"]?.["description"];
  };

  it.each([
    [0, /None of this key's models can do this now/],
    [1, /Now: m0\.$/],
    [30, /Now: m0, .*, m29\.$/],
    [31, /, m29, and 1 more that list_models lists\.$/],
    [45, /, m29, and 15 more that list_models lists\.$/],
  ])("are, of %d, %s", (count, words) => expect(nameModels(count)).toMatch(words));

  it("do not exist where a tool needs none", () => {
    const tool = { ...chat, capability: null };
    expect(nameModels(3, tool)).not.toContain("m0");
  });
});
