import { beforeEach, expect, it } from "vitest";
import { responseOf, embedAct, inputsOf, texts } from "../../../support/embedding-acts.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** Google's layer for OpenAI clients by the shapes of docs/providers/gemini.md#layer-for-openai-clients. */

const ROUTE = "POST /v1beta/openai/embeddings";

const provider = useWire();
const postern = useGateway(() => ({
  env: { POSTERN_GEMINI_BASE_URL: provider.origin, POSTERN_GEMINI_API_KEY: "AIza-gemini-0001" },
}));
beforeEach(() => provider.reset());

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
  expect(provider.seen[0]?.json).toMatchObject({ model: "gemini-embedding-2" });
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
