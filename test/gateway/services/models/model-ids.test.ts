import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { allModels } from "../../../../gateway/catalog/lookup.ts";
import { modelAllowed } from "../../../../gateway/core/glob.ts";
import { getPublicIds } from "../../../../gateway/core/models/model-id.ts";
import { makeConnection } from "../../../../gateway/services/connections/connection.ts";
import { Connections } from "../../../../gateway/services/connections/connections.ts";
import { ModelIndex } from "../../../../gateway/services/models/model-index.ts";
import { getNames } from "../../../../gateway/services/models/served-model.ts";
import type { StoredAlias, StoredPrice } from "../../../../gateway/store/document.ts";
import { providers } from "../../../../gateway/providers/registry.ts";
import { type TestOptions, providersAt } from "../../../support/running-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";
import { completionBody } from "../../../support/acts.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** Ids of models are lowercase and hyphenated; a provider's own spelling means the same. */

const connections = new Connections();
const aliases = new Map<string, StoredAlias>();
const prices = new Map<string, StoredPrice>();
const index = new ModelIndex(
  connections,
  () => true,
  { now: () => 0 },
  () => ({ aliases, prices }),
);
beforeEach(() => {
  for (const { id } of connections.all()) connections.remove(id);
  aliases.clear();
  prices.clear();
});

function connect(name: string, ids: readonly string[], provider: "openai-compatible" | "openai" = "openai-compatible") {
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
      id: name,
      provider: providers[provider],
      name,
      baseUrl: `https://${name}.example/v1`,
      priority: 100,
      enabled: true,
      from: "created",
      createdAt: connections.all().length,
      credentials: [{ secret: "sk-x", hint: "…" }],
      discovered: { models, at: 0 },
    }),
  );
}

const listed = (): readonly string[] => index.list().map(({ id }) => id);
const upstreamOf = (name: string): string | undefined => index.find(name)?.candidates[0]?.upstreamModel;

it("every id of the catalog is lowercase and hyphenated", () => {
  for (const { id } of allModels()) expect(id).toMatch(/^[a-z0-9.:/-]+$/);
});

it.each([
  ["meta-llama/Llama-3.3-70B-Instruct", "meta-llama/llama-3.3-70b-instruct"],
  ["Qwen3_VL 8B", "qwen3-vl-8b"],
  ["mistral-7b.Q4_K_M.gguf", "mistral-7b.q4-k-m.gguf"],
  ["llama3.2:latest", "llama3.2:latest"],
  ["openai/gpt-4o", "openai/gpt-4o"],
  ["@cf/meta/Llama@2", "@cf/meta/llama@2"],
])("%s is listed as %s, and reached by both", (spelling, id) => {
  connect("server", [spelling]);
  expect(listed()).toEqual([id]);
  for (const name of [spelling, id, `server/${spelling}`, `server/${id}`]) expect(upstreamOf(name)).toBe(spelling);
  expect(index.find(spelling)?.id).toBe(id);
});

it("a model of the catalog has the catalog's id, whatever its server calls it", () => {
  connect("server", ["MiniMax-M3"]);
  const servedModel = index.find("minimax-m3");
  expect(listed()).toEqual(["minimax-m3"]);
  expect(servedModel?.spec?.displayName).toBe("MiniMax M3");
  expect(upstreamOf("minimax-m3")).toBe("MiniMax-M3");
});

describe("two that differ in nothing but case", () => {
  it("stay as they are, at one server and at two", () => {
    connect("one", ["Some-Model", "some_model", "Other"]);
    connect("two", ["OTHER"]);
    expect(listed()).toEqual(["Some-Model", "some_model", "Other", "OTHER"]);
    for (const spelling of listed()) expect(upstreamOf(spelling)).toBe(spelling);
  });

  it("stay as they are next to a model of the catalog", () => {
    connect("openai", [], "openai");
    connect("server", ["GPT-4o"]);
    expect(upstreamOf("gpt-4o")).toBe("gpt-4o");
    expect(index.find("GPT-4o")?.candidates.map(({ connection }) => connection.name)).toEqual(["server"]);
  });

  it("and are spelled alike at two servers are one model", () => {
    connect("one", ["Some-Model"]);
    connect("two", ["Some-Model"]);
    expect(index.find("some-model")?.candidates.map(({ connection }) => connection.name)).toEqual(["one", "two"]);
  });
});

it("no model is listed by a name that means another one: the owner's own, or a provider's other name", () => {
  connect("openai", [], "openai");
  connect("server", ["Fast", "GPT-4o-Mini-TTS-2025-12-15", "Wan2.6-T2V"]);
  aliases.set("fast", { id: "fast", model: "gpt-4o", created_at: 0 });
  index.invalidate();
  expect(index.find("fast")?.id).toBe("gpt-4o");
  expect(upstreamOf("Fast")).toBe("Fast");
  expect(listed()).toContain("Fast");
});

it("a variant is asked for by the provider's spelling", () => {
  connect("router", ["Some/Model"]);
  expect(upstreamOf("some/model:online")).toBe("Some/Model:online");
  expect(upstreamOf("Some/Model:online")).toBe("Some/Model:online");
  expect(index.find("Some/Model:online")?.id).toBe("some/model:online");
});

describe("what earlier versions kept by the provider's spelling", () => {
  const OLD = "Some/Model_1";
  const ID = "some/model-1";

  it("goes on to allow, to price and to name", () => {
    connect("server", [OLD]);
    const rates = { input: 1, output: 2 };
    prices.set(OLD, { id: OLD, rates, as_of: "2026-11-01" });
    aliases.set("mine", { id: "mine", model: OLD, created_at: 0 });
    index.invalidate();
    const servedModel = index.find(ID);
    if (servedModel === undefined) throw new Error("it is not found");
    for (const allowed of [OLD, "Some/*", ID, "some/*", "mine"]) {
      expect(modelAllowed([allowed], getNames(servedModel))).toBe(true);
    }
    expect(servedModel.candidates[0]?.price?.tiers).toEqual([{ above: 0, rates }]);
    expect(index.find("mine")?.id).toBe(ID);
    expect(servedModel.aliases).toEqual(["mine"]);
  });
});

it("property: every listed id is one model's, and every spelling finds the model that its provider gave it to", () => {
  const spelling = fc.stringMatching(/^[aAbB_ -]{1,4}$/);
  fc.assert(
    fc.property(fc.uniqueArray(spelling, { maxLength: 12 }), fc.uniqueArray(spelling), (spellings, received) => {
      const ids = getPublicIds(spellings, new Set(received));
      expect(new Set(ids.values()).size).toBe(spellings.length);
      for (const [own, id] of ids) {
        if (id === own) continue;
        expect(id).toMatch(/^[a-b-]+$/);
        expect(received).not.toContain(id);
        expect(spellings).not.toContain(id);
      }
    }),
  );
});

describe("over HTTP", () => {
  const provider = useWire();
  const OLD = "Some_Model";
  const LIMITED = { key: "sk-test-limited-key-00001", name: "limited", models: ["Some_*"] };
  let options: TestOptions;
  const postern = useGateway(() => {
    provider.on("GET /v1/models", reply(200, { object: "list", data: [{ id: OLD, object: "model" }] }));
    provider.on("POST /v1/chat/completions", (seen, outgoing) => {
      const { model } = seen.json as { model: string };
      const usage = { prompt_tokens: 1_000, completion_tokens: 1_000, total_tokens: 2_000 };
      return reply(200, completionBody("Hello", usage, { model }))(seen, outgoing);
    });
    const env = providersAt({ COMPATIBLE: `${provider.origin}/v1` });
    options = { env, keys: [LIMITED] };
    return options;
  });

  it("the list, one model and calls know both; the provider is asked by its own", async () => {
    const ids = (await postern.sdk().models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(["some-model"]);
    for (const name of [OLD, "some-model"]) {
      expect((await postern.sdk().models.retrieve(name)).id).toBe("some-model");
      const body = { model: name, messages: [{ role: "user", content: "Hi" }] };
      const response = await postern.post("/chat/completions", body, LIMITED.key);
      expect(response.status).toBe(200);
      expect(provider.seen.at(-1)?.json).toMatchObject({ model: OLD });
    }
    expect((await postern.receipts()).map(({ model }) => model)).toEqual(["some-model", "some-model"]);
  });

  it("an own price that was set for either is one price, and is taken away by either", async () => {
    const rates = { input: 1_000_000_000, output: 1_000_000_000 };
    await postern.ask("POST", "/models/price", { model: OLD, rates });
    const { data } = await postern.ask<{ data: { id: string; own_price: boolean; other_names: string[] }[] }>(
      "GET",
      "/models",
    );
    expect(data.filter(({ own_price: own }) => own)).toMatchObject([{ id: "some-model", other_names: [OLD] }]);
    await postern.ask("POST", "/models/price/remove", { model: OLD });
  });
});
