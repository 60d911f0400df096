import { beforeEach, describe, expect, it } from "vitest";
import { makeConnection, type Connection } from "../../../gateway/services/connections/connection.ts";
import { Connections } from "../../../gateway/services/connections/connections.ts";
import { ModelIndex } from "../../../gateway/services/models/model-index.ts";
import { getNames } from "../../../gateway/services/models/served-model.ts";
import { providers } from "../../../gateway/providers/registry.ts";

const NOW = Date.UTC(2026, 10, 22);
const RATES = { input: 1_000_000_000, output: 2_000_000_000 };
const listed = (id: string, rates?: typeof RATES) => ({
  id,
  owned_by: null,
  created: null,
  context_length: null,
  max_output: null,
  price: rates === undefined ? null : { tiers: [{ above: 0, rates }] },
});

function connection(
  name: string,
  models: readonly ReturnType<typeof listed>[],
  over: Partial<Connection> = {},
): Connection {
  const made = makeConnection({
    id: name,
    provider: providers["openai-compatible"],
    name,
    baseUrl: "https://provider.example/v1",
    priority: 100,
    enabled: true,
    from: "created",
    createdAt: 0,
    credentials: [{ secret: "sk-x", hint: "…" }],
    discovered: { models, at: Date.UTC(2026, 10, 20) },
  });
  return { ...made, ...over };
}

const connections = new Connections();
let sandbox = false;
const index = new ModelIndex(connections, () => sandbox, { now: () => now });
let now = NOW;
beforeEach(() => {
  sandbox = false;
  now = NOW;
  for (const { id } of connections.all()) connections.remove(id);
});

describe("the way to a model", () => {
  it("goes to the connections that list it, the lower priority first", () => {
    connections.put(connection("second", [listed("m")], { priority: 2 }));
    connections.put(connection("first", [listed("m")], { priority: 1 }));
    expect(index.find("m")?.candidates.map((candidate) => candidate.connection.name)).toEqual(["first", "second"]);
  });

  it("is gone with the connection, and while that is switched off", () => {
    connections.put(connection("only", [listed("m")], { enabled: false }));
    expect(index.find("m")).toBeUndefined();
    connections.put(connection("only", [listed("m")]));
    expect(index.find("m")?.id).toBe("m");
    connections.remove("only");
    expect(index.find("m")).toBeUndefined();
  });

  it("may be named by the connection, also for what its list does not hold", () => {
    connections.put(connection("Router", [listed("a/b")]));
    expect(index.find("router/a/b")?.candidates[0]?.upstreamModel).toBe("a/b");
    expect(index.find("ROUTER/new/model")?.candidates[0]?.upstreamModel).toBe("new/model");
    expect(index.find("router/")).toBeUndefined();
    expect(index.find("stranger/a/b")).toBeUndefined();
  });

  it("takes a variant after a colon, without the listed price", () => {
    connections.put(connection("Router", [listed("a/b", RATES)]));
    expect(index.find("a/b")?.candidates[0]?.price).not.toBeNull();
    expect(index.find("a/b:online")).toMatchObject({
      id: "a/b:online",
      candidates: [{ upstreamModel: "a/b:online", price: null }],
    });
    expect(index.find("other:online")).toBeUndefined();
  });

  it("finds Ollama's models without their tag", () => {
    connections.put(connection("Ollama", [listed("llama3.2:latest")], { from: "local", standsIn: false }));
    expect(index.find("llama3.2")?.candidates[0]?.upstreamModel).toBe("llama3.2:latest");
  });

  it("leads to the sandbox only where no connection serves the model", () => {
    connections.put(connection("Router", [listed("gpt-4o-mini")]));
    connections.put(connection("Sandbox", [], { from: "sandbox", standsIn: false, provider: providers.openai }));
    expect(index.find("gpt-4o")).toBeUndefined();
    sandbox = true;
    index.invalidate();
    expect(index.find("gpt-4o")?.candidates.map(({ connection: by }) => by.from)).toEqual(["sandbox"]);
    expect(index.find("gpt-4o-mini")?.candidates.map(({ connection: by }) => by.from)).toEqual(["created"]);
  });
});

describe("a server that does not stand in for others", () => {
  const served = (id: string): string[] =>
    index.find(id)?.candidates.map(({ connection: by, upstreamModel }) => `${by.name} ${upstreamModel}`) ?? [];

  it.each(["gpt-5.4", "openai/gpt-5.4", "gpt-5.4-2026-03-05", "GPT-5.4", "gpt-5.4:latest", "claude-opus-4-5@20251101"])(
    "serves what it calls %s under its own name only",
    (id) => {
      connections.put(connection("My Router", [listed(id)], { standsIn: false }));
      expect(served(id)).toEqual([]);
      expect(served(id.replace(/:latest$/, ""))).toEqual([]);
      expect(served(`my-router/${id}`)).toEqual([`My Router ${id}`]);
      expect(index.list().map((servedModel) => servedModel.id)).toEqual([`my-router/${id.toLowerCase()}`]);
    },
  );

  it("serves what no other connection serves by its own id", () => {
    connections.put(connection("Mine", [listed("llama3.2:latest")], { standsIn: false, priority: 0 }));
    expect(served("llama3.2:latest")).toEqual(["Mine llama3.2:latest"]);
    connections.put(connection("Other", [listed("llama3.2:latest")], { priority: 900 }));
    expect(served("llama3.2:latest")).toEqual(["Other llama3.2:latest"]);
    expect(served("mine/llama3.2:latest")).toEqual(["Mine llama3.2:latest"]);
  });

  it("takes no model from the connection whose name stands in front of it", () => {
    connections.put(connection("Router", []));
    connections.put(connection("Mine", [listed("router/new-model")], { standsIn: false }));
    expect(served("router/new-model")).toEqual(["Router new-model"]);
  });

  it("keeps what its list says of prices", () => {
    connections.put(connection("Router", [listed("openai/gpt-5.4", RATES)], { standsIn: false }));
    expect(index.find("router/openai/gpt-5.4")?.candidates[0]?.price?.source).toBe("Router's own model list");
  });
});

describe("the price of a model", () => {
  it("is the provider's own where its list has one, with the list's day", () => {
    connections.put(connection("Router", [listed("x", RATES)]));
    expect(index.find("x")?.candidates[0]?.price).toEqual({
      tiers: [{ above: 0, rates: RATES }],
      source: "Router's own model list",
      as_of: "2026-11-20",
    });
  });

  it("is nothing on a server that was found on this machine, and unknown at a stranger's", () => {
    connections.put(connection("Ollama", [listed("local-model")], { from: "local", standsIn: false }));
    connections.put(connection("Stranger", [listed("their-model")]));
    expect(index.find("local-model")?.candidates[0]?.price?.tiers[0]?.rates).toMatchObject({
      input: 0,
      output: 0,
      image: 0,
      character: 0,
    });
    expect(index.find("their-model")?.candidates[0]?.price).toBeNull();
  });
});

describe("a price that ends", () => {
  const priceNow = (): number | undefined =>
    index.find("gemini-3.6-flash")?.candidates[0]?.price?.tiers[0]?.rates.output;

  it("is followed by the next one, at the first call of that day", () => {
    connections.put(
      connection("Google", [], { provider: providers.gemini, baseUrl: "https://generativelanguage.googleapis.com" }),
    );
    now = Date.UTC(2026, 11, 31, 23, 59, 59);
    expect(priceNow()).toBe(3_750_000_000);
    now = Date.UTC(2027, 0, 1);
    expect(priceNow()).toBe(7_500_000_000);
  });

  it("is not looked at again before it ends", () => {
    connections.put(connection("OpenAI", [], { provider: providers.openai }));
    const servedModel = index.find("gpt-5.4");
    now = Date.UTC(2026, 11, 30);
    expect(index.find("gpt-5.4")).toBe(servedModel);
  });

  it("costs more at some hours, from the first call of the hour on", () => {
    connections.put(connection("DeepSeek", [listed("deepseek-v4-pro")], { baseUrl: "https://api.deepseek.com" }));
    const output = (): number | undefined =>
      index.find("deepseek-v4-pro")?.candidates[0]?.price?.tiers[0]?.rates.output;
    now = Date.UTC(2026, 10, 23, 0, 59);
    expect(output()).toBe(1_980_000_000);
    now = Date.UTC(2026, 10, 23, 1);
    expect(output()).toBe(3_960_000_000);
    now = Date.UTC(2026, 10, 23, 4);
    expect(output()).toBe(1_980_000_000);
  });
});

it("names a model by all ids that mean it", () => {
  connections.put(connection("OpenAI", [], { provider: providers.openai }));
  const servedModel = index.find("gpt-4o");
  expect(servedModel === undefined ? [] : getNames(servedModel)).toContain("gpt-4o");
});
