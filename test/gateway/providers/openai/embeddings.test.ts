import { beforeEach, describe, expect, it } from "vitest";
import { responseOf, embedAct, inputsOf, texts } from "../../../support/embedding-acts.ts";
import { KEY, errorOf } from "../../../support/running-gateway.ts";
import { reply, replyBytes } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** OpenAI by the shapes of docs/providers/openai.md#embeddings. */

const ROUTE = "POST /v1/embeddings";
const MODEL = "text-embedding-3-small";
const USAGE = { prompt_tokens: 8, total_tokens: 8 };
const responseWith = (embedding: unknown) =>
  reply(200, { object: "list", data: [{ object: "embedding", index: 0, embedding }], model: MODEL, usage: USAGE });

const provider = useWire();
const postern = useGateway(() => ({
  env: { POSTERN_OPENAI_BASE_URL: `${provider.origin}/v1`, POSTERN_OPENAI_API_KEY: "sk-openai-0001" },
}));
beforeEach(() => provider.reset());

describe("what OpenAI is asked", () => {
  it("is the client's question in its own encoding, with fields that Postern does not know", async () => {
    provider.on(ROUTE, responseWith([0.0023, -0.009]));
    await responseOf(
      await postern.post("/embeddings", {
        model: MODEL,
        input: "hello",
        encoding_format: "float",
        dimensions: 512,
        user: "u-1",
        something_new: { a: 1 },
        nothing: null,
      }),
    );
    expect(provider.seen[0]?.json).toEqual({
      model: MODEL,
      input: ["hello"],
      encoding_format: "float",
      dimensions: 512,
      user: "u-1",
      something_new: { a: 1 },
    });
    expect(provider.seen[0]?.headers).toMatchObject({ authorization: "Bearer sk-openai-0001" });
    expect(JSON.stringify(provider.seen[0]?.headers)).not.toContain(KEY);
  });

  it("may be tokens, one array or several", async () => {
    provider.on(ROUTE, responseWith([1]));
    await responseOf(await postern.post("/embeddings", { model: MODEL, input: [15_339, 1_917] }));
    await responseOf(await postern.post("/embeddings", { model: MODEL, input: [[15_339, 1_917]] }));
    expect(provider.seen.map(({ json }) => (json as { input: unknown }).input)).toEqual([
      [[15_339, 1_917]],
      [[15_339, 1_917]],
    ]);
  });

  it("is split at 2,048 inputs, and before the total of 300,000 tokens", async () => {
    provider.on(ROUTE, embedAct());
    await responseOf(await postern.post("/embeddings", { model: MODEL, input: texts(2_048) }));
    expect(provider.seen).toHaveLength(1);
    await responseOf(await postern.post("/embeddings", { model: MODEL, input: texts(2_049) }));
    expect(provider.seen).toHaveLength(3);
    provider.seen.length = 0;
    // 60 texts of about 7,500 tokens are 450,000 of them.
    const long = Array.from({ length: 60 }, (_, index) => `${"word ".repeat(7_500)}${index}`);
    const response = await responseOf(await postern.post("/embeddings", { model: MODEL, input: long }));
    expect(response.data.map(({ embedding }) => embedding[0])).toEqual(long.map((_, index) => index));
    expect(provider.seen.length).toBeGreaterThan(1);
    for (const seen of provider.seen) expect(inputsOf(seen).length * 7_500).toBeLessThanOrEqual(300_000);
  });
});

describe("vectors", () => {
  it("asked for as base64 are OpenAI's own bytes", async () => {
    const own = Buffer.from(Float32Array.of(0.1, -0.2, 3e-9).buffer).toString("base64");
    provider.on(ROUTE, responseWith(own));
    const response = await responseOf(
      await postern.post("/embeddings", { model: MODEL, input: "a", encoding_format: "base64" }),
    );
    expect(provider.seen[0]?.json).toMatchObject({ encoding_format: "base64" });
    expect(response.data[0]?.embedding).toBe(own);
  });

  it("asked for as numbers are OpenAI's own numbers", async () => {
    const written = "[0.0023064255,-0.009327292,1e-7,-2.5E-3,0.10000000149011612]";
    provider.on(
      ROUTE,
      replyBytes(
        "application/json",
        `{"object":"list","data":[{"object":"embedding","index":0,"embedding":${written}}],"model":"${MODEL}","usage":{"prompt_tokens":8,"total_tokens":8}}`,
      ),
    );
    const response = await responseOf(await postern.post("/embeddings", { model: MODEL, input: "a" }));
    expect(response.data[0]?.embedding).toEqual(JSON.parse(written));
    expect(response.usage).toEqual(USAGE);
  });

  it("in another encoding than asked for are turned into it", async () => {
    provider.on(ROUTE, responseWith([1, -2, 0.5]), responseWith("AACAPwAAAMAAAAA/"));
    const base64 = await postern.post("/embeddings", { model: MODEL, input: "a", encoding_format: "base64" });
    expect((await responseOf(base64)).data[0]?.embedding).toBe("AACAPwAAAMAAAAA/");
    const float = await postern.post("/embeddings", { model: MODEL, input: "a", encoding_format: "float" });
    expect((await responseOf(float)).data[0]?.embedding).toEqual([1, -2, 0.5]);
  });
});

describe("the openai SDK", () => {
  it("asks for base64 by itself and reads the vectors", async () => {
    const own = Float32Array.of(0.25, -0.5, 0.125);
    provider.on(ROUTE, responseWith(Buffer.from(own.buffer).toString("base64")));
    const list = await postern.sdk().embeddings.create({ model: MODEL, input: "hello" });
    expect(provider.seen[0]?.json).toMatchObject({ encoding_format: "base64" });
    expect(list.data[0]?.embedding).toEqual([...own]);
    expect(list).toMatchObject({ object: "list", model: MODEL, usage: USAGE });
  });

  it("throws its own classes of error", async () => {
    const sdk = postern.sdk();
    await expect(sdk.embeddings.create({ model: MODEL, input: "" })).rejects.toMatchObject({
      status: 400,
      code: "invalid_value",
      param: "input",
    });
    await expect(sdk.embeddings.create({ model: "nope", input: "a" })).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
  });
});

describe("OpenAI's errors", () => {
  const error = (code: string | null, type: string, message: string) => ({
    error: { message, type, param: null, code },
  });

  it("of the request are passed on in its words", async () => {
    const message = "This model's maximum context length is 8192 tokens, however you requested 9000 tokens.";
    provider.on(ROUTE, reply(400, error(null, "invalid_request_error", message)));
    const response = await postern.post("/embeddings", { model: MODEL, input: "a" });
    expect(response.status).toBe(400);
    expect((await errorOf(response)).message).toBe(message);
    expect(provider.seen).toHaveLength(1);
  });

  it("a response that is no list of vectors is a 502, charged with what was asked for", async () => {
    provider.on(ROUTE, responseWith([]));
    expect((await postern.post("/embeddings", { model: MODEL, input: "a" })).status).toBe(502);
    expect(await postern.receipt()).toMatchObject({ outcome: "unknown", estimated: true, nano: 80 });
  });
});
