import { beforeEach, expect, it } from "vitest";
import { makeConnection } from "../../../../gateway/services/connections/connection.ts";
import { Connections } from "../../../../gateway/services/connections/connections.ts";
import { ModelIndex, modelNotFound } from "../../../../gateway/services/models/model-index.ts";
import { vendors } from "../../../../gateway/vendors/registry.ts";
import type { VendorId } from "../../../../gateway/contract/connection.ts";

const connections = new Connections();
const index = new ModelIndex(connections, () => true);
beforeEach(() => {
  for (const { id } of connections.all()) connections.remove(id);
});

function connect(vendor: VendorId, ids: readonly string[], from: "created" | "sandbox" = "created"): void {
  const models = ids.map((id) => ({
    id,
    owned_by: null,
    created: null,
    context_length: null,
    max_output: null,
    input_rate: null,
    output_rate: null,
  }));
  connections.put(
    makeConnection({
      id: `${vendor} ${from}`,
      vendor: vendors[vendor],
      name: vendor,
      baseUrl: "https://vendor.example/v1",
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

it("a retired model is not served by its owner, whose other models are", () => {
  connect("gemini", ["gemini-embedding-001"]);
  expect(index.find(RETIRED)).toBeUndefined();
  expect(listed()).not.toContain(RETIRED);
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

it("a retired model is not in the sandbox", () => {
  connect("gemini", [], "sandbox");
  expect(listed()).toContain("zeta-embedding-001");
  expect(index.find(RETIRED)).toBeUndefined();
});

it("the error names the day and the successor, also for a name with a prefix", () => {
  for (const id of [RETIRED, `models/${RETIRED}`]) {
    const { code, message } = modelNotFound(id);
    expect(code).toBe("model_not_found");
    expect(message).toContain(
      `"${id}" was shut down by its vendor on 2026-01-14. Use its successor "zeta-embedding-001"`,
    );
  }
});
