import { describe, expect, it, test } from "vitest";
import { embeddingListSchema } from "../../../../gateway/contract/embeddings.ts";
import { responseOf, texts } from "../../../support/embedding-acts.ts";
import { errorOf } from "../../../support/running-gateway.ts";
import { useGateway } from "../../../support/use-gateway.ts";

/** The rows of the specification's table of `POST /v1/embeddings`, on the sandbox. */

const postern = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));

const SERVED = [
  "text-embedding-v4",
  "text-embedding-004",
  "zeta-embedding-001",
  "zeta-embedding-2-preview",
  "eta-4-large",
  "eta-4",
  "eta-4-lite",
] as const;

const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector);

describe("row model", () => {
  test.each(SERVED)("%s answers with an Embedding list of unit-length vectors", async (model) => {
    const response = await responseOf(await postern.post("/embeddings", { model, input: ["hello", "world"] }));
    expect(embeddingListSchema.strict().parse(response)).toEqual(response);
    expect(response).toMatchObject({ object: "list", model });
    expect(response.data.map(({ object, index }) => [object, index])).toEqual([
      ["embedding", 0],
      ["embedding", 1],
    ]);
    for (const { embedding } of response.data) expect(lengthOf(embedding)).toBeCloseTo(1, 5);
    expect(response.usage.prompt_tokens).toBeGreaterThan(0);
    expect(response.usage.total_tokens).toBe(response.usage.prompt_tokens);
  });

  test.each([
    ["gemini-embedding-001", 3_072],
    ["gemini-embedding-2", 3_072],
    ["voyage-4-lite", 1_024],
  ])("the provider's own id %s is an alias", async (model, dimensions) => {
    const response = await responseOf(await postern.post("/embeddings", { model, input: "hello" }));
    expect(response.model).toBe(model);
    expect(response.data[0]?.embedding).toHaveLength(dimensions);
  });

  it("each of them is in the list of models", async () => {
    const ids = (await postern.sdk().models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([...SERVED]));
  });

  it("an unknown model is a 404 model_not_found", async () => {
    const response = await postern.post("/embeddings", { model: "nope", input: "hello" });
    expect(response.status).toBe(404);
    expect(await errorOf(response)).toMatchObject({ code: "model_not_found", param: "model" });
  });

  it("a model of another endpoint is a 400 endpoint_model_mismatch that names that endpoint", async () => {
    const response = await postern.post("/embeddings", { model: "gpt-4.1", input: "hello" });
    expect(response.status).toBe(400);
    const error = await errorOf(response);
    expect(error.code).toBe("endpoint_model_mismatch");
    expect(error.message).toContain("/v1/chat/completions");
  });
});

describe("row input", () => {
  it("a string", async () => {
    const response = await responseOf(await postern.post("/embeddings", { model: "eta-4", input: "hello" }));
    expect(response.data.map(({ index }) => index)).toEqual([0]);
  });

  it("an array is chunked as needed, and the vectors correspond by index: 25 texts to a provider that takes 10", async () => {
    const input = texts(25);
    const response = await responseOf(await postern.post("/embeddings", { model: "text-embedding-v4", input }));
    expect(response.data.map(({ index }) => index)).toEqual(input.map((_, index) => index));
    for (const index of [0, 9, 10, 24]) {
      const alone = await responseOf(
        await postern.post("/embeddings", { model: "text-embedding-v4", input: input[index] }),
      );
      expect(response.data[index]?.embedding).toEqual(alone.data[0]?.embedding);
    }
  });

  test.each([
    ["nothing", undefined, "missing_required_parameter", "input"],
    ["an empty string", "", "invalid_value", "input"],
    ["an empty array", [], "invalid_value", "input"],
    ["null in an array", ["a", null], "invalid_value", "input[1]"],
    ["an empty string in an array", ["a", "b", ""], "invalid_value", "input[2]"],
  ])("%s is a 400 that names it", async (_, input, code, param) => {
    const response = await postern.post("/embeddings", { model: "eta-4", input });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ type: "invalid_request_error", code, param });
  });

  it("tokens where the provider takes texts alone are a 400 that says so", async () => {
    const response = await postern.post("/embeddings", { model: "eta-4", input: [[1, 2]] });
    expect(response.status).toBe(400);
    const error = await errorOf(response);
    expect(error).toMatchObject({ code: "invalid_value", param: "input" });
    expect(error.message).toContain('the model "eta-4" takes a text or an array of texts, not tokens');
    const openai = await postern.post("/embeddings", { model: "text-embedding-3-small", input: [[1, 2], [3]] });
    expect((await responseOf(openai)).usage.prompt_tokens).toBe(3);
  });
});

describe("row encoding_format", () => {
  it("is float by default, and base64 holds the same vector as little-endian float32", async () => {
    const body = { model: "eta-4", input: "hello" };
    const [plain, float] = await Promise.all([
      postern.post("/embeddings", body).then(responseOf),
      postern.post("/embeddings", { ...body, encoding_format: "float" }).then(responseOf),
    ]);
    expect(plain).toEqual(float);
    const encoded = await responseOf(await postern.post("/embeddings", { ...body, encoding_format: "base64" }));
    const text: unknown = encoded.data[0]?.embedding;
    const bytes = Buffer.from(text as string, "base64");
    const numbers = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
    expect(numbers).toEqual(float.data[0]?.embedding.map(Math.fround));
  });

  it("of another name is a 400 that names both", async () => {
    const response = await postern.post("/embeddings", { model: "eta-4", input: "a", encoding_format: "int8" });
    expect(response.status).toBe(400);
    expect((await errorOf(response)).message).toContain('expected one of "float", "base64"');
  });
});

describe("row dimensions", () => {
  test.each([
    ["text-embedding-v4", 1_024],
    ["text-embedding-004", 768],
    ["text-embedding-3-small", 1_536],
    ["text-embedding-3-large", 3_072],
    ["text-embedding-ada-002", 1_536],
    ["eta-4-large", 1_024],
    ["eta-4", 1_024],
    ["eta-4-lite", 1_024],
    ["zeta-embedding-001", 3_072],
  ])("%s defaults to %i", async (model, dimensions) => {
    const response = await responseOf(await postern.post("/embeddings", { model, input: "hello" }));
    expect(response.data[0]?.embedding).toHaveLength(dimensions);
  });

  test.each([
    ...[64, 512, 2_048].map((dimensions) => ["text-embedding-v4", dimensions] as const),
    ...[256, 512, 1_024, 2_048].map((dimensions) => ["eta-4", dimensions] as const),
    ["zeta-embedding-001", 768] as const,
    ["text-embedding-3-small", 512] as const,
  ])("%s makes vectors of %i", async (model, dimensions) => {
    const response = await responseOf(await postern.post("/embeddings", { model, input: "hello", dimensions }));
    expect(response.data[0]?.embedding).toHaveLength(dimensions);
    expect(lengthOf(response.data[0]?.embedding ?? [])).toBeCloseTo(1, 5);
  });

  test.each([
    ["text-embedding-v4", 7, "2048, 1536, 1024, 768, 512, 256, 128 and 64"],
    ["eta-4", 7, "256, 512, 1024 and 2048"],
    ["zeta-embedding-001", 7, "128 to 3072"],
    ["text-embedding-3-large", 4_000, "1 to 3072"],
    ["text-embedding-ada-002", 512, "always have 1536 numbers"],
  ])("%s refuses %i and names what it accepts", async (model, dimensions, words) => {
    const response = await postern.post("/embeddings", { model, input: "hello", dimensions });
    expect(response.status).toBe(400);
    const error = await errorOf(response);
    expect(error.param).toBe("dimensions");
    expect(error.message).toContain(words);
  });
});
