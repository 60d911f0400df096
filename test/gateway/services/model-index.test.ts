import { beforeEach, describe, expect, it } from "vitest";
import { makeConnection } from "../../../gateway/services/connections/connection.ts";
import type { Connection } from "../../../gateway/services/connections/connection.ts";
import { Connections } from "../../../gateway/services/connections/connections.ts";
import { ModelIndex, namesOf } from "../../../gateway/services/models/model-index.ts";
import { vendors } from "../../../gateway/vendors/registry.ts";

const RATES = { input_rate: 1_000_000_000, output_rate: 2_000_000_000 };
const listed = (id: string, rates: Partial<typeof RATES> = {}) => ({
  id,
  owned_by: null,
  created: null,
  context_length: null,
  max_output: null,
  input_rate: rates.input_rate ?? null,
  output_rate: rates.output_rate ?? null,
});

function connection(
  name: string,
  models: readonly ReturnType<typeof listed>[],
  over: Partial<Connection> = {},
): Connection {
  const made = makeConnection({
    id: name,
    vendor: vendors["openai-compatible"],
    name,
    baseUrl: "https://vendor.example/v1",
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
const index = new ModelIndex(connections, () => sandbox);
beforeEach(() => {
  sandbox = false;
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

  it("takes a variant behind a colon, without the listed price", () => {
    connections.put(connection("Router", [listed("a/b", RATES)]));
    expect(index.find("a/b")?.candidates[0]?.price).not.toBeNull();
    expect(index.find("a/b:online")).toMatchObject({
      id: "a/b:online",
      candidates: [{ upstreamModel: "a/b:online", price: null }],
    });
    expect(index.find("other:online")).toBeUndefined();
  });

  it("finds Ollama's models without their tag", () => {
    connections.put(connection("Ollama", [listed("llama3.2:latest")], { from: "local" }));
    expect(index.find("llama3.2")?.candidates[0]?.upstreamModel).toBe("llama3.2:latest");
  });

  it("leads to the sandbox only where no connection serves the model", () => {
    connections.put(connection("Router", [listed("gpt-4o-mini")]));
    connections.put(connection("Sandbox", [], { from: "sandbox", vendor: vendors.openai }));
    expect(index.find("gpt-4o")).toBeUndefined();
    sandbox = true;
    index.invalidate();
    expect(index.find("gpt-4o")?.candidates.map(({ connection: by }) => by.from)).toEqual(["sandbox"]);
    expect(index.find("gpt-4o-mini")?.candidates.map(({ connection: by }) => by.from)).toEqual(["created"]);
  });
});

describe("the price of a model", () => {
  it("is the vendor's own where its list has one, with the list's day", () => {
    connections.put(connection("Router", [listed("x", RATES)]));
    expect(index.find("x")?.candidates[0]?.price).toEqual({
      tiers: [{ above: 0, rates: { input: RATES.input_rate, output: RATES.output_rate } }],
      source: "Router's own model list",
      as_of: "2026-11-20",
    });
  });

  it("is nothing on a server that was found on this machine, and unknown at a stranger's", () => {
    connections.put(connection("Ollama", [listed("local-model")], { from: "local" }));
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

it("names a model by all ids that mean it", () => {
  connections.put(connection("OpenAI", [], { vendor: vendors.openai }));
  const route = index.find("gpt-4o");
  expect(route === undefined ? [] : namesOf(route)).toContain("gpt-4o");
});
