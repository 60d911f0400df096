import { beforeEach, describe, expect, it } from "vitest";
import { makeConnection } from "../../../../gateway/services/connections/connection.ts";
import { Connections } from "../../../../gateway/services/connections/connections.ts";
import { ModelIndex } from "../../../../gateway/services/models/model-index.ts";
import { createModelNotFound } from "../../../../gateway/services/models/unserved.ts";
import { providers, type ProviderId } from "../../../../gateway/providers/registry.ts";
import { errorOf, providersAt } from "../../../support/running-gateway.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const connections = new Connections();
const index = new ModelIndex(connections, () => true, { now: () => 0 });
beforeEach(() => {
  for (const { id } of connections.all()) connections.remove(id);
});

function connect(provider: ProviderId, ids: readonly string[], from: "created" | "sandbox" = "created"): void {
  const models = ids.map((id) => ({
    id,
    owned_by: null,
    created: null,
    context_length: null,
    max_output: null,
    price: null,
  }));
  connections.put(
    makeConnection({
      id: `${provider} ${from}`,
      provider: providers[provider],
      name: provider,
      baseUrl: "https://provider.example/v1",
      priority: 100,
      enabled: true,
      from,
      createdAt: 0,
      credentials: [{ secret: "sk-x", hint: "…" }],
      discovered: { models, at: 0 },
    }),
  );
}

const RETIRED = "text-embedding-004";
const listed = (): readonly string[] => index.list().map(({ id }) => id);

it("a retired model is found at its owner by its name, and is in no list", () => {
  connect("gemini", ["gemini-embedding-001"]);
  expect(index.find(RETIRED)?.candidates[0]?.upstreamModel).toBe(RETIRED);
  expect(listed()).not.toContain(RETIRED);
  expect(index.offers().map(({ name }) => name)).not.toContain(RETIRED);
  expect(listed()).toContain("zeta-embedding-001");
});

it("a retired model is served while the owner's list still has it", () => {
  connect("gemini", [RETIRED]);
  expect(index.find(RETIRED)?.candidates[0]?.upstreamModel).toBe(RETIRED);
  expect(listed()).toContain(RETIRED);
});

it("a retired model is served at another server that lists it, by that server's id", () => {
  connect("gemini", []);
  connect("openai-compatible", [RETIRED, `google/${RETIRED}`]);
  expect(index.find(RETIRED)?.candidates.map(({ connection }) => connection.name)).toEqual(["openai-compatible"]);
  expect(index.find(`google/${RETIRED}`)?.capabilities).toEqual(["embedding"]);
});

it("a retired model is in the sandbox", () => {
  connect("gemini", [], "sandbox");
  expect(index.find(RETIRED)?.candidates).toHaveLength(1);
  expect(listed()).toContain(RETIRED);
});

it("a retired model is its owner's where that is connected next to the sandbox", () => {
  connect("gemini", [], "sandbox");
  connect("gemini", ["gemini-embedding-001"]);
  expect(index.find(RETIRED)?.candidates.map(({ connection }) => connection.from)).toEqual(["created"]);
});

describe("asked for by its name", () => {
  const provider = useWire();
  const postern = useGateway(() => ({ env: providersAt({ GEMINI: provider.origin }) }));
  const ROUTE = "POST /v1beta/openai/embeddings";
  const ask = (): Promise<Response> => postern.post("/embeddings", { model: RETIRED, input: "hello" });

  it("the provider is asked, and its refusal is passed on", async () => {
    const message = `models/${RETIRED} is not found for API version v1main.`;
    provider.on(ROUTE, (_seen, outgoing) => {
      outgoing.writeHead(404, { "content-type": "application/json" });
      outgoing.end(JSON.stringify([{ error: { code: 404, message, status: "NOT_FOUND" } }]));
    });
    const response = await ask();
    expect(response.status).toBe(404);
    expect(await errorOf(response)).toMatchObject({ code: "model_not_found", message });
    expect(provider.seen.map(({ json }) => (json as { model: string }).model)).toEqual([RETIRED]);
  });

  it("a provider that serves it after all is believed", async () => {
    provider.on(ROUTE, (_seen, outgoing) => {
      outgoing.writeHead(200, { "content-type": "application/json" });
      const data = [{ object: "embedding", index: 0, embedding: [0.6, 0.8] }];
      outgoing.end(
        JSON.stringify({ object: "list", data, model: RETIRED, usage: { prompt_tokens: 1, total_tokens: 1 } }),
      );
    });
    const response = await ask();
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ model: RETIRED, data: [{ embedding: [0.6, 0.8] }] });
  });

  it("the list of models has it only where the provider's list does", async () => {
    const ids = (await postern.sdk().models.list()).data.map(({ id }) => id);
    expect(ids).toContain("zeta-embedding-001");
    expect(ids).not.toContain(RETIRED);
    await expect(postern.sdk().models.retrieve(RETIRED)).rejects.toMatchObject({ status: 404 });
  });
});

it("the error names the day and the successor, also for a name with a prefix", () => {
  for (const id of [RETIRED, `models/${RETIRED}`]) {
    const { code, message } = createModelNotFound(id);
    expect(code).toBe("model_not_found");
    expect(message).toContain(
      `"${id}", which its owner shut down on 2026-01-14. Use its successor "zeta-embedding-001"`,
    );
  }
});
