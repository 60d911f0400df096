import Anthropic from "@anthropic-ai/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import type { Model } from "../../../../gateway/contract/models.ts";
import type { RouteView } from "../../../../gateway/contract/route-operations.ts";
import type { SetRoute } from "../../../../gateway/contract/routes.ts";
import { modelList } from "../../../support/mock-provider.ts";
import { KEY } from "../../../support/running-gateway.ts";
import { toolStage } from "../../../support/tool-harness.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

/** Routes as clients find them in GET /v1/models, on a running gateway. */
const provider = useProvider();
provider.list = modelList(["gpt-4.1", "gpt-4o", "gpt-5.6-sol", "text-embedding-3-small"]);
const postern = useGateway(() => ({ provider }));
beforeEach(async () => {
  for (const { name } of (await postern.ask<{ data: RouteView[] }>("GET", "/routes")).data)
    await postern.ask("POST", "/routes/remove", { name, confirm: true });
  await postern.ask("PATCH", "/settings", { routes: true });
});

const set = (route: SetRoute): Promise<RouteView> => postern.ask<RouteView>("POST", "/routes", route);
const list = async (key = KEY): Promise<Model[]> => (await postern.sdk(key).models.list()).data as unknown as Model[];
const ids = async (key = KEY): Promise<string[]> => (await list(key)).map(({ id }) => id);
const model = async (id: string, key = KEY): Promise<Model | undefined> =>
  (await list(key)).find((each) => each.id === id);
const newKey = async (allowed: readonly string[]): Promise<string> =>
  (await postern.ask<{ secret: string }>("POST", "/keys", { name: "limited", models: allowed })).secret;
const rule = (models: string[], enabled = true) => ({ when: { kinds: ["background" as const] }, models, enabled });

it("is a model of its own, with what its models have in common or can together", async () => {
  const made = await set({ name: "smart", models: ["gpt-4o", "gpt-4.1"], rules: [rule(["text-embedding-3-small"])] });
  const [first] = await list();
  expect(first).toEqual({
    id: "smart",
    object: "model",
    created: Math.floor(made.created_at / 1_000),
    owned_by: "postern",
    capabilities: ["chat", "messages", "embedding"],
    endpoints: ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1/embeddings"],
    context_length: 1_047_576,
    pricing: null,
    provider: "openai",
  });
  expect(await postern.sdk().models.retrieve("smart")).toEqual(first);
});

it("has the price of its model where that is the only one that is served and asked for", async () => {
  await set({ name: "one", models: ["gpt-4.1", "claude-of-tomorrow"], rules: [rule(["gpt-4o"], false)] });
  const real = await model("gpt-4.1");
  expect(real?.pricing).not.toBeNull();
  expect(await model("one")).toMatchObject({
    pricing: real?.pricing,
    context_length: real?.context_length,
    capabilities: real?.capabilities,
  });
});

it("is in Anthropic's list too", async () => {
  const { created_at: at } = await set({ name: "smart", models: ["gpt-4.1"] });
  const anthropic = new Anthropic({ apiKey: KEY, baseURL: postern.url, maxRetries: 0 });
  const listed = await anthropic.models.list();
  const { max_input_tokens, max_tokens } = await anthropic.models.retrieve("gpt-4.1");
  expect([max_input_tokens, max_tokens]).toEqual([1_047_576, 32_768]);
  const limits = { lifecycle: "deprecated", max_input_tokens, max_tokens };
  const shown = { type: "model", id: "smart", display_name: "smart", created_at: rfc3339(at), ...limits };
  expect(listed.data[0]).toEqual(shown);
  expect(await anthropic.models.retrieve("smart")).toMatchObject(shown);
});
const rfc3339 = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

it("hides the model of its name and leaves the model's other names alone", async () => {
  await set({ name: "gpt-5.6", models: ["gpt-5.6", "gpt-4.1"] });
  expect((await ids()).filter((id) => id === "gpt-5.6")).toHaveLength(1);
  expect(await model("gpt-5.6")).toMatchObject({ owned_by: "postern" });
  expect(await postern.sdk().models.retrieve("gpt-5.6")).toMatchObject({ owned_by: "postern" });
  expect(await postern.sdk().models.retrieve("gpt-5.6-sol")).toMatchObject({ id: "gpt-5.6-sol", owned_by: "openai" });
});

it.each<[string, () => Promise<unknown>]>([
  ["it is switched off", () => set({ name: "gpt-4.1", models: ["gpt-4o"], enabled: false })],
  ["all are", () => postern.ask("PATCH", "/settings", { routes: false })],
  ["it is removed", () => postern.ask("POST", "/routes/remove", { name: "gpt-4.1" })],
])("is gone and its model back when %s", async (_name, undo) => {
  await set({ name: "gpt-4.1", models: ["gpt-4o"] });
  expect(await model("gpt-4.1")).toMatchObject({ owned_by: "postern" });
  await undo();
  expect(await model("gpt-4.1")).toMatchObject({ owned_by: "openai" });
  expect(await postern.sdk().models.retrieve("gpt-4.1")).toMatchObject({ owned_by: "openai" });
});

it("is not listed while none of its models is served, nor is the model that it stands before", async () => {
  await set({ name: "later", models: ["claude-of-tomorrow"] });
  await set({ name: "gpt-4.1", models: ["claude-of-tomorrow"] });
  const seen = await ids();
  expect([seen.includes("later"), seen.includes("gpt-4.1")]).toEqual([false, false]);
  await expect(postern.sdk().models.retrieve("gpt-4.1")).rejects.toMatchObject({ status: 404 });
  await set({ name: "later", models: ["claude-of-tomorrow"], rules: [rule(["gpt-4o"])] });
  expect(await ids()).toContain("later");
});

describe("a key that is limited to models", () => {
  beforeEach(() => set({ name: "smart", models: ["gpt-4o", "gpt-4.1"], rules: [rule(["text-embedding-3-small"])] }));
  it.each<[string, string[], readonly string[] | null]>([
    ["the route's name", ["smart"], ["chat", "messages", "embedding"]],
    ["a pattern of its name", ["sm*"], ["chat", "messages", "embedding"]],
    ["one of its models", ["gpt-4.1"], ["chat", "messages"]],
    ["a model of its rules", ["text-embedding-*"], ["embedding"]],
    ["neither", ["gpt-5*"], null],
  ])("sees it by %s, as what it may use of it", async (_name, allowed, able) => {
    const key = await newKey(allowed);
    expect((await model("smart", key))?.capabilities ?? null).toEqual(able);
    const one = await fetch(`${postern.url}/v1/models/smart`, { headers: { authorization: `Bearer ${key}` } });
    expect(one.status).toBe(able === null ? 404 : 200);
  });

  it("is shown with the route's name", async () => {
    const { key } = await postern.ask<{ key: { models: string[] } }>("POST", "/keys", {
      name: "of a route",
      models: ["smart"],
    });
    expect(key.models).toEqual(["smart"]);
    expect(await ids(await newKey(["smart"]))).toEqual(["smart"]);
  });
});

it("is named in the schemas of the tools that one of its models serves", async () => {
  const stage = await toolStage({ provider });
  try {
    const { manageRoutes, listModels } = stage.services;
    await listModels.waitUntilListed();
    await manageRoutes.set({ name: "smart", models: ["gpt-4.1"], rules: [rule(["text-embedding-3-small"])] });
    expect(listModels.getIds(stage.key(), "chat")[0]).toBe("smart");
    expect(listModels.getIds(stage.key(), "embedding")[0]).toBe("smart");
    expect(listModels.getIds(stage.key(), "video")).not.toContain("smart");
  } finally {
    await stage.close();
  }
});
