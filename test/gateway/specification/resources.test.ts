import { beforeEach, describe, expect, it } from "vitest";
import { GAMMA_ROUTE, OPENAI_ROUTE, deltaResponse, gammaResponse, gammaBody } from "../../support/image-acts.ts";
import { KEY, errorOf } from "../../support/running-gateway.ts";
import { reply } from "../../support/wire-provider.ts";
import { useGateway, useWire } from "../../support/use-gateway.ts";

/** The specification's resources, authentication, quota and versioning: row by row, as a client sees them. */

const LIMITED = "sk-test-limited-key-000001";
const PICTURES_ONLY = "sk-test-pictures-key-00001";
const EXPIRES = 4_000_000_000;
const wire = useWire();
const postern = useGateway(() => ({
  keys: [
    { key: LIMITED, name: "limited", limit_usd: 12.5, expires_at: EXPIRES },
    { key: PICTURES_ONLY, name: "pictures", models: ["gamma-*"] },
  ],
  env: {
    POSTERN_DASHSCOPE_BASE_URL: wire.origin,
    POSTERN_DASHSCOPE_API_KEY: "sk-dashscope-0001",
    POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`,
    POSTERN_OPENAI_API_KEY: "sk-openai-0001",
  },
}));
const sandbox = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));
beforeEach(() => wire.reset());

function get(path: string, key: string | null = KEY): Promise<Response> {
  return fetch(`${postern.url}${path}`, key === null ? {} : { headers: { authorization: `Bearer ${key}` } });
}

async function read(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.anything()]);
  return JSON.parse(text) as Record<string, unknown>;
}

const CHAT = { model: "gpt-4.1", messages: [{ role: "user", content: "Say hello." }] };

describe("Chat completion", () => {
  const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

  it("rows id, object, created, model, choices, usage › of an ordinary model", async () => {
    const response = await read(await sandbox.chat(CHAT));
    expect(response).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: "chat.completion",
      model: expect.stringMatching(/^gpt-4\.1/),
      choices: [{ index: 0, message: { role: "assistant", content: expect.any(String) }, finish_reason: "stop" }],
    });
    expect(Number.isInteger(response["created"])).toBe(true);
    expect(response["created"]).toBeLessThanOrEqual(nowSeconds());
    const usage = response["usage"] as Record<string, number>;
    expect(usage["total_tokens"]).toBe((usage["prompt_tokens"] ?? NaN) + (usage["completion_tokens"] ?? NaN));
  });

  it("row usage › completion_tokens_details.reasoning_tokens of a reasoning model", async () => {
    const { usage } = await read(await sandbox.chat({ ...CHAT, model: "o3" }));
    const details = (usage as { completion_tokens_details: { reasoning_tokens: number } }).completion_tokens_details;
    expect(details.reasoning_tokens).toBeGreaterThan(0);
  });
});

describe("Model, and the envelope of the list", () => {
  it("rows id, object, owned_by › of every model; object list and data of the envelope", async () => {
    const list = (await read(await get("/v1/models"))) as { object: string; data: Record<string, unknown>[] };
    expect(list.object).toBe("list");
    expect(list.data.length).toBeGreaterThan(10);
    for (const model of list.data) {
      expect(model["id"]).toMatch(/^[a-z0-9][a-z0-9.:_-]*$/);
      expect(model["object"]).toBe("model");
      expect(model["owned_by"]).toEqual(expect.stringMatching(/./));
    }
  });

  it("the list contains only models that the calling key may use", async () => {
    const list = (await read(await get("/v1/models", PICTURES_ONLY))) as { data: { id: string }[] };
    const ids = list.data.map(({ id }) => id);
    expect(ids).toContain("gamma-image-2.0");
    expect(ids.filter((id) => !id.startsWith("gamma-"))).toEqual([]);
  });
});

describe("Image results", () => {
  it("rows request_id, output.choices, usage › of the gamma-image family", async () => {
    const link = `${wire.origin}/result.png`;
    wire.on(GAMMA_ROUTE, reply(200, gammaResponse(link)));
    expect(await read(await postern.post("/images/generations", gammaBody("gamma-image-2.0")))).toEqual({
      request_id: expect.any(String),
      output: {
        choices: [{ finish_reason: "stop", message: { role: "assistant", content: [{ image: link }] } }],
      },
      usage: { image_count: 1, height: 1_024, width: 1_024 },
    });
  });

  /** Pictures that were ordered; the library fetches results next to them. */
  const requestCount = (): number => wire.seen.filter(({ path }) => path === "/v1/images/generations").length;

  it("free-form sizes of delta-image-2 › multiples of 16, at most 3840 px, long to short at most 3:1", async () => {
    wire.on(OPENAI_ROUTE, reply(200, deltaResponse()));
    const ask = (size: string) =>
      postern.post("/images/generations", { model: "delta-image-2", prompt: "A fox", size });
    for (const size of ["16x16", "3840x1280", "1024x1536", "3840x2160"])
      expect([size, (await ask(size)).status]).toEqual([size, 200]);
    expect(requestCount()).toBe(4);
    for (const size of ["1000x1024", "3856x1600", "3840x1264", "0x0", "-16x16"]) {
      const response = await ask(size);
      expect([size, response.status, (await errorOf(response)).param]).toEqual([size, 400, "size"]);
    }
    expect(requestCount()).toBe(4);
  });
});

describe("Billing subscription", () => {
  it("rows object, has_payment_method, plan, hard_limit_usd, system_hard_limit_usd, access_until", async () => {
    expect(await read(await get("/v1/dashboard/billing/subscription", LIMITED))).toMatchObject({
      object: "billing_subscription",
      has_payment_method: true,
      plan: { id: "local", title: "Local" },
      hard_limit_usd: 12.5,
      system_hard_limit_usd: 100_000_000,
      access_until: EXPIRES,
    });
  });
});

describe("Authentication", () => {
  const OPERATIONS = [
    ["GET", "/v1/models"],
    ["GET", "/v1/dashboard/billing/subscription"],
    ["POST", "/v1/chat/completions"],
    ["POST", "/v1/messages"],
    ["POST", "/v1/embeddings"],
    ["POST", "/v1/audio/speech"],
    ["POST", "/v1/images/generations"],
    ["POST", "/v1/images/edits"],
  ] as const;

  it.each(OPERATIONS)("1 › %s %s requires Authorization: Bearer sk-…", async (method, path) => {
    for (const authorization of [null, "Bearer", "Basic sk-x", `Bearer ${KEY}x`, "Bearer no-prefix"]) {
      const response = await fetch(`${postern.url}${path}`, {
        method,
        ...(authorization === null ? {} : { headers: { authorization } }),
        ...(method === "POST" ? { body: "{}" } : {}),
      });
      expect([authorization, response.status]).toEqual([authorization, 401]);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
    }
  });

  it("2 › keys are issued by the service: sk- and 48 characters", async () => {
    const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", { name: "issued" });
    expect(secret).toMatch(/^sk-[0-9A-Za-z]{48}$/);
    expect((await get("/v1/models", secret)).status).toBe(200);
  });

  it("4 › a key is limited to the models that it may access", async () => {
    const response = await postern.chat(CHAT, PICTURES_ONLY);
    expect([response.status, (await errorOf(response)).code]).toEqual([403, "model_not_allowed"]);
    expect(wire.seen).toEqual([]);
  });

  it("quota › of the key that asks, and of no other", async () => {
    const [limited, free] = await Promise.all(
      [LIMITED, KEY].map(async (key) => read(await get("/v1/dashboard/billing/subscription", key))),
    );
    expect([limited?.["hard_limit_usd"], free?.["hard_limit_usd"]]).toEqual([12.5, 100_000_000]);
  });
});

describe("the service", () => {
  it("one key and one base URL reach all kinds of models", async () => {
    const responses = await Promise.all([
      sandbox.chat(CHAT),
      sandbox.post("/messages", { model: "claude-haiku-4-5", max_tokens: 10, messages: CHAT.messages }),
      sandbox.post("/embeddings", { model: "eta-4", input: "hello" }),
      sandbox.post("/audio/speech", { model: "gamma3-tts-flash", input: "Hello" }),
      sandbox.post("/images/generations", gammaBody("gamma-image-2.0")),
      sandbox.post("/images/generations", { model: "delta-image-1", prompt: "A fox" }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    await Promise.all(responses.map((response) => response.arrayBuffer()));
  });

  it("all paths carry the prefix /v1", async () => {
    for (const path of ["/models", "/v2/models", "/dashboard/billing/subscription"]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });

  it("the service interface description carries version 1.0.0", async () => {
    const description = (await read(await get("/openapi.json", null))) as {
      info: { version: string };
      paths: Record<string, unknown>;
    };
    expect(description.info.version).toBe("1.0.0");
    expect(Object.keys(description.paths).filter((path) => !/^\/(?:v1(?:beta)?|api)\//.test(path))).toEqual([]);
  });
});
