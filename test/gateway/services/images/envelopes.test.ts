import type { ServerResponse } from "node:http";
import { beforeEach, describe, expect, it } from "vitest";
import { GAMMA_ROUTE, OPENAI_ROUTE, gammaResponse, gammaBody } from "../../../support/image-acts.ts";
import { KEY, errorOf, until, providersAt } from "../../../support/running-gateway.ts";
import { reply, replyBytes, type WireSeen } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const POOR = "sk-test-poor-key-of-00002";
const NARROW = "sk-test-narrow-key-0003";
const SLOW = "sk-test-slow-key-of-00004";
const SINGLE = "sk-test-single-key-0005";

const wire = useWire();
const postern = useGateway(() => ({
  keys: [
    { key: POOR, name: "poor", limit_usd: 0.001 },
    { key: NARROW, name: "narrow", models: ["gpt-4.1"] },
    { key: SLOW, name: "slow", rpm: 1 },
    { key: SINGLE, name: "single", concurrency: 1 },
  ],
  env: providersAt({ DASHSCOPE: wire.origin, OPENAI: `${wire.origin}/v1` }),
}));
beforeEach(() => wire.reset());

const GAMMA = gammaBody("gamma-image-2.0");
const DELTA = { model: "delta-image-2", prompt: "A red fox" };

/** Calls that reached the provider; the library fetches results next to them. */
const posts = (): readonly WireSeen[] => wire.seen.filter(({ method }) => method === "POST");

/** The flat envelope: exactly its three fields, under this request's id. */
async function flat(response: Response): Promise<Record<string, string>> {
  const body = (await response.json()) as Record<string, string>;
  expect(Object.keys(body).toSorted()).toEqual(["code", "message", "request_id"]);
  expect(body["request_id"]).toBe(response.headers.get("x-request-id"));
  return body;
}

const ask = (body: unknown, key = KEY): Promise<Response> => postern.post("/images/generations", body, key);

describe("gamma-image models are reported their errors flat", () => {
  it("402 Arrearage, when the key's limit does not cover the hold", async () => {
    const response = await ask(GAMMA, POOR);
    expect([response.status, response.headers.get("x-should-retry")]).toEqual([402, "false"]);
    expect(await flat(response)).toMatchObject({ code: "Arrearage", message: expect.stringContaining('"poor"') });
  });

  it("403 AccessDenied, when the key may not use the model", async () => {
    const response = await ask(GAMMA, NARROW);
    expect(response.status).toBe(403);
    expect(await flat(response)).toMatchObject({ code: "AccessDenied" });
  });

  it("429 Throttling.RateQuota with Retry-After, when the key is limited", async () => {
    wire.on(GAMMA_ROUTE, reply(200, gammaResponse(`${wire.origin}/a.png`)));
    expect((await ask(GAMMA, SLOW)).status).toBe(200);
    const response = await ask(GAMMA, SLOW);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await flat(response)).toMatchObject({ code: "Throttling.RateQuota" });
  });

  it("429 Throttling.RateQuota, when the key has as many calls in flight as it may", async () => {
    let provider: ServerResponse | null = null;
    wire.on(GAMMA_ROUTE, (_seen, outgoing) => void (provider = outgoing));
    const first = ask(GAMMA, SINGLE);
    await until(() => provider !== null);
    const second = await ask(GAMMA, SINGLE);
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await flat(second)).toMatchObject({ code: "Throttling.RateQuota" });
    const response = JSON.stringify(gammaResponse(`${wire.origin}/a.png`));
    (provider as ServerResponse | null)?.writeHead(200, { "content-type": "application/json" }).end(response);
    expect((await first).status).toBe(200);
  });

  it("400 InvalidParameter for a model that does not exist", async () => {
    const response = await ask(gammaBody("gamma-image-9"));
    expect(response.status).toBe(400);
    expect(await flat(response)).toMatchObject({
      code: "InvalidParameter",
      message: expect.stringContaining('"gamma-image-9"'),
    });
    expect(await postern.receipt()).toMatchObject({ status: 400, code: "model_not_found", nano: 0 });
  });

  it.each([
    ["InvalidParameter", "num_images_per_prompt must be 1"],
    ["InvalidParameter.DataInspection", "Unable to download the media resource during the data inspection process."],
    ["DataInspectionFailed", "Output data may contain inappropriate content."],
  ])("the provider's 400 %s, with its words and our request id", async (code, message) => {
    wire.on(GAMMA_ROUTE, reply(400, { request_id: "a4d78a5f-655f-9639-8437", code, message }));
    const response = await ask(GAMMA);
    expect(response.status).toBe(400);
    expect(response.headers.get("x-postern-provider")).toBe("dashscope");
    expect(await flat(response)).toMatchObject({ code, message });
    expect(posts()).toHaveLength(1);
    expect(await postern.receipt()).toMatchObject({ outcome: "failed", status: 400, nano: 0, terms: [] });
  });

  it.each(["Throttling", "Throttling.RateQuota", "Throttling.AllocationQuota", "Throttling.BurstRate"])(
    "the provider's 429 %s, with the time that it named",
    async (code) => {
      const message = "Requests rate limit exceeded, please try again later.";
      wire.on(GAMMA_ROUTE, reply(429, { code, message, request_id: "x" }, { "retry-after": "90" }));
      const response = await ask(GAMMA);
      expect([response.status, response.headers.get("retry-after")]).toEqual([429, "90"]);
      expect(response.headers.get("x-should-retry")).toBe("false");
      expect(await flat(response)).toMatchObject({ code: "Throttling.RateQuota", message });
    },
  );

  it("a response without an image is the provider's mistake", async () => {
    for (const act of [reply(200, { output: { choices: [] }, request_id: "x" }), replyBytes("text/html", "<html>")]) {
      wire.on(GAMMA_ROUTE, act);
      const response = await ask(GAMMA);
      expect(response.status).toBe(502);
      expect(await flat(response)).toMatchObject({
        code: "ServiceUnavailable",
        message: expect.stringContaining("not a list of images"),
      });
    }
  });

  it("an error that says 200 is an error", async () => {
    wire.on(
      GAMMA_ROUTE,
      reply(200, { code: "InternalError", message: "An internal error has occured.", request_id: "x" }),
    );
    const response = await ask(GAMMA);
    expect(response.status).toBe(502);
    expect(await flat(response)).toMatchObject({ code: "ServiceUnavailable" });
  });
});

describe("nested", () => {
  it("401, for any model: the body was not read", async () => {
    for (const key of ["sk-wrong", ""]) {
      const response = await ask(GAMMA, key);
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      expect(await errorOf(response)).toMatchObject({ code: "invalid_api_key" });
    }
  });

  it("an unknown model is a 400", async () => {
    const response = await ask({ model: "no-such-model", prompt: "A red fox" });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({
      type: "invalid_request_error",
      code: "model_not_found",
      param: "model",
    });
  });

  it("a model that the provider does not have is a 400 too", async () => {
    wire.on(
      OPENAI_ROUTE,
      reply(404, {
        error: {
          message: "The model does not exist.",
          type: "invalid_request_error",
          param: null,
          code: "model_not_found",
        },
      }),
    );
    const response = await ask(DELTA);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: "model_not_found" });
    wire.on(GAMMA_ROUTE, reply(404, { code: "ModelNotFound", message: "Model not exist.", request_id: "x" }));
    const other = await ask(GAMMA);
    expect(other.status).toBe(400);
    expect(await flat(other)).toMatchObject({ message: "Model not exist." });
  });

  it.each([
    ["gpt-4.1", "/v1/chat/completions"],
    ["text-embedding-3-small", "/v1/embeddings"],
  ])("%s does not make images: the error says where it belongs", async (model, endpoint) => {
    const response = await ask({ model, prompt: "A red fox" });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({
      code: "endpoint_model_mismatch",
      message: expect.stringContaining(endpoint),
      param: "model",
    });
  });

  it("402, 403, 429 of the other families", async () => {
    const poor = await ask(DELTA, POOR);
    expect(poor.status).toBe(402);
    expect(await errorOf(poor)).toMatchObject({ type: "insufficient_quota", code: "insufficient_quota" });
    const narrow = await ask(DELTA, NARROW);
    expect(narrow.status).toBe(403);
    expect(await errorOf(narrow)).toMatchObject({ code: "model_not_allowed" });
    const limit = { message: "Rate limit reached.", type: "requests", param: null, code: "rate_limit_exceeded" };
    wire.on(OPENAI_ROUTE, reply(429, { error: limit }, { "retry-after": "61" }));
    const busy = await ask(DELTA);
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([429, "61"]);
    expect(await errorOf(busy)).toMatchObject({ code: "rate_limit_exceeded", message: "Rate limit reached." });
  });

  it.each([
    ["content_policy_violation", "invalid_request_error"],
    ["moderation_blocked", "image_generation_user_error"],
  ])("the provider's refusal %s in its own words", async (code, type) => {
    const error = { message: "Your request was rejected by the safety system.", type, param: null, code };
    wire.on(OPENAI_ROUTE, reply(400, { error: { ...error, moderation_details: { moderation_stage: "input" } } }));
    const response = await ask(DELTA);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toEqual(error);
    expect(posts()).toHaveLength(1);
  });
});
