import { beforeEach, describe, expect, it, test } from "vitest";
import { embeddings } from "../../../../gateway/providers/voyage/provider.ts";
import { errors } from "../../../../gateway/providers/voyage/errors.ts";
import { responseOf, embedAct, texts } from "../../../support/embedding-acts.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** Voyage by the shapes of docs/providers/voyage.md#embeddings. */

const ROUTE = "POST /v1/embeddings";

const provider = useWire();
const postern = useGateway(() => ({
  env: { POSTERN_VOYAGE_BASE_URL: `${provider.origin}/v1`, POSTERN_VOYAGE_API_KEY: "pa-voyage-0001" },
}));
beforeEach(() => provider.reset());

const FIXTURE = {
  object: "list",
  data: [
    { object: "embedding", embedding: [0.000344163, -0.022529466], index: 0, text: null },
    { object: "embedding", embedding: [0.5, 0.25], index: 1, text: null },
  ],
  model: "voyage-4",
  usage: { total_tokens: 12 },
};

it("is asked in its own names, and its only figure is both of ours", async () => {
  provider.on(ROUTE, reply(200, FIXTURE));
  const response = await postern.post("/embeddings", {
    model: "eta-4",
    input: ["a", "b"],
    dimensions: 2_048,
    encoding_format: "float",
    user: "u-1",
    input_type: "document",
    truncation: false,
    unknown_field: 1,
  });
  const body = await responseOf(response);
  expect(provider.seen[0]?.json).toEqual({
    model: "voyage-4",
    input: ["a", "b"],
    output_dimension: 2_048,
    input_type: "document",
    truncation: false,
  });
  expect(provider.seen[0]?.headers["authorization"]).toBe("Bearer pa-voyage-0001");
  expect(body).toEqual({
    object: "list",
    model: "eta-4",
    data: [
      { object: "embedding", index: 0, embedding: [0.000344163, -0.022529466] },
      { object: "embedding", index: 1, embedding: [0.5, 0.25] },
    ],
    usage: { prompt_tokens: 12, total_tokens: 12 },
  });
  // 12 tokens at $0.06 a million.
  expect(await postern.receipt()).toMatchObject({ provider: "voyage", model: "eta-4", estimated: false, nano: 720 });
});

it("is never given an encoding_format, also for the SDK's base64", async () => {
  provider.on(ROUTE, reply(200, FIXTURE));
  const list = await postern.sdk().embeddings.create({ model: "eta-4-large", input: ["a", "b"] });
  expect(provider.seen[0]?.json).toEqual({ model: "voyage-4-large", input: ["a", "b"] });
  expect(list.data[1]?.embedding).toEqual([0.5, 0.25]);
});

it("is asked for a thousand texts at a time", async () => {
  provider.on(ROUTE, embedAct({ usage: (inputs) => ({ total_tokens: inputs.length * 2 }) }));
  const response = await responseOf(await postern.post("/embeddings", { model: "eta-4-lite", input: texts(2_500) }));
  expect(response.data).toHaveLength(2_500);
  expect(response.usage.total_tokens).toBe(5_000);
  expect(provider.seen).toHaveLength(3);
});

test.each([
  ["voyage-4-large", 120_000],
  ["voyage-4", 320_000],
  ["voyage-4-lite", 1_000_000],
  ["voyage-3.5", 320_000],
  ["voyage-3.5-lite", 1_000_000],
  ["voyage-code-3", 120_000],
])("%s takes %i tokens in one request", (model, tokens) => {
  expect(embeddings.readLimits(model)).toEqual({ inputs: 1_000, tokens });
});

describe("its errors", () => {
  test.each([
    [401, "Provided API key is invalid.", "auth"],
    [404, "Not Found", "model_not_found"],
    [429, "You have not yet added your payment method in the billing page", "rate"],
    [500, "Internal Server Error", "overload"],
    [400, "Model voyage-9 is not supported.", "bad_request"],
  ])("%i %j is of the kind %s", (status, detail, kind) => {
    expect(errors.fromResponse(status, {}, { detail })).toMatchObject({ kind, status, message: detail });
  });

  it("of the wrong type are a list of findings, of which the first is reported", () => {
    const detail = [
      { loc: ["body", "input_type"], msg: "Input should be 'query' or 'document'", type: "literal_error" },
    ];
    expect(errors.fromResponse(422, {}, { detail }).message).toBe("input_type: Input should be 'query' or 'document'");
    expect(errors.fromResponse(422, {}, { detail: [] }).message).toBe("The provider responded with status 422.");
  });
});
