import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { allModels } from "../../../gateway/catalog/lookup.ts";
import { systemClock } from "../../../gateway/lib/clock.ts";
import { startSandbox, type Sandbox } from "../../../gateway/sandbox/server.ts";
import { texts } from "../../support/embedding-acts.ts";
import { errorOf } from "../../support/running-gateway.ts";
import { useGateway } from "../../support/use-gateway.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ models: allModels, clock: systemClock });
});
const postern = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));
afterAll(() => sandbox.close());

const OPENAI = "/openai/v1/embeddings";
const COMPATIBLE = "/openai-compatible/v1/embeddings";
const DASHSCOPE = "/dashscope/compatible-mode/v1/embeddings";
const GEMINI = "/gemini/v1beta/openai/embeddings";
const VOYAGE = "/voyage/v1/embeddings";

async function send(path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(sandbox.origin + path, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const vectorIn = (body: Record<string, unknown>): unknown => (body["data"] as { embedding: unknown }[])[0]?.embedding;

describe("each provider's own response", () => {
  test.each([
    [OPENAI, "text-embedding-3-small", { prompt_tokens: 2, total_tokens: 2 }],
    [COMPATIBLE, "text-embedding-3-small", { prompt_tokens: 2, total_tokens: 2 }],
    [DASHSCOPE, "text-embedding-v4", { prompt_tokens: 2, total_tokens: 2 }],
    [GEMINI, "gemini-embedding-001", undefined],
    [VOYAGE, "voyage-4", { total_tokens: 2 }],
  ])("%s", async (path, model, usage) => {
    const { status, body } = await send(path, { model, input: ["hello", "world"] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: "list", model });
    expect(body["data"]).toMatchObject([
      { object: "embedding", index: 0 },
      { object: "embedding", index: 1 },
    ]);
    expect(body["usage"]).toEqual(usage);
    expect(await send(path, { model, input: ["hello", "world"] })).toEqual({ status, body });
  });

  it("has the length that is asked for in the provider's own name of it", async () => {
    const openai = await send(OPENAI, { model: "text-embedding-3-small", input: "a", dimensions: 512 });
    expect(vectorIn(openai.body)).toHaveLength(512);
    const voyage = await send(VOYAGE, { model: "voyage-4", input: "a", output_dimension: 256 });
    expect(vectorIn(voyage.body)).toHaveLength(256);
  });

  it("is base64 where the provider has it", async () => {
    const base64 = vectorIn(
      (await send(OPENAI, { model: "text-embedding-3-small", input: "a", encoding_format: "base64", dimensions: 3 }))
        .body,
    );
    const float = vectorIn((await send(OPENAI, { model: "text-embedding-3-small", input: "a", dimensions: 3 })).body);
    const bytes = Buffer.from(base64 as string, "base64");
    expect([0, 4, 8].map((at) => bytes.readFloatLE(at))).toEqual((float as number[]).map(Math.fround));
  });
});

test.each([
  [OPENAI, { model: "text-embedding-3-small", input: "word ".repeat(9_000) }, 400, "maximum context length is 8192"],
  [OPENAI, { model: "gpt-4.1", input: "a" }, 404, "does not exist"],
  [GEMINI, { model: "models/gemini-2.5-flash", input: "a" }, 404, "does not exist"],
])("%s refuses %o", async (path, body, status, words) => {
  const response = await send(path, body);
  expect(response.status).toBe(status);
  expect((response.body["error"] as { message: string }).message).toContain(words);
});

it("Voyage has an envelope of its own, and cuts texts that are too long", async () => {
  const { status, body } = await send(VOYAGE, { model: "voyage-9", input: "a" });
  expect([status, Object.keys(body)]).toEqual([404, ["detail"]]);
  expect(await send(VOYAGE, { model: "voyage-4", input: "word ".repeat(40_000) })).toMatchObject({ status: 200 });
});

describe("errors on demand, through the gateway", () => {
  test.each(["text-embedding-3-small", "text-embedding-v4", "zeta-embedding-001", "eta-4"])("%s", async (model) => {
    const response = await postern.post("/embeddings", { model, input: ["fine", "sandbox:error=413"] });
    expect(response.status).toBe(413);
    expect(response.headers.get("x-postern-provider")).toBe("sandbox");
    expect((await errorOf(response)).message).toBe("The sandbox was asked to fail with status 413.");
  });

  it("in one part of many: what came back before is charged", async () => {
    const input = texts(95).with(94, "sandbox:error=400");
    const response = await postern.post("/embeddings", { model: "text-embedding-v4", input });
    expect(response.status).toBe(400);
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ outcome: "interrupted", status: 400, sandbox: true });
    expect(receipt.nano).toBeGreaterThan(0);
  });

  it("sandbox:cut breaks the connection: a 502", async () => {
    const response = await postern.post("/embeddings", { model: "eta-4", input: "sandbox:cut" });
    expect(response.status).toBe(502);
  });

  it("sandbox:slow answers later", async () => {
    const started = performance.now();
    const response = await postern.post("/embeddings", { model: "eta-4", input: "sandbox:slow=60" });
    expect(response.status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(55);
  });
});
