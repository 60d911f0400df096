import { beforeEach, describe, expect, it } from "vitest";
import { formOf } from "../../support/forms.ts";
import { GAMMA_ROUTE, gammaBody } from "../../support/image-acts.ts";
import { postForm } from "../../support/edit-acts.ts";
import { png } from "../../support/pictures.ts";
import { errorOf } from "../../support/running-gateway.ts";
import { reply } from "../../support/wire-provider.ts";
import { useGateway, useWire } from "../../support/use-gateway.ts";

/** The specification's section Errors: its shapes, and each condition of its table. */

const POOR = "sk-test-poor-key-000000001";
const HURRIED = "sk-test-hurried-key-000001";
const wire = useWire();
const postern = useGateway(() => ({
  keys: [
    { key: POOR, name: "poor", limit_usd: 0.000_001 },
    { key: HURRIED, name: "hurried", rpm: 1 },
  ],
  env: {
    POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`,
    POSTERN_OPENAI_API_KEY: "sk-openai-0001",
    POSTERN_DASHSCOPE_BASE_URL: wire.origin,
    POSTERN_DASHSCOPE_API_KEY: "sk-dashscope-0001",
    POSTERN_GEMINI_BASE_URL: wire.origin,
    POSTERN_GEMINI_API_KEY: "AIza-0001",
  },
}));
beforeEach(() => wire.reset());

const CHAT = { model: "gpt-4.1", messages: [{ role: "user", content: "Hello" }] };
type Files = Parameters<typeof formOf>[1];
const edit =
  (fields: Readonly<Record<string, string>>, files: Files = [["image", png()]]) =>
  (): Promise<Response> =>
    postForm(postern, formOf({ model: "delta-image-2", prompt: "Add a hat", ...fields }, files));
const post = (path: string, body: unknown, key?: string) => (): Promise<Response> => postern.post(path, body, key);

describe("shapes", () => {
  it("Flat › code, message and request_id, for the gamma-image family alone", async () => {
    const gamma = await postern.post("/images/generations", gammaBody("gamma-image-edit"));
    expect(gamma.status).toBe(400);
    const body = (await gamma.json()) as Record<string, string>;
    expect(Object.keys(body).toSorted()).toEqual(["code", "message", "request_id"]);
    expect([body["code"], body["request_id"]]).toEqual(["InvalidParameter", gamma.headers.get("x-request-id")]);
    const delta = await postern.post("/images/generations", { model: "delta-image-2" });
    expect(await errorOf(delta)).toMatchObject({ code: "missing_required_parameter", param: "prompt" });
  });

  it.each([
    [
      "invalid_mask",
      edit({}, [
        ["image", png()],
        ["mask", png({ width: 32 })],
      ]),
    ],
    ["endpoint_model_mismatch", edit({ model: "gpt-4.1" })],
  ])("Nested › message, type, param and code: %s", async (code, ask) => {
    const response = await ask();
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ type: "invalid_request_error", code });
  });

  it("Nested minimal › 402 has the message, and what SDKs read next to it", async () => {
    const response = await postern.chat({ ...CHAT, max_tokens: 30_000 }, POOR);
    expect([response.status, response.headers.get("x-should-retry")]).toEqual([402, "false"]);
    expect(await errorOf(response)).toMatchObject({ type: "insufficient_quota", code: "insufficient_quota" });
    expect(wire.seen).toEqual([]);
  });
});

/** Condition, request, words that the message has. */
const BAD: readonly (readonly [string, () => Promise<Response>, RegExp])[] = [
  [
    "edit model without 1 to 3 reference images",
    post("/images/generations", gammaBody("gamma-image-edit")),
    /1 to 3|at least/,
  ],
  ["unrecognised model", post("/images/generations", { model: "no-such-image", prompt: "x" }), /no-such-image/],
  ["unsupported size", post("/images/generations", gammaBody("gamma-image-2.0", { size: "7*7" })), /7\*7.*1024\*1024/],
  [
    "mask size different from image",
    edit({}, [
      ["image", png()],
      ["mask", png({ width: 32 })],
    ]),
    /32.*64|64.*32/,
  ],
  ["unsupported image format", edit({}, [["image", Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1")]]), /PNG, JPEG/],
  [
    "model without mask support",
    edit({ model: "gemini-2.5-flash-image" }, [
      ["image", png()],
      ["mask", png()],
    ]),
    /mask/,
  ],
  ["unsupported voice", post("/audio/speech", { model: "gamma3-tts-flash", input: "x", voice: "Nobody" }), /Cherry/],
  ["empty speech input", post("/audio/speech", { model: "gamma3-tts-flash", input: "" }), /input/],
  ["model not suited to the endpoint", post("/embeddings", { model: "gpt-4.1", input: "x" }), /chat\/completions/],
  [
    "unsupported reasoning_effort, with those that are supported",
    post("/chat/completions", { ...CHAT, model: "o3", reasoning_effort: "xhigh" }),
    /low.*medium.*high/,
  ],
];

describe("conditions", () => {
  it.each(BAD)("400 › %s", async (_condition, ask, words) => {
    const response = await ask();
    const text = await response.text();
    expect([response.status, text]).toEqual([400, expect.stringMatching(words)]);
    expect(wire.seen).toEqual([]);
  });

  it("400 › upstream error text is passed through", async () => {
    wire.on("POST /v1/chat/completions", reply(400, { error: { message: "Only I know why.", type: "x", code: "y" } }));
    const response = await postern.chat(CHAT);
    expect([response.status, (await errorOf(response)).message]).toEqual([
      400,
      expect.stringContaining("Only I know why."),
    ]);
  });

  it("429 › a rate or concurrency exceeded, ours or the provider's", async () => {
    wire.on(
      "POST /v1/chat/completions",
      reply(200, { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }),
    );
    await (await postern.chat(CHAT, HURRIED)).text();
    const ours = await postern.chat(CHAT, HURRIED);
    expect([ours.status, ours.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect(await errorOf(ours)).toMatchObject({ type: "rate_limit_error", code: "rate_limit_exceeded" });
    const limited = { code: "Throttling.RateQuota", message: "Requests rate limit exceeded.", request_id: "r" };
    wire.on(GAMMA_ROUTE, reply(429, limited, { "retry-after": "90" }));
    const theirs = await postern.post("/images/generations", gammaBody("gamma-image-2.0"));
    expect([theirs.status, theirs.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect(await theirs.json()).toMatchObject({ code: "Throttling.RateQuota", request_id: expect.any(String) });
  });
});
