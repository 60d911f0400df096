import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { responseOf, embedAct, inputsOf, texts } from "../../../support/embedding-acts.ts";
import { errorOf, startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useWire } from "../../../support/use-gateway.ts";

/** Google's layer for OpenAI clients by the shapes of docs/providers/gemini.md#layer-for-openai-clients. */

const ROUTE = "POST /v1beta/openai/embeddings";
const MODELS = "GET /v1beta/openai/models";

const provider = useWire();
const start = (): Promise<TestGateway> =>
  startGateway({ env: { POSTERN_GEMINI_BASE_URL: provider.origin, POSTERN_GEMINI_API_KEY: "AIza-gemini-0001" } });
let postern: TestGateway;
beforeAll(async () => {
  postern = await start();
});
beforeEach(() => provider.reset());
afterAll(() => postern.close());

it("is asked with Google's id and only with what it knows", async () => {
  provider.on(ROUTE, embedAct());
  const response = await postern.post("/embeddings", {
    model: "zeta-embedding-001",
    input: ["hello"],
    dimensions: 768,
    user: "u-1",
    input_type: "query",
  });
  expect((await responseOf(response)).model).toBe("zeta-embedding-001");
  expect(provider.seen[0]?.json).toEqual({
    model: "gemini-embedding-001",
    input: ["hello"],
    dimensions: 768,
    encoding_format: "float",
  });
  expect(provider.seen[0]?.headers["authorization"]).toBe("Bearer AIza-gemini-0001");
});

it("is asked for a hundred texts at a time", async () => {
  provider.on(ROUTE, embedAct());
  const response = await postern.post("/embeddings", { model: "zeta-embedding-2-preview", input: texts(250) });
  expect((await responseOf(response)).data).toHaveLength(250);
  expect(provider.seen.map((seen) => inputsOf(seen).length).toSorted((a, b) => b - a)).toEqual([100, 100, 50]);
  expect(provider.seen[0]?.json).toMatchObject({ model: "gemini-embedding-2-preview" });
});

it("reports no usage: the tokens are counted here and the receipt says so", async () => {
  for (const usage of [null, () => ({ prompt_tokens: 0, total_tokens: 0 })]) {
    provider.on(ROUTE, embedAct({ usage }));
    const response = await responseOf(
      await postern.post("/embeddings", { model: "zeta-embedding-001", input: ["one two", "three four"] }),
    );
    expect(response.usage).toEqual({ prompt_tokens: 4, total_tokens: 4 });
    expect(await postern.receipt()).toMatchObject({ estimated: true, nano: 600, terms: [{ quantity: 4 }] });
  }
});

it("says its errors in a list of one", async () => {
  const refused = { code: 400, message: "* EmbedContentRequest.content: is too long", status: "INVALID_ARGUMENT" };
  provider.on(ROUTE, reply(400, [{ error: refused }]));
  const response = await postern.post("/embeddings", { model: "zeta-embedding-001", input: "a" });
  expect(response.status).toBe(400);
  expect((await errorOf(response)).message).toBe(refused.message);
});

describe("text-embedding-004", () => {
  const ask = (from: TestGateway): Promise<Response> =>
    from.post("/embeddings", { model: "text-embedding-004", input: "a" });

  it("is asked for at Google, who alone can refuse it, while Google's list does not have it", async () => {
    provider.on(MODELS, reply(200, { object: "list", data: [{ id: "models/gemini-embedding-001", object: "model" }] }));
    provider.on(ROUTE, reply(404, { error: { code: 404, message: "It is not found.", status: "NOT_FOUND" } }));
    const own = await start();
    try {
      const response = await ask(own);
      expect(response.status).toBe(404);
      expect(await errorOf(response)).toMatchObject({ code: "model_not_found", message: "It is not found." });
      expect(provider.seen).toHaveLength(1);
      const ids = (await own.sdk().models.list()).data.map(({ id }) => id);
      expect(ids).toContain("zeta-embedding-001");
      expect(ids).not.toContain("text-embedding-004");
    } finally {
      await own.close();
    }
  });

  it("is served while Google's list still has it", async () => {
    provider.on(MODELS, reply(200, { object: "list", data: [{ id: "models/text-embedding-004", object: "model" }] }));
    provider.on(ROUTE, embedAct());
    const own = await start();
    try {
      expect((await responseOf(await ask(own))).data).toHaveLength(1);
      expect(provider.seen[0]?.json).toMatchObject({ model: "text-embedding-004" });
      expect((await own.sdk().models.list()).data.map(({ id }) => id)).toContain("text-embedding-004");
      const refused = await own.post("/embeddings", { model: "text-embedding-004", input: "a", dimensions: 769 });
      expect((await errorOf(refused)).message).toContain("whole numbers from 1 to 768");
    } finally {
      await own.close();
    }
  });
});
