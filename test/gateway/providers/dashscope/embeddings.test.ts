import { beforeEach, expect, it } from "vitest";
import { responseOf, embedAct } from "../../../support/embedding-acts.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/**
 * DashScope's compatible mode by the shapes of docs/providers/dashscope.md#embeddings. Splitting:
 * services/embeddings/split.test.ts.
 */

const ROUTE = "POST /compatible-mode/v1/embeddings";
const MODEL = "text-embedding-v4";

const provider = useWire();
const postern = useGateway(() => ({
  env: { POSTERN_DASHSCOPE_BASE_URL: provider.origin, POSTERN_DASHSCOPE_API_KEY: "sk-dashscope-0001" },
}));
beforeEach(() => provider.reset());

const FIXTURE = {
  data: [{ embedding: [0.0023, -0.5], index: 0, object: "embedding" }],
  model: MODEL,
  object: "list",
  usage: { prompt_tokens: 23, total_tokens: 23 },
  id: "f62c2ae7-0906-9758-ab34-47c5764f07e2",
};

it("is asked for floats, whatever the client wants; its own fields pass, OpenAI's user does not", async () => {
  provider.on(ROUTE, reply(200, FIXTURE));
  const response = await postern.post("/embeddings", {
    model: MODEL,
    input: "hello",
    dimensions: 512,
    encoding_format: "base64",
    user: "u-1",
    text_type: "query",
  });
  const body = await responseOf(response);
  expect(provider.seen[0]?.json).toEqual({
    model: MODEL,
    input: ["hello"],
    dimensions: 512,
    encoding_format: "float",
    text_type: "query",
  });
  expect(provider.seen[0]?.headers["authorization"]).toBe("Bearer sk-dashscope-0001");
  expect(body).toEqual({
    object: "list",
    model: MODEL,
    data: [
      {
        object: "embedding",
        index: 0,
        embedding: Buffer.from(Float32Array.of(0.0023, -0.5).buffer).toString("base64"),
      },
    ],
    usage: { prompt_tokens: 23, total_tokens: 23 },
  });
  // 23 tokens at $0.07 a million.
  expect(await postern.receipt()).toMatchObject({ provider: "dashscope", model: MODEL, nano: 1_610 });
});

it("too fast is tried again, as often as DashScope allows", async () => {
  const throttled = {
    error: { message: "Requests rate limit exceeded", type: "limit_requests", param: null, code: "limit_requests" },
  };
  provider.on(ROUTE, reply(429, throttled, { "retry-after": "0" }), embedAct());
  await responseOf(await postern.post("/embeddings", { model: MODEL, input: "a" }));
  expect(provider.seen).toHaveLength(2);
});
