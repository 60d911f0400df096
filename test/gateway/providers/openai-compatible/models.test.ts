import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { models } from "../../../../gateway/providers/openai-compatible/models.ts";

const EMPTY = {
  owned_by: null,
  created: null,
  context_length: null,
  max_output: null,
  price: null,
};

describe("reads the lists that providers give", () => {
  it.each([
    [
      "OpenAI",
      { object: "list", data: [{ id: "gpt-4.1", object: "model", created: 1_744_316_542, owned_by: "system" }] },
      { id: "gpt-4.1", owned_by: "system", created: 1_744_316_542 },
    ],
    ["a bare list", [{ id: "m" }], { id: "m" }],
    [
      "vLLM",
      { data: [{ id: "m", owned_by: "vllm", max_model_len: 32_768 }] },
      { id: "m", owned_by: "vllm", context_length: 32_768 },
    ],
    [
      "llama.cpp",
      { data: [{ id: "/m.gguf", owned_by: "llamacpp", meta: { n_ctx_train: 8_192 } }] },
      { id: "/m.gguf", owned_by: "llamacpp", context_length: 8_192 },
    ],
    ["llama.cpp while it loads", { data: [{ id: "m", meta: null }] }, { id: "m" }],
    [
      "OpenRouter",
      {
        data: [
          {
            id: "a/b",
            context_length: 200_000,
            top_provider: { max_completion_tokens: 64_000 },
            pricing: { prompt: "0.000003", completion: "0.000015" },
          },
        ],
      },
      {
        id: "a/b",
        context_length: 200_000,
        max_output: 64_000,
        price: { tiers: [{ above: 0, rates: { input: 3_000_000_000, output: 15_000_000_000 } }] },
      },
    ],
    ["a price that varies", { data: [{ id: "a", pricing: { prompt: "-1", completion: "-1" } }] }, { id: "a" }],
    [
      "a free model",
      { data: [{ id: "a:free", pricing: { prompt: "0", completion: "0" } }] },
      { id: "a:free", price: { tiers: [{ above: 0, rates: { input: 0, output: 0 } }], always: true } },
    ],
  ])("%s", (_name, body, model) => {
    expect(models.fromResponse(body)).toEqual([{ ...EMPTY, ...model }]);
  });
});

it("leaves out what is no model, and names none twice", () => {
  const data = [
    null,
    1,
    "x",
    {},
    { id: 5 },
    { id: "" },
    { id: "x".repeat(301) },
    { id: "a" },
    { id: "a", owned_by: "later" },
    { id: "__proto__" },
  ];
  expect(models.fromResponse({ data })?.map(({ id }) => id)).toEqual(["a", "__proto__"]);
});

it.each([null, "text", 5, {}, { data: {} }, { data: null }, { models: [] }])("takes %j for no list", (body) => {
  expect(models.fromResponse(body)).toBeNull();
});

it("never throws, and returns valid figures only", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      for (const model of models.fromResponse({ data }) ?? []) {
        for (const figure of [model.created, model.context_length])
          expect(figure === null || Number.isSafeInteger(figure)).toBe(true);
      }
    }),
  );
});

it("cuts a list that no one could use", () => {
  const data = Array.from({ length: 20_000 }, (_, index) => ({ id: `m${index}` }));
  expect(models.fromResponse({ data })).toHaveLength(5_000);
});
