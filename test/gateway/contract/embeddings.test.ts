import { describe, expect, it, test } from "vitest";
import * as z from "zod";
import { MOST_EMBEDDING_INPUTS, embeddingsRequestSchema } from "../../../gateway/contract/embeddings.ts";
import { GatewayError } from "../../../gateway/core/errors.ts";
import { validate } from "../../../gateway/core/validation.ts";

const model = "eta-4";

function refusalOf(body: unknown): { code: string; param: string | undefined; message: string } {
  try {
    validate(embeddingsRequestSchema, body);
  } catch (error) {
    if (error instanceof GatewayError) return { code: error.code, param: error.details.param, message: error.message };
    throw error;
  }
  throw new Error("it was accepted");
}

describe("what is accepted", () => {
  test.each([
    ["a text", { input: "hello" }],
    ["texts", { input: ["a", " ", "c"] }],
    ["tokens", { input: [1, 2, 3] }],
    ["arrays of tokens", { input: [[1, 2], [0]] }],
    ["float", { input: "a", encoding_format: "float" }],
    ["base64", { input: "a", encoding_format: "base64" }],
    ["null for what is not given", { input: "a", encoding_format: null, dimensions: null }],
    ["unknown fields", { input: "a", input_type: "query", user: { deep: [1] } }],
    ["as many texts as one request may have", { input: Array.from({ length: MOST_EMBEDDING_INPUTS }, () => "a") }],
  ])("%s", (_, body) => {
    const whole = { model, ...body };
    expect(validate(embeddingsRequestSchema, whole)).toBe(whole);
  });
});

describe("what is refused, and what is said", () => {
  test.each([
    ["no model", { input: "a" }, "missing_required_parameter", "model", "Missing required parameter: 'model'"],
    ["no input", { model }, "missing_required_parameter", "input", "expected a text that is not empty"],
    ["null as input", { model, input: null }, "invalid_value", "input", "null; expected a text"],
    ["an empty text", { model, input: "" }, "invalid_value", "input", '""; expected a text that is not empty'],
    ["an empty array", { model, input: [] }, "invalid_value", "input", "expected an array with at least one text"],
    ["an object", { model, input: { text: "a" } }, "invalid_value", "input", "expected a text"],
    ["an empty text among texts", { model, input: ["a", ""] }, "invalid_value", "input[1]", "'input[1]': \"\""],
    ["null among texts", { model, input: ["a", "b", null] }, "invalid_value", "input[2]", "'input[2]': null"],
    ["a number among texts", { model, input: ["a", 5] }, "invalid_value", "input[1]", "'input[1]': 5"],
    ["a text among tokens", { model, input: [1, "a"] }, "invalid_value", "input[1]", "expected a token number"],
    ["half a token", { model, input: [1.5] }, "invalid_value", "input[0]", "expected a token number"],
    ["a token below 0", { model, input: [[1], [-1]] }, "invalid_value", "input[1][0]", "expected a token number"],
    [
      "an empty array of tokens",
      { model, input: [[1], []] },
      "invalid_value",
      "input[1]",
      "expected an array of token",
    ],
    ["another encoding", { model, input: "a", encoding_format: "hex" }, "invalid_value", "encoding_format", '"base64"'],
    ["dimensions as text", { model, input: "a", dimensions: "512" }, "invalid_type", "dimensions", "a whole number"],
  ])("%s", (_, body, code, param, words) => {
    const refusal = refusalOf(body);
    expect(refusal).toMatchObject({ code, param });
    expect(refusal.message).toContain(words);
  });

  it("one input too many, with the bound", () => {
    const input = Array.from({ length: MOST_EMBEDDING_INPUTS + 1 }, () => "a");
    expect(refusalOf({ model, input }).message).toBe(
      "Invalid value for 'input': an array; expected at most 16384 inputs in one request, and there are 16385.",
    );
  });

  it("ten million wrong inputs, without looking at more than the first", () => {
    let looks = 0;
    const input = new Proxy(
      Array.from({ length: 10_000_000 }, () => null),
      {
        get(target, name) {
          if (typeof name === "string" && /^\d+$/.test(name)) looks += 1;
          return Reflect.get(target, name);
        },
      },
    );
    expect(refusalOf({ model, input }).param).toBe("input");
    expect(looks).toBeLessThan(100);
    expect(refusalOf({ model, input: [...Array.from({ length: 10 }, () => null), 1] }).param).toBe("input[0]");
  });
});

it("is written down for OpenAPI with every form of input", () => {
  const schema = z.toJSONSchema(embeddingsRequestSchema, { io: "input" });
  expect(schema.required).toEqual(expect.arrayContaining(["model"]));
  expect(schema.properties?.["input"]).toMatchObject({ anyOf: [{ type: "string" }, {}, {}, {}] });
  expect(JSON.stringify(schema.properties?.["dimensions"])).toContain("integer");
});
