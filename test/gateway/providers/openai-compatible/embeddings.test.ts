import { beforeAll, beforeEach, expect, it, test } from "vitest";
import type { EmbeddingsCall } from "../../../../gateway/providers/embeddings.ts";
import { embeddings } from "../../../../gateway/providers/openai-compatible/embeddings.ts";
import { responseOf, embedAct, texts } from "../../../support/embedding-acts.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** Local servers and routers (docs/providers/openai-compatible.md#local-servers). */

const ROUTE = "POST /v1/embeddings";
const MODEL = "nomic-embed-text:latest";

const provider = useWire();
beforeAll(async () => {
  provider.on(
    "GET /v1/models",
    reply(200, { object: "list", data: [{ id: MODEL, object: "model", owned_by: "library" }] }),
  );
});
const postern = useGateway(() => ({ env: { POSTERN_COMPATIBLE_BASE_URL: `${provider.origin}/v1` } }));
beforeEach(() => {
  provider.reset();
  provider.on(
    "GET /v1/models",
    reply(200, { object: "list", data: [{ id: MODEL, object: "model", owned_by: "library" }] }),
  );
});

it("serves what a server lists, with any dimensions, and names no encoding", async () => {
  provider.on(ROUTE, embedAct());
  const response = await postern.post("/embeddings", {
    model: MODEL,
    input: ["a", "b"],
    dimensions: 7,
    encoding_format: "base64",
    keep_alive: "5m",
  });
  const body = await responseOf(response);
  expect(response.headers.get("x-postern-provider")).toBe("openai-compatible");
  expect(provider.seen[0]?.json).toEqual({ model: MODEL, input: ["a", "b"], dimensions: 7, keep_alive: "5m" });
  expect(body.data[0]?.embedding).toBe(Buffer.from(Float32Array.of(1, 0.5, -0.25, 0.125).buffer).toString("base64"));
});

it("is asked in parts of 256", async () => {
  provider.on(ROUTE, embedAct());
  expect((await responseOf(await postern.post("/embeddings", { model: MODEL, input: texts(600) }))).data).toHaveLength(
    600,
  );
  expect(provider.seen).toHaveLength(3);
});

it("counts tokens itself where a server reports none, or 0 as LM Studio does", async () => {
  for (const usage of [null, () => ({ prompt_tokens: 0, total_tokens: 0 })]) {
    provider.on(ROUTE, embedAct({ usage }));
    const response = await responseOf(await postern.post("/embeddings", { model: MODEL, input: "one two three four" }));
    expect(response.usage.prompt_tokens).toBe(4);
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ estimated: true, nano: null });
    expect(receipt.terms).toEqual([{ unit: "input", quantity: 4, nano_per_million: 0, nano: 0 }]);
  }
});

const call = {
  inputs: ["a", "b"],
  upstreamModel: MODEL,
  model: null,
  dimensions: null,
  encoding: "float",
  extra: {},
} as const;
const item = (embedding: unknown, index?: unknown) => ({
  object: "embedding",
  embedding,
  ...(index === undefined ? {} : { index }),
});

test.each([
  ["in order", [item([1], 0), item([2], 1)], [[1], [2]]],
  ["out of order", [item([2], 1), item([1], 0)], [[1], [2]]],
  ["without any index", [item([1]), item([2])], [[1], [2]]],
  ["without the index 0, as protocol buffers write it", [item([1]), item([2], 1)], [[1], [2]]],
  ["as base64", [item("AACAPw=="), item("AAAAQA==", 1)], ["AACAPw==", "AAAAQA=="]],
])("reads items %s", (_, data, vectors) => {
  expect(embeddings.fromResponse({ data, usage: { prompt_tokens: 3 } }, call)).toEqual({
    vectors,
    units: { input: 3 },
  });
});

test.each([
  ["nothing", null],
  ["a text", "ok"],
  ["no data", { object: "list" }],
  ["one item too few", { data: [item([1], 0)] }],
  ["one item too many", { data: [item([1], 0), item([2], 1), item([3], 2)] }],
  ["no vector", { data: [item([1], 0), item(null, 1)] }],
  ["an empty vector", { data: [item([], 0), item([1], 1)] }],
  ["texts in a vector", { data: [item(["1"], 0), item([1], 1)] }],
  ["a list in a vector, as llama.cpp's own endpoint has it", { data: [item([[1]], 0), item([[1]], 1)] }],
])("takes %s for no list of embeddings", (_, body) => {
  expect(embeddings.fromResponse(body, call)).toBeNull();
});

it.each<[string, readonly unknown[], string]>([
  ["from 0", [0, 1, 2], "abc"],
  ["in another order", [2, 0, 1], "bca"],
  ["as texts", ["2", "0", "1"], "bca"],
  ["from 1", [3, 1, 2], "bca"],
  ["missing", [undefined, null, undefined], "abc"],
  ["missing for the first alone", [2, 1, undefined], "cba"],
  ["0 for each", [0, 0, 0], "abc"],
  ["of another batch", [256, 257, 258], "abc"],
  ["not whole", [0.5, 1, 2], "abc"],
  ["no numbers", ["a", {}, -1], "abc"],
])("puts vectors in order by indexes that are %s", (_, indexes, order) => {
  const named = ["a", "b", "c"];
  const body = { data: indexes.map((index, position) => ({ index, embedding: [position] })) };
  const call = { inputs: named } as unknown as EmbeddingsCall;
  expect(
    embeddings
      .fromResponse(body, call)
      ?.vectors.map(([place]) => named[Number(place)])
      .join(""),
  ).toBe(order);
});
